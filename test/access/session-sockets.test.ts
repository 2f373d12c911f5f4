// A WebSocket lives as long as the session it was opened with, whichever process ends that.
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

const PASSWORD = "correct horse";

describe.each(dialects)("sockets of sessions on %s", (dialect) => {
  let panel: WholePanel;
  let neighbour: WholePanel | undefined;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    if (dialect === "postgresql") neighbour = await panel.neighbour();
  });
  afterAll(async () => {
    await neighbour?.dispose();
    await panel.dispose();
  });

  const signIn = async () => {
    const answer = await panel.call("POST", "/api/v1/login", { username: "root", password: PASSWORD });
    return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const connect = (on: WholePanel, cookie: string, headers: Record<string, string> = {}) =>
    new WebSocket(`${on.url.replace("http", "ws")}/api/v1/actors/stream`, { headers: { cookie, ...headers } });
  /** The close code of a session's socket after `end`. */
  const closedBy = async (on: WholePanel, end: (cookie: string) => Promise<unknown>) => {
    const cookie = await signIn();
    const socket = connect(on, cookie);
    await once(socket, "open");
    const closed = once(socket, "close") as Promise<[number]>;
    await end(cookie);
    const [code] = await closed;
    return code;
  };
  const asRoot = (method: string, path: string, body?: unknown) =>
    panel.call(method, `/api/v1${path}`, body, { cookie: panel.cookie });

  // rule access.session.9
  test.each([
    ["a logout", (cookie: string) => panel.call("POST", "/api/v1/logout", undefined, { cookie })],
    ["the end of the other sessions", () => asRoot("DELETE", "/me/sessions")],
    ["a changed password", () => asRoot("PUT", "/me/password", { currentPassword: PASSWORD, newPassword: PASSWORD })],
  ] as const)("closed with 4401 by %s", async (_what, end) => {
    expect(await closedBy(panel, end)).toBe(4401);
    if (neighbour) expect(await closedBy(neighbour, end)).toBe(4401);
  });

  test("no other site opens one with the cookie", async () => {
    const socket = connect(panel, await signIn(), { origin: "https://evil.example" });
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).toContain("403");
  });
});
