// The panel as it is composed answers fetches of subscriptions before the framework sees them. Without the shortcut
// every answer would be the same, at many times the cost: nothing else would fail.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Shortcuts } from "../../src/http/shortcuts.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("the whole panel on %s", (dialect) => {
  let panel: WholePanel;
  /** What reached the framework. */
  const routed: string[] = [];

  beforeAll(async () => {
    const { before } = Shortcuts.prototype;
    vi.spyOn(Shortcuts.prototype, "before").mockImplementation(function (this: Shortcuts, routes) {
      return before.call(this, (request, response) => {
        routed.push(request.url ?? "");
        routes(request, response);
      });
    });
    panel = await WholePanel.open(dialect);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await panel.dispose();
  });

  // rule subscriptions.key.7
  test("answers fetches without the framework, and nothing else", async () => {
    const { body: user } = await panel.call("POST", "/api/v1/users", { name: "ali" });
    const page = { accept: "text/html" };
    const asked: readonly [path: string, status: number, headers?: Record<string, string>][] = [
      [`/sub/${user.subId}`, 200],
      [`/sub/${user.subToken}/clash?x=1`, 200],
      [`/sub/${user.subId}/nonsense`, 404],
      ["/sub/nobody", 404],
      [`/sub/${user.subId}/html`, 200],
      [`/sub/${user.subId}`, 200, page],
      ["/api/v1/me", 200],
    ];
    routed.length = 0;
    for (const [path, status, headers] of asked)
      expect([path, (await panel.call("GET", path, undefined, headers)).status]).toEqual([path, status]);
    expect(routed).toEqual([`/sub/${user.subId}/html`, `/sub/${user.subId}`, "/api/v1/me"]);
  });

  // rule subscriptions.key.7
  test("does so after a restart too", async () => {
    await panel.restart();
    routed.length = 0;
    expect((await panel.call("GET", "/sub/nobody/links")).status).toBe(404);
    expect((await panel.call("HEAD", "/sub/nobody")).status).toBe(404);
    expect(routed).toEqual([]);
  });
});
