// What API tokens are on creation, in lists and under their budget.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

describe.each(dialects)("rules of tokens on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    panel = await openAccessPanel(dialect, { ports: { isAddon: (slug) => slug === "chat-bot" } });
    root = await setUp(panel);
    ids["root"] = Number((await panel.send("GET", "/api/me", { as: root })).body["id"]);
    await panel.send("POST", "/api/roles", {
      as: root,
      body: { name: "clerk", base: "admin", scopes: ["settings:write"] },
    });
    for (const [username, role] of [
      ["adam", "admin"],
      ["carl", "clerk"],
      ["rita", "resale"],
    ] as const) {
      const made = await panel.send("POST", "/api/admins", { as: root, body: { username, password: PASSWORD, role } });
      ids[username] = Number(made.body["id"]);
    }
  });
  afterAll(() => panel.dispose());
  // A minute of its own for each test: budgets start again.
  beforeEach(() => {
    panel.clock.now = (Math.floor(panel.clock.now / 60_000) + 1) * 60_000;
  });

  const create = (body: object, as = root) => panel.send("POST", "/api/v1/tokens", { as, body });
  const made = async (body: object) => {
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { id: number; token: string; role: string };
  };
  const me = (as: string, url = "/api/v1/me") => panel.send("GET", url, { as });

  // rule admins.token.2
  test("a token without fields is its creator's: its role, all its scopes, the panel's budget, no end", async () => {
    const answer = await create({});
    expect(answer.body).toEqual({
      id: expect.any(Number),
      desc: "",
      role: "sudo",
      adminId: ids["root"],
      adminName: "root",
      scopes: [],
      addon: "",
      rateLimit: 0,
      expiry: 0,
      lastUsedAt: 0,
      lastUsedIp: "",
      createdAt: Math.floor(panel.clock.now / 1000),
      expired: false,
      token: expect.stringMatching(/^sbx_[\w-]{43}$/),
    });
  });

  // rule admins.token.2
  test("for another account its role is that account's, and it acts as that account", async () => {
    const token = await made({ adminId: ids["carl"] });
    expect(token.role).toBe("clerk");
    expect((await me(token.token)).body).toMatchObject({
      id: ids["carl"],
      username: "carl",
      role: "clerk",
      scopes: ["settings:read", "settings:write"],
    });
  });

  // rule admins.token.2
  test("a named role narrows; one above the account's is refused", async () => {
    const token = await made({ role: "clerk" });
    expect((await me(token.token)).body).toMatchObject({ id: ids["root"], role: "clerk", base: "admin", owner: false });
    for (const [body, field] of [
      [{ adminId: ids["adam"], role: "sudo" }, "role"],
      [{ adminId: ids["rita"], role: "admin" }, "role"],
      [{ role: "nobody" }, "role"],
    ] as const) {
      const refused = await create(body);
      expect([refused.status, refused.body["field"]]).toEqual([400, field]);
    }
  });

  // rule admins.token.3
  test("scopes are cut by the account's role: what it lacks the token does not reach, however it was named", async () => {
    const token = await made({ adminId: ids["carl"], scopes: ["settings:read", "nodes:write"] });
    expect((await me(token.token)).body["scopes"]).toEqual(["settings:read"]);
    expect(
      (await panel.send("PUT", "/api/v1/settings/sub_title", { as: token.token, body: { value: "x" } })).status,
    ).toBe(403);
  });

  test.each([
    ["desc", "x".repeat(257)],
    ["desc", 5],
    ["role", 1],
    ["adminId", -1],
    ["scopes", "users:read"],
    ["addon", "Chat Bot"],
    ["addon", "x".repeat(33)],
    ["addon", "unregistered"],
    ["rateLimit", -5],
    ["rateLimit", 2.5],
    ["expiry", "soon"],
  ])("%s cannot be %j", async (field, value) => {
    const refused = await create({ [field]: value });
    expect([refused.status, refused.body["field"]]).toEqual([400, field]);
  });

  // rule admins.token.7
  test("an addon's token says who manages it and is not deleted by hand", async () => {
    const { id } = await made({ addon: "chat-bot", desc: "held" });
    expect((await panel.send("GET", "/api/v1/tokens?q=held", { as: root })).body["items"]).toMatchObject([
      { id, addon: "chat-bot", managedBy: "chat-bot" },
    ]);
    const refused = await panel.send("DELETE", `/api/v1/tokens/${id}`, { as: root });
    expect([refused.status, refused.body["code"]]).toEqual([409, "held_by_addon"]);
    expect((await panel.send("DELETE", "/api/v1/tokens/999999", { as: root })).status).toBe(404);
  });

  // rule admins.token.8
  test("lists say when and from where a token was last used, and which has expired", async () => {
    const expiry = Math.floor(panel.clock.now / 1000) + 30;
    const { token } = await made({ desc: "used", expiry });
    await panel.send("GET", "/api/v1/me", { as: token, ip: "203.0.113.8" });
    const used = { lastUsedAt: Math.floor(panel.clock.now / 1000), lastUsedIp: "203.0.113.8", expiry };
    const listed = async () => (await panel.send("GET", "/api/tokens?q=used", { as: root })).body[0];
    expect(await listed()).toMatchObject({ ...used, expired: false });
    await panel.access.activity.flush();
    panel.clock.now += 30_000;
    expect(await listed()).toMatchObject({ ...used, expired: true });
    expect((await me(token)).status).toBe(401);
  });

  // rule http.limit.2
  test("the budget counts down on every answer, refusals included, and is whole again with the next minute", async () => {
    const { token } = await made({ rateLimit: 4, scopes: ["settings:read"] });
    const headers = ({ headers: h }: { headers: Record<string, unknown> }) => [
      h["x-ratelimit-limit"],
      h["x-ratelimit-remaining"],
      Number(h["x-ratelimit-reset"]) - panel.clock.now / 1000,
    ];
    expect(headers(await me(token))).toEqual(["4", "3", 60]);
    const forbidden = await me(token, "/api/v1/tokens");
    expect([forbidden.status, ...headers(forbidden)]).toEqual([403, "4", "2", 60]);
    const invalid = await me(token, "/api/v1/settings?limit=0");
    expect([invalid.status, ...headers(invalid)]).toEqual([400, "4", "1", 60]);
    expect((await me(token)).status).toBe(200);
    const over = await me(token);
    expect([over.status, over.headers["retry-after"], ...headers(over)]).toEqual([429, "60", "4", "0", 60]);
    expect((await panel.send("GET", "/api/v1/settings?limit=0", { as: token })).status).toBe(429);
    expect((await me(token, "/api/v1/tokens")).status).toBe(403);
    panel.clock.now += 60_000;
    expect(headers(await me(token))).toEqual(["4", "3", 60]);
  });

  // rule http.limit.1
  test("without a budget of its own a token has 120 a minute; a session has none", async () => {
    const { token } = await made({});
    for (let sent = 0; sent < 120; sent++) expect((await me(token)).status).toBe(200);
    expect((await me(token)).status).toBe(429);
    expect((await me(root)).headers["x-ratelimit-limit"]).toBeUndefined();
  });

  // rule admins.scope.4
  test("operators below the main admins neither see nor make tokens", async () => {
    for (const name of ["adam", "carl", "rita"]) {
      const { token } = await made({ adminId: ids[name] });
      expect((await me(token, "/api/v1/tokens")).status).toBe(403);
      expect((await create({}, token)).status).toBe(403);
      expect((await panel.send("DELETE", "/api/v1/tokens/1", { as: token })).status).toBe(403);
    }
  });

  // rule access.session.10
  test("login_allowlist does not touch tokens, wherever they come from", async () => {
    const { token } = await made({});
    await panel.send("PUT", "/api/v1/settings/login_allowlist", { as: root, body: { value: "192.0.2.1" } });
    expect((await panel.send("GET", "/api/v1/me", { as: token, ip: "203.0.113.5" })).status).toBe(200);
    expect((await panel.send("GET", "/api/v1/me", { as: root, ip: "203.0.113.5" })).status).toBe(403);
    await panel.send("PUT", "/api/v1/settings/login_allowlist", { as: root, body: { value: "" } });
  });
});
