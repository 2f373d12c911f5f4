// Roles: what they must be, what renaming, editing and deleting them does to their holders.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../src/http/index.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel, type Answer } from "./panel.ts";

describe.each(dialects)("roles on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const make = (body: object, as = root) => panel.send("POST", "/api/v1/roles", { as, body });
  const edit = (id: unknown, body: object, as = root) => panel.send("PUT", `/api/v1/roles/${String(id)}`, { as, body });
  const remove = (id: unknown, as = root) => panel.send("DELETE", `/api/v1/roles/${String(id)}`, { as });
  const operator = async (username: string, role: string) => {
    const made = await panel.send("POST", "/api/v1/admins", { as: root, body: { username, password: PASSWORD, role } });
    expect(made.status, made.text).toBe(200);
    return Number(made.body["id"]);
  };
  const me = async (as: string) => panel.send("GET", "/api/v1/me", { as });
  const brief = ({ status, body }: Answer) => [status, body["field"] ?? body["code"]];

  // rule admins.role.1
  test("the three built-in ones are there, cannot be edited or deleted, and keep their names in any spelling", async () => {
    const { items } = (await panel.send("GET", "/api/v1/roles", { as: root })).body as unknown as {
      items: { id: number; name: string; builtin: boolean; scopes: string[]; admins: number }[];
    };
    expect(items.filter((role) => role.builtin).map((role) => role.name)).toEqual(["sudo", "admin", "resale"]);
    const [sudo, admin, resale] = items;
    expect(sudo?.scopes.toSorted()).toEqual([...SCOPES].toSorted());
    expect(sudo?.admins).toBe(1);
    const withheld = SCOPES.filter((scope) => !admin?.scopes.includes(scope));
    expect(withheld).toEqual([
      "admins:write",
      "tokens:write",
      "license:write",
      "backup:read",
      "backup:write",
      "backup:deliver",
    ]);
    expect(resale?.scopes).toEqual(["users:read", "users:write"]);
    for (const role of items) {
      expect(brief(await edit(role.id, { name: "mine", base: "admin", scopes: ["users:read"] }))).toEqual([
        400,
        "bad_request",
      ]);
      expect(brief(await remove(role.id))).toEqual([400, "bad_request"]);
    }
    for (const name of ["sudo", "ADMIN", "Resale"])
      expect((await make({ name, base: "admin", scopes: ["users:read"] })).body).toMatchObject({
        code: "duplicate",
        field: "name",
      });
  });

  // rule admins.role.2
  test("a role has a name, a base and at least one known scope of its tier", async () => {
    const good = { name: "good", base: "admin", scopes: ["users:read"] };
    const refused: [object, string][] = [
      [{ name: "" }, "name"],
      [{ name: " sudo" }, "name"],
      [{ name: "two\nlines" }, "name"],
      [{ name: "x".repeat(65) }, "name"],
      [{ base: "root" }, "base"],
      [{ scopes: [] }, "scopes"],
      [{ scopes: ["users:fly"] }, "scopes"],
      [{ scopes: undefined }, "scopes"],
      [{ base: "resale", scopes: ["nodes:read"] }, "scopes"],
      [{ base: "admin", scopes: ["admins:write"] }, "scopes"],
      [{ userLimit: -1 }, "userLimit"],
      [{ maxDeviceLimit: 1.5 }, "maxDeviceLimit"],
      [{ maxDuration: "30" }, "maxDuration"],
    ];
    for (const [fault, field] of refused)
      expect(brief(await make({ ...good, ...fault })), JSON.stringify(fault)).toEqual([400, field]);
    expect((await panel.send("GET", "/api/v1/roles?q=good", { as: root })).body["total"]).toBe(0);
  });

  // rule admins.role.2
  test("a created role answers whole, with its caps; a second one of its name is a duplicate", async () => {
    const caps = { userLimit: 3, maxDeviceLimit: 2, maxDuration: 86_400 };
    const fields = { name: "seller", base: "resale", description: "sells", scopes: ["users:write"], ...caps };
    const made = await make({ ...fields, scopes: ["users:write", "users:write"] });
    expect(made.body).toEqual({
      id: expect.any(Number),
      builtin: false,
      admins: 0,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      ...fields,
    });
    expect((await make(fields)).body).toMatchObject({ code: "duplicate", field: "name" });
    const other = await make({ ...fields, name: "other seller" });
    expect((await edit(other.body["id"], fields)).body).toMatchObject({ code: "duplicate", field: "name" });
  });

  // rule admins.role.3
  test("a rename carries the holders along, and every session on the role ends; others stay", async () => {
    const role = await make({ name: "viewer", base: "admin", scopes: ["nodes:read"] });
    await operator("vera", "viewer");
    await operator("victor", "viewer");
    const bystander = await operator("walt", "admin");
    const sessions = [await signIn(panel, "vera"), await signIn(panel, "victor")];
    const outside = await signIn(panel, "walt");
    const renamed = await edit(role.body["id"], { name: "watcher", base: "admin", scopes: ["nodes:read"] });
    expect(renamed.body).toMatchObject({ name: "watcher", admins: 2 });
    for (const session of sessions) expect((await me(session)).status).toBe(401);
    expect((await me(outside)).body).toMatchObject({ id: bystander });
    expect((await me(await signIn(panel, "vera"))).body).toMatchObject({
      role: "watcher",
      base: "admin",
      scopes: ["nodes:read"],
    });
    expect((await panel.send("GET", "/api/v1/admins?q=victor", { as: root })).body["items"]).toMatchObject([
      { role: "watcher" },
    ]);
  });

  // rule admins.role.4
  test("a change of scopes holds for a token at once, and ends the sessions", async () => {
    const role = await make({ name: "setter", base: "admin", scopes: ["settings:read", "nodes:read"] });
    const adminId = await operator("sam", "setter");
    const { token } = (await panel.send("POST", "/api/v1/tokens", { as: root, body: { adminId } })).body as {
      token: string;
    };
    const reads = async (as: string) => (await panel.send("GET", "/api/v1/settings", { as })).status;
    const session = await signIn(panel, "sam");
    expect([await reads(token), await reads(session)]).toEqual([200, 200]);
    await edit(role.body["id"], { name: "setter", base: "admin", scopes: ["nodes:read"] });
    expect([await reads(token), await reads(session)]).toEqual([403, 401]);
  });

  // rule admins.role.5
  test("a held role is not deleted: the refusal names its holders; nor is one that a token has", async () => {
    const role = await make({ name: "held", base: "admin", scopes: ["users:read"] });
    const id = await operator("hanna", "held");
    await operator("hugo", "held");
    const held = await remove(role.body["id"]);
    expect([held.status, held.body["error"]]).toEqual([400, "the role is held by hanna, hugo"]);
    for (const name of ["hanna", "hugo"]) {
      const [found] = (await panel.send("GET", `/api/admins?q=${name}`, { as: root })).body as unknown as {
        id: number;
      }[];
      await panel.send("PUT", `/api/admins/${found?.id}`, { as: root, body: { username: name, role: "admin" } });
    }
    const token = await panel.send("POST", "/api/tokens", { as: root, body: { adminId: id, role: "held" } });
    expect(token.status, token.text).toBe(200);
    expect((await remove(role.body["id"])).status).toBe(400);
    await panel.send("DELETE", `/api/tokens/${String(token.body["id"])}`, { as: root });
    expect((await remove(role.body["id"])).body).toEqual({ ok: true });
    expect((await remove(role.body["id"])).status).toBe(404);
    expect((await edit(role.body["id"], { name: "held", base: "admin", scopes: ["users:read"] })).status).toBe(404);
  });

  // rule admins.owner.2
  test("the owner stays a main admin: its role keeps the tier", async () => {
    const role = await make({ name: "chief", base: "sudo", scopes: [...SCOPES] });
    const owner = Number((await me(root)).body["id"]);
    const set = (name: string) =>
      panel.send("PUT", `/api/admins/${owner}`, { as: root, body: { username: "root", role: name } });
    expect((await set("chief")).status).toBe(200);
    root = await signIn(panel, "root");
    expect(brief(await edit(role.body["id"], { name: "chief", base: "admin", scopes: ["users:read"] }))).toEqual([
      400,
      "base",
    ]);
    expect((await me(root)).body).toMatchObject({ base: "sudo", owner: true });
    expect((await set("sudo")).status).toBe(200);
    root = await signIn(panel, "root");
    expect((await edit(role.body["id"], { name: "chief", base: "admin", scopes: ["users:read"] })).status).toBe(200);
  });

  // rule admins.role.6
  test("nobody grants what it lacks: not in a new role, not by editing or deleting a wider one; lower tiers reach no role", async () => {
    await make({ name: "limited", base: "sudo", scopes: ["admins:write", "users:write"] });
    await operator("liam", "limited");
    const liam = await signIn(panel, "liam");
    expect((await make({ name: "l1", base: "resale", scopes: ["users:read"] }, liam)).status).toBe(200);
    expect((await make({ name: "l2", base: "sudo", scopes: ["users:read", "nodes:read"] }, liam)).status).toBe(403);
    const wide = await make({ name: "wide", base: "admin", scopes: ["nodes:read"] });
    expect((await edit(wide.body["id"], { name: "wide", base: "admin", scopes: ["users:read"] }, liam)).status).toBe(
      403,
    );
    expect((await remove(wide.body["id"], liam)).status).toBe(403);
    await operator("adam", "admin");
    const adam = await signIn(panel, "adam");
    for (const answer of [
      await panel.send("GET", "/api/roles", { as: adam }),
      await make({ name: "above", base: "sudo", scopes: ["users:read"] }, adam),
      await edit(wide.body["id"], { name: "wide", base: "admin", scopes: ["users:read"] }, adam),
      await remove(wide.body["id"], adam),
    ])
      expect(answer.status).toBe(403);
  });
});
