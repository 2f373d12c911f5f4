// What a limited main admin may do to other operators: never take over, end or make an account that reaches more than
// itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("a limited main admin on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let liam: string;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    const scopes = ["admins:write", "tokens:write", "users:write"];
    await panel.send("POST", "/api/roles", { as: root, body: { name: "limited", base: "sudo", scopes } });
    await panel.send("POST", "/api/roles", {
      as: root,
      body: { name: "clerk", base: "admin", scopes: ["users:write"] },
    });
    for (const [username, role] of [
      ["liam", "limited"],
      ["luke", "limited"],
      ["sue", "sudo"],
      ["adam", "admin"],
      ["carl", "clerk"],
      ["rita", "resale"],
    ] as const) {
      const made = await panel.send("POST", "/api/admins", { as: root, body: { username, password: PASSWORD, role } });
      ids[username] = Number(made.body["id"]);
    }
    ids["root"] = Number((await panel.send("GET", "/api/me", { as: root })).body["id"]);
    liam = await signIn(panel, "liam");
  });
  afterAll(() => panel.dispose());

  const put = async (name: string, role: string, more: object = {}) =>
    (await panel.send("PUT", `/api/admins/${ids[name]}`, { as: liam, body: { username: name, role, ...more } })).status;

  // rule admins.account.5
  test("edits lower tiers freely, its own tier and above only where it covers the role", async () => {
    expect(await put("adam", "admin", { expiry: 0 })).toBe(200);
    expect(await put("rita", "resale", { volume: 5 })).toBe(200);
    expect(await put("luke", "limited")).toBe(200);
    expect(await put("sue", "sudo")).toBe(403);
    expect(await put("root", "sudo")).toBe(403);
  });

  // rule admins.account.5
  test("moves an account between roles only where it covers the old one and the new one", async () => {
    expect(await put("adam", "clerk")).toBe(403);
    expect(await put("carl", "admin")).toBe(403);
    expect(await put("carl", "resale")).toBe(200);
    expect(await put("carl", "clerk")).toBe(200);
    expect(await put("luke", "sudo")).toBe(403);
  });

  // rule admins.account.5
  test.each([
    ["PUT", "/password", { password: "another password" }],
    ["DELETE", "/sessions", undefined],
    ["DELETE", "", undefined],
  ] as const)("%s /admins/{id}%s needs every scope of the account, whatever its tier", async (method, path, body) => {
    const sessions = { sue: await signIn(panel, "sue"), adam: await signIn(panel, "adam") };
    for (const [name, session] of Object.entries(sessions)) {
      const refused = await panel.send(method, `/api/admins/${ids[name]}${path}`, { as: liam, ...(body && { body }) });
      expect([refused.status, refused.body["code"]], name).toEqual([403, "forbidden"]);
      expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(200);
    }
    const carl = await panel.send(method, `/api/admins/${ids["carl"]}${path}`, { as: liam, ...(body && { body }) });
    expect([carl.status, carl.body]).toEqual([200, { ok: true }]);
  });

  // rule admins.account.5
  test("creates accounts on roles that it covers", async () => {
    const create = (username: string, role: string) =>
      panel.send("POST", "/api/admins", { as: liam, body: { username, password: PASSWORD, role } });
    const [admin, sudo] = [await create("new1", "admin"), await create("new2", "sudo")];
    expect([admin.status, admin.body["field"], sudo.status]).toEqual([403, "role", 403]);
    expect((await create("new3", "resale")).status).toBe(200);
    expect((await create("new4", "limited")).status).toBe(200);
  });

  // rule admins.token.4
  test("tokens: its own with named scopes that it holds; another account's only where it covers that one's whole role", async () => {
    const create = async (body: object) => (await panel.send("POST", "/api/tokens", { as: liam, body })).status;
    expect(await create({ scopes: ["users:write"] })).toBe(200);
    expect(await create({})).toBe(200);
    expect(await create({ scopes: ["nodes:read"] })).toBe(403);
    expect(await create({ adminId: ids["rita"], scopes: ["users:read"] })).toBe(200);
    expect(await create({ adminId: ids["luke"], scopes: ["users:read"] })).toBe(200);
    expect(await create({ adminId: ids["adam"], scopes: ["users:read"] })).toBe(403);
    expect(await create({ adminId: ids["root"], scopes: ["users:read"] })).toBe(403);
  });

  // rule admins.token.4
  test("a token with fewer scopes than its account is held to its own", async () => {
    const { token } = (
      await panel.send("POST", "/api/tokens", { as: root, body: { scopes: ["tokens:write", "users:read"] } })
    ).body as {
      token: string;
    };
    const create = async (body: object) => (await panel.send("POST", "/api/tokens", { as: token, body })).status;
    expect(await create({ scopes: ["users:read"] })).toBe(200);
    expect(await create({ scopes: ["users:write"] })).toBe(403);
    expect(await create({})).toBe(403);
    expect(await create({ adminId: ids["rita"], scopes: ["users:read"] })).toBe(403);
  });

  // rule admins.token.5
  test("a token is ended only by who covers its account's role; an own one by who covers what it reaches", async () => {
    const make = async (body: object) =>
      (await panel.send("POST", "/api/tokens", { as: root, body })).body as {
        readonly id: number;
        readonly token: string;
      };
    const end = async (id: number, as: string) => (await panel.send("DELETE", `/api/tokens/${id}`, { as })).status;
    const narrow = await make({ scopes: ["tokens:write", "users:read"] });
    const [whole, wider, owners] = [
      await make({}),
      await make({ scopes: ["users:write"] }),
      await make({ scopes: ["users:read"] }),
    ];
    const [adams, lukes] = [
      await make({ adminId: ids["adam"], scopes: ["users:read"] }),
      await make({ adminId: ids["luke"] }),
    ];
    for (const { id } of [whole, wider, adams, lukes]) expect(await end(id, narrow.token)).toBe(403);
    for (const { id } of [whole, wider, owners, adams]) expect(await end(id, liam)).toBe(403);
    for (const { token } of [whole, wider, owners, adams, lukes])
      expect((await panel.send("GET", "/api/me", { as: token })).status).toBe(200);
    expect([await end(owners.id, narrow.token), await end(lukes.id, liam), await end(narrow.id, narrow.token)]).toEqual(
      [200, 200, 200],
    );
    for (const { id } of [whole, wider, adams]) expect(await end(id, root)).toBe(200);
  });

  // rule admins.account.7
  test("no token sets the password of its own account, whatever it reaches; a session does", async () => {
    const { token } = (await panel.send("POST", "/api/tokens", { as: root, body: {} })).body as { token: string };
    const body = { password: "taken over by now" };
    const refused = await panel.send("PUT", `/api/admins/${ids["root"]}/password`, { as: token, body });
    expect([refused.status, refused.body["code"]]).toEqual([403, "own_password"]);
    expect(
      (
        await panel.send("PUT", "/api/me/password", {
          as: token,
          body: { currentPassword: PASSWORD, newPassword: "new one" },
        })
      ).status,
    ).toBe(403);
    expect(await signIn(panel, "root")).toBeTruthy();
    expect(
      (await panel.send("PUT", `/api/admins/${ids["luke"]}/password`, { as: token, body: { password: PASSWORD } }))
        .status,
    ).toBe(200);
    expect(
      (await panel.send("PUT", `/api/admins/${ids["root"]}/password`, { as: root, body: { password: PASSWORD } }))
        .status,
    ).toBe(200);
  });
});
