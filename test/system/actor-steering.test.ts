// Steering actors by hand: dry runs, events, the end of a quarantine; who may, and which refusal comes first. On the
// whole panel and both databases.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql, type Query } from "../../src/db/index.ts";
import { fa } from "../../src/web/words/fa.ts";
import { translateActors } from "../../src/web/words/translate.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("steering actors on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  let names = 0;
  const user = async (more: object = {}): Promise<number> =>
    (await panel.call("POST", "/api/v1/users", { name: `user ${++names}`, ...more })).body.id;
  const node = async (more: object = {}): Promise<number> =>
    (
      await panel.call("POST", "/api/v1/nodes", {
        name: `node ${++names}`,
        address: "192.0.2.1",
        port: 9000 + names,
        enabled: false,
        ...more,
      })
    ).body.id;
  const send = (actor: string, body: unknown, query = "", headers: Record<string, string> = {}) =>
    panel.call("POST", `/api/v1/actors/${actor}/events${query}`, body, headers);
  const dry = (actor: string, type: string) => send(actor, { type }, "?dryRun=true");
  const changes = async () => (await panel.call("GET", "/api/v1/changes?limit=1")).body.total;
  const write = async (query: Query) => {
    const beside = await connectTestDatabase(panel.databaseUrl, entities);
    await beside.commits.execute({ name: "beside", statements: [beside.reads.statement("beside", query)] });
    await beside.close();
    // On SQLite the panel takes itself for the only writer.
    if (dialect === "sqlite") await panel.restart();
  };
  /** As a broken chart would leave the row. */
  const quarantine = (id: number) =>
    write(
      sql`update users set fault_count = 3, fault_at = 1700000000000, fault_message = 'the chart threw' where id = ${id}`,
    );

  // rule inspector.steer.1
  test("a dry run says where it leads and what it would do, and changes nothing", async () => {
    const id = await node();
    const before = await changes();
    expect((await dry(`node/${id}`, "switchOn")).body).toMatchObject({
      from: "disabled.manual",
      taken: true,
      refused: "",
      cause: null,
    });
    expect((await dry(`node/${id}`, "switchOff")).body).toMatchObject({ to: "disabled.manual", taken: true });
    const one = await user();
    const off = (await dry(`user/${one}`, "switchOff")).body;
    expect(off).toMatchObject({ from: "enabled.started", to: "disabled.manual", taken: true, refused: "" });
    expect((await panel.call("GET", `/api/v1/actors/user/${one}`)).body).toMatchObject({
      state: "enabled.started",
      rev: 1,
    });
    expect(await changes()).toBe(before + 1);
  });

  // rule inspector.steer.1, inspector.steer.6
  test("a dry run that leads nowhere says why", async () => {
    const id = await node();
    expect((await dry(`node/${id}`, "link.synced")).body).toEqual({
      from: "disabled.manual",
      to: "disabled.manual",
      actions: [],
      taken: false,
      refused: "the state disabled.manual does not take link.synced",
      cause: { code: "event_not_taken", values: ["link.synced", "disabled.manual"] },
    });
    const one = await user();
    await quarantine(one);
    expect((await dry(`user/${one}`, "switchOff")).body).toMatchObject({
      taken: false,
      refused: "the actor is in quarantine: the chart threw",
      cause: { code: "quarantined", values: ["the chart threw"] },
    });
    const spent = await node({ limitBytes: 10 });
    await write(sql`update node_usage set period_used = 20 where id = ${spent}`);
    await panel.call("POST", `/api/v1/nodes/${spent}/enabled`, { enabled: true });
    expect((await panel.call("GET", `/api/v1/actors/node/${spent}`)).body.state).toBe("disabled.limit");
    const { body } = await dry(`node/${spent}`, "edited");
    expect(body).toMatchObject({ taken: false, cause: { code: "guarded" } });
    const { problem } = translateActors(fa);
    // Each condition by its name for programs, in the reader's language on the page.
    expect(body.refused).toBe(`not now: ${body.cause.values.join(", ")}`);
    expect(problem("node", body.cause, body.refused)).not.toMatch(/[A-Za-z]/);
  });

  test("a dry run takes deadlines too: what happens when the time is up", async () => {
    const id = await node();
    await panel.call("POST", `/api/v1/nodes/${id}/enabled`, { enabled: true });
    // Its state passes by itself: both answers must be of one moment.
    const look = async () => {
      const { state, timers } = (await panel.call("GET", `/api/v1/actors/node/${id}`)).body;
      const event = timers[0]?.event ?? "none";
      const { from, taken } = (await dry(`node/${id}`, event)).body;
      return { event, same: from === state, taken };
    };
    const found = { event: expect.stringMatching(/^xstate\.after\./), same: true, taken: true };
    await expect.poll(look, { timeout: 20_000 }).toEqual(found);
    // Sent by hand it is no event at all.
    expect((await send(`node/${id}`, { type: "xstate.after.backoff.node.error.waiting" })).body).toMatchObject({
      code: "validation",
      field: "type",
    });
    await panel.call("POST", `/api/v1/nodes/${id}/enabled`, { enabled: false });
  });

  // rule inspector.steer.3
  test("refusals in their order: 403, 404, 400, 409", async () => {
    const id = await user();
    const narrow = (await panel.call("POST", "/api/v1/tokens", { desc: "looks", scopes: ["stats:read"] })).body.token;
    const none = (await panel.call("POST", "/api/v1/tokens", { desc: "users", scopes: ["users:read"] })).body.token;
    const by = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await send(`user/${id}`, { type: "due" }, "", by("none"))).status).toBe(401);
    expect((await send(`user/${id}`, { type: "due" }, "?dryRun=true", by(none))).status).toBe(403);
    expect((await send(`user/${id}`, { type: "due" }, "", by(narrow))).status).toBe(403);
    for (const actor of ["user/999999", "train/1", "user/abc", "user/1.5", "user/-1"]) {
      expect((await send(actor, { type: "nonsense" })).status, actor).toBe(404);
      expect((await send(actor, { type: "nonsense" }, "?dryRun=true")).status, actor).toBe(404);
      expect((await panel.call("GET", `/api/v1/actors/${actor}`)).status, actor).toBe(404);
      expect((await panel.call("GET", `/api/v1/actors/${actor}/journal`)).status, actor).toBe(404);
      expect((await panel.call("POST", `/api/v1/actors/${actor}/resume`)).status, actor).toBe(404);
    }
    for (const body of [{}, { type: "" }, { type: 1 }, [], { type: "nonsense" }])
      expect((await send(`user/${id}`, body)).status).toBe(400);
    expect((await send(`user/${id}`, { type: "due" }, "?dryRun=maybe")).status).toBe(400);
    expect((await send(`user/${id}`, { type: "switchOff" })).body).toMatchObject({
      code: "event_not_safe",
      field: "type",
    });
  });

  // rule inspector.steer.4
  test("a quarantine: shown, refused to everybody, lifted by a main admin, on record", async () => {
    const id = await user();
    expect((await panel.call("POST", `/api/v1/actors/user/${id}/resume`)).status).toBe(409);
    await quarantine(id);
    const shown = (await panel.call("GET", `/api/v1/actors/user/${id}`)).body;
    expect(shown.fault).toEqual({ at: 1_700_000_000, count: 3, message: "the chart threw", cause: null });
    expect((await send(`user/${id}`, { type: "due" })).status).toBe(409);
    const narrow = (await panel.call("POST", "/api/v1/tokens", { desc: "looks", scopes: ["stats:read"] })).body.token;
    const denied = await panel.call("POST", `/api/v1/actors/user/${id}/resume`, undefined, {
      authorization: `Bearer ${narrow}`,
    });
    expect(denied.status).toBe(403);
    const lifted = await panel.call("POST", `/api/v1/actors/user/${id}/resume`);
    expect([lifted.status, lifted.body]).toMatchObject([200, { id: String(id), fault: false }]);
    expect((await panel.call("GET", `/api/v1/actors/user/${id}`)).body.fault).toBeNull();
    expect((await panel.call("GET", "/api/v1/changes?key=actors")).body.items[0]).toMatchObject({
      entityId: `user:${id}`,
      action: "resume",
      obj: { fault: "the chart threw" },
    });
    expect((await panel.call("POST", `/api/v1/actors/user/${id}/resume`)).status).toBe(409);
  });

  // rule inspector.steer.2
  test("a session with two-factor must have confirmed it lately; a dry run need not", async () => {
    const id = await user({ expiry: Math.floor(Date.now() / 1000) + 1000 });
    const session = { cookie: panel.cookie };
    const { secret } = (await panel.call("POST", "/api/v1/me/2fa/totp", undefined, session)).body;
    await panel.call("POST", "/api/v1/me/2fa/totp/confirm", { code: generateSync({ secret }) }, session);
    expect((await send(`user/${id}`, { type: "due" }, "?dryRun=true", session)).status).toBe(200);
    expect((await send(`user/${id}`, { type: "due" }, "", session)).status).toBe(428);
    expect((await send("user/999999", { type: "due" }, "", session)).status).toBe(404);
    expect((await panel.call("POST", `/api/v1/actors/user/${id}/resume`, undefined, session)).status).toBe(428);
  });

  // rule inspector.read.5
  test("the journal tells what the command changed, and outlives its actor", async () => {
    const id = await user({ volume: 1000 });
    await panel.call("PATCH", `/api/v1/users/${id}`, { volume: 3000 });
    await panel.call("PATCH", `/api/v1/users/${id}`, { enable: false });
    const journal = async () => (await panel.call("GET", `/api/v1/actors/user/${id}/journal`)).body;
    const [off, edited, created] = (await journal()).items;
    expect(edited.changed).toMatchObject({ volume: [1000, 3000] });
    expect(off.changed).toMatchObject({ enable: [true, false] });
    expect(off.changed).not.toHaveProperty("volume");
    expect(created).toMatchObject({ seq: 1, from: null, changed: {} });
    expect(Math.floor(off.atMs / 1000)).toBe(off.at);
    await panel.call("DELETE", `/api/v1/users/${id}`);
    expect((await journal()).items[0]).toMatchObject({ seq: 4, to: "deleted", from: "disabled.manual" });
    expect((await panel.call("GET", `/api/v1/actors/user/${id}`)).status).toBe(404);
  });
});
