// A reseller's credentials on the whole panel: its own users only, its own reach, its end.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("a reseller's token on %s", (dialect) => {
  let panel: WholePanel;
  let serial = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  async function ok(method: string, path: string, body?: unknown) {
    const answer = await panel.call(method, `/api/v1${path}`, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  }

  /** A reseller with a token; `as` sends with it. */
  async function reseller(fields: object = {}) {
    const username = `seller${++serial}`;
    const admin = await ok("POST", "/admins", { username, password: "correct horse", role: "resale", ...fields });
    const { token } = await ok("POST", "/tokens", { adminId: admin.id, rateLimit: 1_000_000 });
    const as = (method: string, path: string, body?: unknown) =>
      panel.call(method, `/api/v1${path}`, body, { authorization: `Bearer ${token}` });
    const edit = (more: object) => ok("PUT", `/admins/${admin.id}`, { username, role: "resale", ...more });
    return { id: Number(admin.id), as, edit };
  }

  // rules admins.reseller.5, users.owner.1
  test("sees and changes its own users; the others' are not there", async () => {
    const [one, two] = [await reseller(), await reseller()];
    const own = (await one.as("POST", "/users", { name: `u${++serial}`, adminId: two.id })).body;
    expect(own.adminId).toBe(one.id);
    const foreign = await ok("POST", "/users", { name: `u${++serial}`, adminId: two.id });
    const panels = await ok("POST", "/users", { name: `u${++serial}` });
    expect((await one.as("GET", "/users")).body.items.map((user: { id: number }) => user.id)).toEqual([own.id]);
    expect((await one.as("GET", `/users?admin_id=${two.id}`)).body.total).toBe(1);
    for (const { id } of [foreign, panels]) {
      expect((await one.as("GET", `/users/${id}`)).status).toBe(404);
      expect((await one.as("PATCH", `/users/${id}`, { desc: "mine" })).status).toBe(404);
      expect((await one.as("DELETE", `/users/${id}`)).status).toBe(404);
      expect((await one.as("POST", `/users/${id}/renew`, {})).status).toBe(404);
    }
    expect((await one.as("PATCH", `/users/${own.id}`, { desc: "mine" })).body.desc).toBe("mine");
    expect((await one.as("PATCH", `/users/${own.id}`, { adminId: 0 })).status).toBe(403);
  });

  // rule admins.token.10
  test("a token of a main admin on the reseller's role sees only what that admin owns", async () => {
    const { token } = await ok("POST", "/tokens", { role: "resale" });
    const list = await panel.call("GET", "/api/v1/users", undefined, { authorization: `Bearer ${token}` });
    expect(list.body).toMatchObject({ items: [], total: 0 });
  });

  // rule users.owner.6
  test("the record counts its users; deleting it gives them to the panel", async () => {
    const seller = await reseller();
    const made = [];
    for (let user = 0; user < 3; user++)
      made.push((await seller.as("POST", "/users", { name: `u${++serial}` })).body.id);
    const record = async () =>
      (await ok("GET", "/admins?limit=1000")).items.find((admin: { id: number }) => admin.id === seller.id);
    expect(await record()).toMatchObject({ users: 3, used: 0 });
    await seller.as("DELETE", `/users/${made[0]}`);
    expect(await record()).toMatchObject({ users: 2 });
    await ok("DELETE", `/admins/${seller.id}`);
    expect((await seller.as("GET", "/users")).status).toBe(401);
    for (const id of made.slice(1)) expect(await ok("GET", `/users/${id}`)).toMatchObject({ adminId: 0, enable: true });
  });

  // rule users.owner.3
  test("its cap of users is 403, its role's 402, and both end with it", async () => {
    const seller = await reseller({ userLimit: 1 });
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(200);
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(403);
    await ok("POST", "/roles", { name: "capped", base: "resale", scopes: ["users:write"], userLimit: 1 });
    await seller.edit({ role: "capped" });
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(402);
    await seller.edit({ role: "resale", userLimit: 0 });
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(200);
  });

  // rule admins.reseller.6
  test("an expired account's token reads and is 403 on every write; a longer date lifts it at once", async () => {
    const seller = await reseller();
    const { id } = (await seller.as("POST", "/users", { name: `u${++serial}` })).body;
    await seller.edit({ expiry: 1 });
    for (const [method, path, body] of [
      ["POST", "/users", { name: "late" }],
      ["PATCH", `/users/${id}`, { desc: "late" }],
      ["DELETE", `/users/${id}`, undefined],
      ["POST", `/users/${id}/reset-usage`, {}],
    ] as const) {
      const refused = await seller.as(method, path, body);
      expect([refused.status, refused.body.code], `${method} ${path}`).toEqual([403, "account_expired"]);
    }
    expect((await seller.as("GET", `/users/${id}`)).status).toBe(200);
    await seller.edit({ expiry: 0 });
    expect((await seller.as("PATCH", `/users/${id}`, { desc: "in time" })).status).toBe(200);
  });

  // rule admins.reseller.7
  test("usersReadOnly refuses its writes, plansOnly its creations without a plan, from the next request on", async () => {
    const seller = await reseller();
    const { id } = (await seller.as("POST", "/users", { name: `u${++serial}` })).body;
    await seller.edit({ usersReadOnly: true });
    expect((await seller.as("PATCH", `/users/${id}`, { desc: "no" })).status).toBe(403);
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(403);
    expect((await seller.as("GET", "/users")).body.total).toBe(1);
    await seller.edit({ usersReadOnly: false, plansOnly: true });
    expect((await seller.as("PATCH", `/users/${id}`, { desc: "yes" })).status).toBe(200);
    expect((await seller.as("POST", "/users", { name: `u${++serial}` })).status).toBe(403);
    expect((await seller.as("GET", "/me")).body).toMatchObject({
      plansOnly: true,
      usersReadOnly: false,
      base: "resale",
    });
  });
});
