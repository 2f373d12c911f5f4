// Sessions: what ends them, how long they live, who may not use them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { sha256Hex } from "../../src/lib/ids.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("sessions on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    await setUp(panel);
  });
  afterAll(() => panel.dispose());
  beforeEach(async () => {
    panel.clock.now += 30 * 60_000;
    root = await signIn(panel, "root");
  });

  const act = (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown, as = root) =>
    panel.send(method, path, { as, ...(body === undefined ? {} : { body }) });
  const lives = async (as: string) => (await panel.send("GET", "/api/me", { as })).status === 200;
  const operator = async (username: string, role = "admin") => {
    const made = await act("POST", "/api/admins", { username, password: PASSWORD, role });
    return {
      id: Number(made.body["id"]),
      sessions: [await signIn(panel, username), await signIn(panel, username)] as const,
    };
  };

  // rule access.session.5
  test.each([
    ["role change", "mover", (id: number) => act("PUT", `/api/admins/${id}`, { username: "mover", role: "resale" })],
    [
      "password reset",
      "reset",
      (id: number) => act("PUT", `/api/admins/${id}/password`, { password: "another password" }),
    ],
    ["sessions ended", "ended", (id: number) => act("DELETE", `/api/admins/${id}/sessions`)],
    ["deletion", "gone", (id: number) => act("DELETE", `/api/admins/${id}`)],
  ] as const)("a %s ends every session of the account, and no other", async (_case, username, end) => {
    const { id, sessions } = await operator(username);
    expect((await end(id)).status).toBe(200);
    expect([await lives(sessions[0]), await lives(sessions[1]), await lives(root)]).toEqual([false, false, true]);
  });

  // rule access.session.6
  test("an edit that leaves the role ends none", async () => {
    const { id, sessions } = await operator("kept");
    await act("PUT", `/api/admins/${id}`, { username: "kept-on", role: "admin" });
    expect([await lives(sessions[0]), await lives(sessions[1])]).toEqual([true, true]);
  });

  // rule access.session.6
  test("any edit of a role ends the sessions of all who hold it", async () => {
    const role = { name: "desk", base: "admin", description: "", scopes: ["users:read"] };
    const made = await act("POST", "/api/roles", role);
    const [one, two] = [await operator("desk-one", "desk"), await operator("desk-two", "desk")];
    const outside = await operator("outside");
    expect(
      (await act("PUT", `/api/roles/${Number(made.body["id"])}`, { ...role, description: "the front desk" })).status,
    ).toBe(200);
    expect([await lives(one.sessions[0]), await lives(two.sessions[1]), await lives(outside.sessions[0])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  // rule access.session.5
  test("the own password, and the own reset, spare the session that asks", async () => {
    const other = await signIn(panel, "root");
    expect((await act("PUT", "/api/admins/1/password", { password: PASSWORD })).status).toBe(200);
    expect([await lives(root), await lives(other)]).toEqual([true, false]);
    const third = await signIn(panel, "root");
    expect((await act("PUT", "/api/me/password", { currentPassword: PASSWORD, newPassword: PASSWORD })).status).toBe(
      200,
    );
    expect([await lives(root), await lives(third)]).toEqual([true, false]);
    const fourth = await signIn(panel, "root");
    expect((await act("DELETE", "/api/admins/1/sessions")).status).toBe(200);
    expect([await lives(root), await lives(fourth)]).toEqual([true, false]);
  });

  // rule access.session.2
  test("a day counts from the last use, also from one of the same minute that is not written", async () => {
    const session = await signIn(panel, "root");
    panel.clock.now += 30_000;
    expect(await lives(session)).toBe(true);
    await panel.access.activity.flush();
    panel.clock.now += 86_400_000 - 1000;
    const listed = (await panel.send("GET", "/api/me/sessions", { as: session })).body as unknown as {
      current: boolean;
      expiresAt: number;
    }[];
    expect(listed.find(({ current }) => current)?.expiresAt).toBe(Math.floor(panel.clock.now / 1000) + 86_400);
    panel.clock.now += 86_400_000;
    expect(await lives(session)).toBe(false);
  });

  // rule access.session.3
  test("what has ended is not listed, and is forgotten", async () => {
    const kept = await panel.send("POST", "/api/login", {
      body: { username: "root", password: PASSWORD, remember: true },
    });
    panel.clock.now += 25 * 3_600_000;
    const listed = await panel.send("GET", "/api/me/sessions", { as: kept.cookie ?? "" });
    const remembered = (listed.body as unknown as { remember: boolean }[]).map(({ remember }) => remember);
    expect(new Set(remembered)).toEqual(new Set([true]));
    await panel.access.activity.flush();
    await panel.access.prune();
    expect(await lives(kept.cookie ?? "")).toBe(true);
    expect(await lives(root)).toBe(false);
  });

  // rule access.session.4
  test("ending the current one is a logout; another account's is not found", async () => {
    const { sessions } = await operator("neighbour");
    const listed = (await panel.send("GET", "/api/me/sessions", { as: sessions[0] })).body as unknown as {
      id: number;
      current: boolean;
    }[];
    const current = listed.find((each) => each.current)?.id;
    expect((await act("DELETE", `/api/me/sessions/${current}`)).status).toBe(404);
    const out = await act("DELETE", `/api/me/sessions/${current}`, undefined, sessions[0]);
    expect([out.status, out.headers["set-cookie"]]).toMatchObject([200, expect.stringContaining("Max-Age=0")]);
    expect([await lives(sessions[0]), await lives(sessions[1])]).toEqual([false, true]);
  });

  // rule access.session.8
  test("a write with the cookie from another site is refused; tools and the panel's own pages are not", async () => {
    const made = await act("POST", "/api/tokens", { desc: "t" });
    const write = async (headers: Record<string, string>, as = root, path = "/api/me/confirm") =>
      (await panel.send("POST", path, { as, headers: { host: "panel.example", ...headers }, body: { code: "000000" } }))
        .status;
    expect([
      await write({}),
      await write({ origin: "http://panel.example" }),
      await write({ "sec-fetch-site": "same-origin" }),
      await write({ origin: "http://panel.example:81", "sec-fetch-site": "same-origin" }),
    ]).toEqual([400, 400, 400, 400]);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://panel.example:81" },
      { "sec-fetch-site": "cross-site" },
      { origin: "http://panel.example:81", "sec-fetch-site": "same-site" },
    ])
      expect(await write(headers), JSON.stringify(headers)).toBe(403);
    expect(await write({ origin: "https://evil.example" }, root, "/api/logout")).toBe(403);
    const read = await panel.send("GET", "/api/me", { as: root, headers: { origin: "https://evil.example" } });
    expect(read.status).toBe(200);
    const token = await panel.send("GET", "/api/me", {
      as: String(made.body["token"]),
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(token.status).toBe(200);
  });

  // rule access.session.13
  test("what is stored of a cookie is its SHA-256", async () => {
    const rows = JSON.stringify(await panel.database.reads.query(sql`select * from sessions`));
    expect(rows).toContain(sha256Hex(root));
    expect(rows).not.toContain(root);
  });

  // rule access.session.14
  test("tiles are null until they are chosen; none is a choice too, and what is no key is refused", async () => {
    const { sessions } = await operator("tiled");
    const tiles = async () => (await panel.send("GET", "/api/me", { as: sessions[0] })).body["dashboardTiles"];
    const choose = (value: unknown) => act("PUT", "/api/me/dashboard-tiles", { value }, sessions[0]);
    expect(await tiles()).toBeNull();
    expect((await choose("users,nodes")).body).toEqual({ value: "users,nodes" });
    expect(await tiles()).toBe("users,nodes");
    for (const value of [
      "Users",
      "users,",
      "a b",
      Array.from({ length: 65 }, (_, index) => `tile-${index}`).join(","),
      5,
    ]) {
      const refused = await choose(value);
      expect([refused.status, refused.body["field"]]).toEqual([400, "value"]);
    }
    expect((await choose("")).status).toBe(200);
    expect(await tiles()).toBe("");
  });
});
