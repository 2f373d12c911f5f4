// Operators and roles and the audit log of their changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("admins on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const create = (body: Record<string, unknown>) =>
    panel.send("POST", "/api/v1/admins", { as: root, body: { password: PASSWORD, ...body } });
  const update = (id: unknown, body: Record<string, unknown>) =>
    panel.send("PUT", `/api/v1/admins/${String(id)}`, { as: root, body });

  // rule admins.account.1
  test("without a role an account gets the operators', never everything", async () => {
    expect((await create({ username: "plain" })).body).toMatchObject({ role: "admin", base: "admin" });
  });

  // rule admins.account.2
  test("usernames are unique without regard to case", async () => {
    expect((await create({ username: "Anna", role: "admin" })).status).toBe(200);
    const again = await create({ username: "aNNa", role: "admin" });
    expect([again.status, again.body]).toMatchObject([400, { code: "duplicate", field: "username" }]);
  });

  // rule admins.account.3
  test("PUT keeps absent fields; a changed period begins anew; a day outside it names itself", async () => {
    const made = await create({
      username: "seller",
      role: "resale",
      volume: 1000,
      period: "monthly",
      periodDay: 31,
      planIds: [4],
    });
    expect(made.body).toMatchObject({ base: "resale", volume: 1000, period: "monthly", periodDay: 31, users: 0 });
    expect(Number(made.body["nextReset"])).toBeGreaterThan(panel.clock.now / 1000);
    const kept = await update(made.body["id"], { username: "seller", role: "resale", userLimit: 5 });
    expect(kept.body).toMatchObject({
      volume: 1000,
      periodDay: 31,
      userLimit: 5,
      planIds: [4],
      nextReset: made.body["nextReset"],
    });
    const day = await update(made.body["id"], { username: "seller", role: "resale", period: "weekly" });
    expect([day.status, day.body["field"]]).toEqual([400, "periodDay"]);
    const none = await update(made.body["id"], { username: "seller", role: "resale", period: "" });
    expect(none.body).toMatchObject({ period: "", nextReset: 0 });
    expect(Number(none.body["updatedAt"])).toBeGreaterThan(Number(kept.body["updatedAt"]));
  });

  test("a role change and a password reset end the account's sessions", async () => {
    const made = await create({ username: "ben", role: "admin" });
    const first = await signIn(panel, "ben");
    await update(made.body["id"], { username: "ben", role: "admin" });
    expect((await panel.send("GET", "/api/me", { as: first })).status).toBe(200);
    await update(made.body["id"], { username: "ben", role: "resale" });
    expect((await panel.send("GET", "/api/me", { as: first })).status).toBe(401);
    const second = await signIn(panel, "ben");
    expect(
      (
        await panel.send("PUT", `/api/admins/${String(made.body["id"])}/password`, {
          as: root,
          body: { password: PASSWORD },
        })
      ).status,
    ).toBe(200);
    expect((await panel.send("GET", "/api/me", { as: second })).status).toBe(401);
    const third = await signIn(panel, "ben");
    expect((await panel.send("DELETE", `/api/admins/${String(made.body["id"])}/sessions`, { as: root })).status).toBe(
      200,
    );
    expect((await panel.send("GET", "/api/me", { as: third })).status).toBe(401);
  });

  // rule admins.account.4
  test("neither the caller, nor the owner, nor the last main admin goes", async () => {
    const me = (await panel.send("GET", "/api/me", { as: root })).body["id"];
    expect((await panel.send("DELETE", `/api/admins/${String(me)}`, { as: root })).status).toBe(400);
    expect((await update(me, { username: "root", role: "admin" })).status).toBe(400);
    await create({ username: "carol", role: "sudo" });
    const carol = await signIn(panel, "carol");
    expect((await panel.send("DELETE", `/api/admins/${String(me)}`, { as: carol })).status).toBe(400);
    expect((await panel.send("DELETE", "/api/admins/424242", { as: root })).status).toBe(404);
  });

  // rule admins.owner.1
  test("the owner alone hands the panel over, to a main admin, and keeps its role", async () => {
    const heir = await create({ username: "heir", role: "sudo" });
    const lesser = await create({ username: "lesser", role: "admin" });
    const token = await panel.send("POST", "/api/tokens", { as: root, body: {} });
    const hand = (id: unknown, as: string) => panel.send("POST", `/api/admins/${String(id)}/owner`, { as });
    const session = await signIn(panel, "heir");
    expect((await hand(heir.body["id"], session)).status).toBe(403);
    expect((await hand(heir.body["id"], String(token.body["token"]))).status).toBe(403);
    expect((await hand(lesser.body["id"], root)).status).toBe(400);
    expect((await hand(424_242, root)).status).toBe(404);
    const done = await hand(heir.body["id"], root);
    expect([done.status, done.body]).toMatchObject([200, { username: "heir", owner: true }]);
    expect((await panel.events()).at(-1)).toMatchObject({
      event: "admin.owner_changed",
      data: { username: "heir", previous: "root" },
    });
    expect((await panel.send("GET", "/api/me", { as: root })).body).toMatchObject({ owner: false, role: "sudo" });
    const me = (await panel.send("GET", "/api/me", { as: root })).body["id"];
    expect((await hand(me, session)).status).toBe(200);
  });

  test("lower tiers do not reach operators, and unknown roles are refused", async () => {
    await create({ username: "dora", role: "admin" });
    const dora = await signIn(panel, "dora");
    expect((await panel.send("GET", "/api/admins", { as: dora })).status).toBe(403);
    const unknown = await create({ username: "eve", role: "emperor" });
    expect([unknown.status, unknown.body["field"]]).toEqual([400, "role"]);
  });

  // rule admins.account.2
  test.each([
    ["username", ""],
    ["username", "x".repeat(65)],
    ["username", "two words"],
    ["username", "sláva"],
    ["password", "short12"],
    ["password", "x".repeat(257)],
    ["password", "Same.Name"],
    ["role", "emperor"],
    ["role", "x".repeat(65)],
    ["role", 1],
  ])("%s cannot be %j", async (field, value) => {
    const refused = await create({ username: "same.name", role: "admin", [field]: value });
    expect([refused.status, refused.body["field"]]).toEqual([400, field]);
  });

  // rule admins.account.2
  test("names and passwords at their limits are taken", async () => {
    const username = `A-z_0.9@${"x".repeat(56)}`;
    const made = await create({ username, password: "p".repeat(256), role: "admin" });
    expect(made.body).toMatchObject({ username });
    const reset = (password: string) =>
      panel.send("PUT", `/api/admins/${String(made.body["id"])}/password`, { as: root, body: { password } });
    expect((await reset("12345678")).status).toBe(200);
    expect((await reset("1234567")).body).toMatchObject({ field: "password" });
    expect((await reset(username.toLowerCase())).body).toMatchObject({ field: "password" });
    expect(
      (await panel.send("PUT", "/api/admins/424242/password", { as: root, body: { password: PASSWORD } })).status,
    ).toBe(404);
  });

  // rule admins.account.6
  test("a deleted account is gone with its sessions and tokens, and its name is free", async () => {
    const made = await create({ username: "gone", role: "admin" });
    const session = await signIn(panel, "gone");
    const { token } = (await panel.send("POST", "/api/tokens", { as: root, body: { adminId: made.body["id"] } }))
      .body as { token: string };
    expect((await panel.send("GET", "/api/me", { as: token })).status).toBe(200);
    expect((await panel.send("DELETE", `/api/admins/${String(made.body["id"])}`, { as: root })).body).toEqual({
      ok: true,
    });
    for (const as of [session, token]) expect((await panel.send("GET", "/api/me", { as })).status).toBe(401);
    const again = await create({ username: "GONE", role: "admin" });
    expect(again.status).toBe(200);
    expect(again.body["id"]).not.toBe(made.body["id"]);
  });

  test("on the own account a reset of the password and of the sessions keep the session that asks", async () => {
    const id = (await panel.send("GET", "/api/me", { as: root })).body["id"];
    for (const [method, path, body] of [
      ["DELETE", "sessions", undefined],
      ["PUT", "password", { password: PASSWORD }],
    ] as const) {
      const other = await signIn(panel, "root");
      const answer = await panel.send(method, `/api/admins/${String(id)}/${path}`, { as: root, ...(body && { body }) });
      expect(answer.body).toEqual({ ok: true });
      expect((await panel.send("GET", "/api/me", { as: root })).status).toBe(200);
      expect((await panel.send("GET", "/api/me", { as: other })).status).toBe(401);
    }
  });

  // rule admins.audit.2
  test("each write has one audit record, with what changed and without secrets", async () => {
    const made = await create({ username: "fred", role: "admin" });
    await update(made.body["id"], { username: "freda", role: "admin" });
    const changes = await panel.send("GET", "/api/v1/changes?key=admins&limit=2", { as: root });
    expect(changes.body).toMatchObject({
      items: [
        {
          actor: "root",
          via: "session",
          action: "update",
          entityId: String(made.body["id"]),
          obj: { username: ["fred", "freda"] },
        },
        { action: "create", obj: { username: "fred", role: "admin" } },
      ],
    });
    expect(changes.text).not.toContain(PASSWORD);
    const facets = await panel.send("GET", "/api/changes/facetsj", { as: root });
    expect(facets.body).toMatchObject({
      actors: expect.arrayContaining(["root", "carol"]),
      keys: expect.arrayContaining(["admins", "sessions"]),
    });
    const purged = await panel.send("DELETE", `/api/changes?before=${Math.floor(panel.clock.now / 1000) - 3600}`, {
      as: root,
    });
    expect(purged.body).toEqual({ deleted: 0 });
    expect((await panel.send("GET", "/api/changes?key=changes", { as: root })).headers["x-total-count"]).toBe("1");
    await panel.send("PUT", "/api/settings/changes_logging", { as: root, body: { value: "false" } });
    await create({ username: "gina", role: "admin" });
    expect((await panel.send("GET", "/api/v1/changes?q=admins", { as: root })).headers["x-total-count"]).toBe(
      changes.headers["x-total-count"],
    );
  });
});
