// POST /api/restart: for a main admin's session alone; sessions and tokens survive it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("restart on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rule process.restart.1
  test("is closed to tokens", async () => {
    expect((await panel.call("POST", "/api/v1/restart")).status).toBe(403);
  });

  // rules access.session.12, process.restart.1
  test("answers first, then the panel starts again with its sessions", async () => {
    const headers = { cookie: panel.cookie };
    expect(await panel.call("POST", "/api/v1/restart", undefined, headers)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    await panel.restartWanted;
    await panel.restart();
    expect((await panel.call("GET", "/api/v1/me", undefined, headers)).body).toMatchObject({
      username: "root",
      auth: "session",
    });
    expect((await panel.call("GET", "/api/v1/me")).body).toMatchObject({ auth: "token" });
    const { body } = await panel.call("GET", "/api/v1/changes?key=panel");
    expect(body.items).toMatchObject([{ action: "restart", via: "session" }]);
  });
});
