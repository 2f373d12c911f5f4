// API tokens: what they reach, live.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("tokens on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const create = (body: Record<string, unknown>, as = root, headers: Record<string, string> = {}) =>
    panel.send("POST", "/api/v1/tokens", { as, body, headers });
  async function text(body: Record<string, unknown>, as = root): Promise<string> {
    const created = await create(body, as);
    expect(created.status).toBe(200);
    return String(created.body["token"]);
  }
  const status = async (as: string, url = "/api/v1/settings") => (await panel.send("GET", url, { as })).status;

  // rule admins.token.1
  test("the text is shown once; listings and the database never carry it", async () => {
    const created = await create({ desc: "billing", scopes: ["users:write"] });
    const token = String(created.body["token"]);
    expect(token).toMatch(/^sbx_[\w-]{43}$/);
    expect(created.body).toMatchObject({
      desc: "billing",
      role: "sudo",
      adminName: "root",
      rateLimit: 0,
      expired: false,
      lastUsedAt: 0,
    });
    const used = await panel.send("GET", "/api/v1/me", { as: token });
    expect(used.body).toMatchObject({
      auth: "token",
      username: "root",
      owner: false,
      scopes: ["users:read", "users:write"],
    });
    expect(used.headers).toMatchObject({ "x-ratelimit-limit": "120", "x-ratelimit-remaining": "119" });
    const list = await panel.send("GET", "/api/v1/tokens?q=BILL", { as: root });
    expect(list.text).not.toContain(token);
    expect(list.body).toMatchObject({ total: 1, items: [{ desc: "billing", lastUsedIp: "192.0.2.1" }] });
    const rows = await panel.database.reads.query(sql`select hash from api_tokens`);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  // rule admins.role.7
  test("scopes narrow the routes; :write implies :read; session-only routes stay closed", async () => {
    const settings = await text({ scopes: ["settings:write"] });
    expect(await status(settings)).toBe(200);
    expect(await status(settings, "/api/tokens")).toBe(403);
    expect(await status(settings, "/api/scopes")).toBe(200);
    expect((await panel.send("PUT", "/api/me/password", { as: settings, body: {} })).status).toBe(403);
    expect(await status(settings, "/api/me/sessions")).toBe(400);
    expect(await status(await text({ scopes: ["users:read"] }))).toBe(403);
  });

  // rule admins.token.3
  test("a demotion of its admin and a deletion hold from the next request on", async () => {
    const made = await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "second", password: PASSWORD, role: "sudo" },
    });
    const id = Number(made.body["id"]);
    const token = await text({ adminId: id });
    expect(await status(token, "/api/tokens")).toBe(200);
    await panel.send("PUT", `/api/admins/${id}`, { as: root, body: { username: "second", role: "admin" } });
    expect(await status(token, "/api/tokens")).toBe(403);
    expect(await status(token)).toBe(200);
    expect((await panel.send("GET", "/api/me", { as: token })).body).toMatchObject({ role: "admin", base: "admin" });
    await panel.send("PUT", `/api/admins/${id}`, { as: root, body: { username: "second", role: "resale" } });
    expect(await status(token)).toBe(403);
    expect((await panel.send("DELETE", `/api/admins/${id}`, { as: root })).status).toBe(200);
    expect(await status(token, "/api/me")).toBe(401);
  });

  // rule admins.role.4
  test("a custom role narrows its tier, and editing it holds at once", async () => {
    const role = await panel.send("POST", "/api/roles", {
      as: root,
      body: { name: "viewer", base: "admin", scopes: ["settings:read", "nodes:read"] },
    });
    expect(role.status).toBe(200);
    const made = await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "viewer1", password: PASSWORD, role: "viewer" },
    });
    const token = await text({ adminId: made.body["id"] });
    const session = await signIn(panel, "viewer1");
    expect([await status(token), await status(session)]).toEqual([200, 200]);
    const body = { name: "watcher", base: "admin", scopes: ["nodes:read"] };
    expect((await panel.send("PUT", `/api/roles/${String(role.body["id"])}`, { as: root, body })).status).toBe(200);
    expect([await status(token), await status(session)]).toEqual([403, 401]);
    expect((await panel.send("GET", "/api/me", { as: token })).body).toMatchObject({ role: "watcher" });
    const held = await panel.send("DELETE", `/api/roles/${String(role.body["id"])}`, { as: root });
    expect([held.status, held.body["error"]]).toEqual([400, "the role is held by viewer1"]);
  });

  // rule admins.token.4
  test("nobody gives away more than it holds", async () => {
    const limited = await text({ scopes: ["tokens:write", "users:read", "admins:write"] });
    expect((await create({ scopes: ["users:read"] }, limited)).status).toBe(200);
    expect((await create({ scopes: ["nodes:read"] }, limited)).status).toBe(403);
    expect((await create({}, limited)).status).toBe(403);
    const role = (scopes: string[]) =>
      panel.send("POST", "/api/roles", { as: limited, body: { name: `r${scopes.length}`, base: "sudo", scopes } });
    expect((await role(["users:read"])).status).toBe(200);
    expect((await role(["users:read", "nodes:write"])).status).toBe(403);
    const admin = (name: string) =>
      panel.send("POST", "/api/admins", { as: limited, body: { username: "third", password: PASSWORD, role: name } });
    expect((await admin("sudo")).status).toBe(403);
  });

  // rule admins.token.7
  test("what is refused names its field", async () => {
    const made = await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "seller2", password: PASSWORD, role: "resale" },
    });
    const field = async (body: Record<string, unknown>) => {
      const refused = await create(body);
      return [refused.status, refused.body["field"]];
    };
    expect(await field({ role: "sudo", adminId: made.body["id"] })).toEqual([400, "role"]);
    expect(await field({ scopes: ["users:fly"] })).toEqual([400, "scopes"]);
    expect(await field({ adminId: 999_999 })).toEqual([400, "adminId"]);
    expect(await field({ addon: "nothing-registered" })).toEqual([400, "addon"]);
    expect(await field({ rateLimit: 1.5 })).toEqual([400, "rateLimit"]);
  });

  // rule admins.token.6
  test("an expired token is none; a deleted one stops at once", async () => {
    const expiry = Math.floor(panel.clock.now / 1000) + 30;
    const brief = await create({ expiry });
    const token = String(brief.body["token"]);
    expect(await status(token, "/api/me")).toBe(200);
    panel.clock.now += 31_000;
    expect(await status(token, "/api/me")).toBe(401);
    const lasting = await create({});
    expect((await panel.send("DELETE", `/api/tokens/${String(lasting.body["id"])}`, { as: root })).status).toBe(200);
    expect(await status(String(lasting.body["token"]), "/api/me")).toBe(401);
  });

  // rule http.key.6
  test("a repeat under one Idempotency-Key gives the same token, which is stored sealed", async () => {
    const first = await create({ desc: "once" }, root, { "idempotency-key": "k1" });
    const again = await create({ desc: "once" }, root, { "idempotency-key": "k1" });
    expect([again.headers["idempotent-replay"], again.text]).toEqual(["true", first.text]);
    const [row] = await panel.database.reads.query<{ body: string }>(sql`select body from idempotency_records`);
    expect(row?.body).toMatch(/^s1\./);
  });
});
