// Rights over actors: who sees which ones, who may send, and in which order that is refused: the scope first, whatever
// the body. A reseller reaches none. On both databases.
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { openStream } from "./stream-reader.ts";

describe.each(dialects)("rights over actors on %s", (dialect) => {
  let panel: WholePanel;
  let reseller: Record<string, string>;
  let looks: Record<string, string>;
  let mine = 0;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await panel.call("POST", `/api/v1${path}`, body, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const admin = await post("/admins", { username: "shop", password: "blue over green", role: "resale" });
    reseller = bearer((await post("/tokens", { desc: "shop", adminId: admin.id, role: "resale" })).token);
    looks = bearer((await post("/tokens", { desc: "looks", scopes: ["stats:read"] })).token);
    mine = (await post("/users", { name: "mine", volume: 1000 }, reseller)).id;
  });
  afterAll(() => panel.dispose());

  /** The status that an upgrade is refused with, or `open`. */
  const upgrade = async (path: string, headers: Record<string, string>): Promise<number | string> => {
    const socket = new WebSocket(`${panel.url.replace("http", "ws")}${path}`, { headers });
    const [, answer] = await Promise.race([
      once(socket, "open").then(() => []),
      once(socket, "unexpected-response") as Promise<unknown[]>,
    ]);
    socket.on("error", () => {});
    socket.terminate();
    return answer instanceof IncomingMessage ? (answer.statusCode ?? 0) : "open";
  };
  /** Sent as it is. */
  const sendRaw = async (path: string, text: string, headers: Record<string, string>) => {
    const type = { "content-type": "application/json" };
    return (
      await fetch(`${panel.url}/api/v1/actors/${path}`, {
        method: "POST",
        headers: { ...type, ...headers },
        body: text,
      })
    ).status;
  };

  // rule inspector.steer.2
  test("without the right to send it is 403, whatever the body, the query or the key", async () => {
    for (const text of ["", "{}", "[]", '{"type":', '{"type":5}', '{"type":"nonsense"}', '{"type":"due"}']) {
      for (const query of ["", "?dryRun=false", "?dryRun=perhaps"]) {
        expect(await sendRaw(`user/${mine}/events${query}`, text, looks), `${query} ${text}`).toBe(403);
        expect(
          await sendRaw(`user/${mine}/events${query}`, text, { ...looks, "idempotency-key": "k" }),
          `${query} ${text}`,
        ).toBe(403);
        expect(await sendRaw(`user/${mine}/events${query}`, text, reseller), `${query} ${text}`).toBe(403);
      }
    }
    expect(await sendRaw("user/999999/events", "{", looks)).toBe(403);
    expect(await sendRaw(`user/${mine}/events`, "{", bearer("none"))).toBe(401);
    // A caller who may read the actor may make a dry run, and gets an error for a wrong body.
    expect(await sendRaw(`user/${mine}/events?dryRun=true`, '{"type":"due"}', looks)).toBe(200);
    expect(await sendRaw(`user/${mine}/events?dryRun=true`, "{}", looks)).toBe(400);
    expect(await sendRaw(`user/${mine}/resume`, "{", looks)).toBe(403);
  });

  // rule inspector.read.1
  test("a reseller reaches no actor at all: its tier has no scope for that", async () => {
    const role = await panel.call("POST", "/api/v1/roles", {
      name: "looks",
      base: "resale",
      scopes: ["users:write", "stats:read"],
    });
    expect([role.status, role.body.field]).toEqual([400, "scopes"]);
    const paths = [
      "/actors",
      `/actors/user/${mine}`,
      `/actors/user/${mine}/journal`,
      `/actors/user/${mine}/preview?type=due`,
      "/machines",
    ];
    for (const prefix of ["/api", "/api/v1"]) {
      for (const path of [...paths, "/panel/info", "/actors/train/1", "/actors?limit=none"])
        expect((await panel.call("GET", prefix + path, undefined, reseller)).status, path).toBe(403);
      expect(await upgrade(`${prefix}/actors/stream`, reseller)).toBe(403);
    }
  });

  // rule inspector.stream.5
  test("the stream is refused before it is opened: no credential, another site, parameters that name nothing", async () => {
    const session = { cookie: panel.cookie };
    expect(await upgrade("/api/v1/actors/stream", {})).toBe(401);
    expect(await upgrade("/api/v1/actors/stream", { ...session, origin: "https://elsewhere.example" })).toBe(403);
    expect(await upgrade("/api/v1/actors/stream", { ...session, origin: panel.url })).toBe("open");
    // Origins are for browsers; a program with a token has none, or any.
    expect(await upgrade("/api/v1/actors/stream", { ...looks, origin: "https://elsewhere.example" })).toBe("open");
    for (const query of ["?kind=train", "?id=1", "?kind=user&id=me", "?kind=user&id=-1", "?kind=user&id="])
      expect(await upgrade(`/api/v1/actors/stream${query}`, looks), query).toBe(400);
  });

  // rule inspector.stream.5
  test("a session and a token that end close their streams with 4401", async () => {
    const login = await panel.call("POST", "/api/v1/login", { username: "root", password: "correct horse" });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const [byCookie, byToken] = [
      await openStream(panel, { cookie, origin: panel.url }),
      await openStream(panel, looks),
    ];
    const closed = Promise.all([byCookie, byToken].map(async ({ socket }) => Number((await once(socket, "close"))[0])));
    await panel.call("POST", "/api/v1/logout", {}, { cookie });
    const tokens = (await panel.call("GET", "/api/v1/tokens")).body.items as { id: number; desc: string }[];
    const looking = tokens.find(({ desc }) => desc === "looks");
    expect((await panel.call("DELETE", `/api/v1/tokens/${looking?.id ?? 0}`)).status).toBe(200);
    expect(await closed).toEqual([4401, 4401]);
  });
});
