// Signing in and out, sessions, cookies and login protection.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("login on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());
  // Attempts of earlier tests are forgotten, sessions are not.
  beforeEach(() => {
    panel.clock.now += 30 * 60_000;
  });

  const login = (body: Record<string, unknown>, headers: Record<string, string> = {}, ip = "192.0.2.1") =>
    panel.send("POST", "/api/v1/login", { body, headers, ip });

  // rules access.login.1, access.session.1, access.session.11
  test("the cookie: HttpOnly, Lax, of the base path; lasting only with remember; Secure over TLS of a trusted proxy", async () => {
    const plain = await login({ username: "ROOT", password: PASSWORD });
    expect(plain.headers["set-cookie"]).toMatch(/^panel_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const kept = await login({ username: "root", password: PASSWORD, remember: true });
    expect(kept.headers["set-cookie"]).toContain("Max-Age=2592000");
    await panel.send("PUT", "/api/settings/trusted_proxies", { as: root, body: { value: "192.0.2.1" } });
    const secure = await login(
      { username: "root", password: PASSWORD },
      { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7" },
    );
    expect(secure.headers["set-cookie"]).toContain("; Secure");
    const sessions = await panel.send("GET", "/api/me/sessions", { as: secure.cookie ?? "" });
    expect(sessions.body[0]).toMatchObject({ current: true, ip: "198.51.100.7", via: "password" });
    await panel.send("PUT", "/api/settings/trusted_proxies", { as: root, body: { value: "" } });
    const untrusted = await login({ username: "root", password: PASSWORD }, { "x-forwarded-proto": "https" });
    expect(untrusted.headers["set-cookie"]).not.toContain("Secure");
  });

  // rules access.login.2, access.login.3
  test("a wrong password and an unknown name answer alike; the fifth refusal is 401, then 429 for a quarter of an hour", async () => {
    const before = (await panel.events()).length;
    const wrong = await login({ username: "root", password: "wrong password" });
    const unknown = await login({ username: "nobody", password: "wrong password" });
    expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
    for (let attempt = 3; attempt <= 5; attempt++)
      expect((await login({ username: "root", password: "wrong password" })).status).toBe(401);
    const banned = await login({ username: "root", password: PASSWORD });
    expect([banned.status, banned.headers["retry-after"]]).toEqual([429, "900"]);
    expect((await login({ username: "root", password: PASSWORD }, {}, "192.0.2.2")).status).toBe(200);
    const events = (await panel.events()).slice(before);
    expect(events.filter((each) => each.event === "admin.login_failed")).toHaveLength(5);
    expect(events.filter((each) => each.event === "panel.ip_banned")).toEqual([
      {
        event: "panel.ip_banned",
        data: { ip: "192.0.2.1", until: Math.floor(panel.clock.now / 1000) + 900, reason: "refused sign-ins" },
      },
    ]);
    panel.clock.now += 15 * 60_000;
    expect((await login({ username: "root", password: PASSWORD })).status).toBe(200);
  });

  // rule access.login.3
  test("a flood of parallel guesses gets no more than five", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => login({ username: "root", password: "wrong password" }, {}, "192.0.2.77")),
    );
    expect(answers.filter((each) => each.status === 401)).toHaveLength(5);
    expect(answers.filter((each) => each.status === 429)).toHaveLength(7);
  });

  // rule access.login.4
  test("a login from another address than the last is told", async () => {
    await login({ username: "root", password: PASSWORD }, {}, "192.0.2.10");
    await login({ username: "root", password: PASSWORD }, {}, "192.0.2.11");
    const last = (await panel.events()).at(-1);
    expect(last).toMatchObject({
      event: "admin.login_new_ip",
      data: { username: "root", ip: "192.0.2.11", previousIp: "192.0.2.10" },
    });
  });

  test("logout ends the session and clears the cookie; without one it answers too", async () => {
    const session = await signIn(panel, "root");
    expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(200);
    const out = await panel.send("POST", "/api/logout", { as: session });
    expect(out.headers["set-cookie"]).toContain("Max-Age=0");
    expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(401);
    expect((await panel.send("POST", "/api/logout")).status).toBe(200);
  });

  // rule access.session.2
  test("a session ends after a day without use and slides with it; a remembered one lasts thirty", async () => {
    const session = await signIn(panel, "root");
    const kept = (await login({ username: "root", password: PASSWORD, remember: true })).cookie ?? "";
    for (let hour = 0; hour < 48; hour += 16) {
      panel.clock.now += 16 * 3_600_000;
      expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(200);
      await panel.access.activity.flush();
    }
    panel.clock.now += 25 * 3_600_000;
    expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(401);
    const slid = await panel.send("GET", "/api/me", { as: kept });
    expect([slid.status, slid.cookie]).toEqual([200, kept]);
    await panel.access.activity.flush();
    panel.clock.now += 29 * 86_400_000;
    expect((await panel.send("GET", "/api/me", { as: kept })).status).toBe(200);
    root = await signIn(panel, "root");
  });

  // rules access.session.3, access.session.4
  test("sessions: listed newest activity first, ended one by one, and all others at once", async () => {
    const [one, two, three] = [await signIn(panel, "root"), await signIn(panel, "root"), await signIn(panel, "root")];
    panel.clock.now += 5000;
    await panel.send("GET", "/api/me", { as: one });
    const listed = (await panel.send("GET", "/api/v1/me/sessions", { as: two })).body as unknown as {
      id: number;
      current: boolean;
    }[];
    expect(listed[0]?.current).toBe(true);
    const ids = async (as: string) =>
      (await panel.send("GET", "/api/me/sessions", { as })).body as unknown as { id: number; current: boolean }[];
    const other = (await ids(one)).find((each) => each.current);
    expect((await panel.send("DELETE", `/api/me/sessions/${other?.id}`, { as: two })).status).toBe(200);
    expect((await panel.send("GET", "/api/me", { as: one })).status).toBe(401);
    expect((await panel.send("DELETE", "/api/me/sessions/999999", { as: two })).status).toBe(404);
    expect((await panel.send("DELETE", "/api/me/sessions", { as: two })).status).toBe(200);
    expect((await panel.send("GET", "/api/me", { as: three })).status).toBe(401);
    expect(await ids(two)).toHaveLength(1);
    root = await signIn(panel, "root");
  });

  // rule access.session.7
  test("the own password: the current one is verified, other sessions end", async () => {
    const mine = await signIn(panel, "root");
    const other = await signIn(panel, "root");
    const change = (currentPassword: string, newPassword: string) =>
      panel.send("PUT", "/api/me/password", { as: mine, body: { currentPassword, newPassword } });
    expect((await change("wrong password", "another password")).status).toBe(401);
    expect((await change(PASSWORD, "short")).body).toMatchObject({ field: "newPassword" });
    expect((await change(PASSWORD, "another password")).status).toBe(200);
    expect((await panel.send("GET", "/api/me", { as: other })).status).toBe(401);
    expect((await change("another password", PASSWORD)).status).toBe(200);
    root = mine;
  });

  // rule access.session.10
  test("login_allowlist: other addresses neither sign in nor use a session", async () => {
    await panel.send("PUT", "/api/settings/login_allowlist", { as: root, body: { value: "192.0.2.0/25" } });
    const outside = await login({ username: "root", password: PASSWORD }, {}, "203.0.113.5");
    expect([outside.status, outside.body["code"]]).toEqual([403, "address_refused"]);
    expect((await panel.send("GET", "/api/me", { as: root, ip: "203.0.113.5" })).status).toBe(403);
    expect((await panel.send("GET", "/api/me", { as: root })).status).toBe(200);
    await panel.send("PUT", "/api/settings/login_allowlist", { as: root, body: { value: "" } });
  });

  // rule access.login.5
  test("an expired reseller cannot sign in", async () => {
    const expiry = Math.floor(panel.clock.now / 1000) + 60;
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "seller", password: PASSWORD, role: "resale", expiry },
    });
    const session = await signIn(panel, "seller");
    panel.clock.now += 61_000;
    const refused = await login({ username: "seller", password: PASSWORD });
    expect([refused.status, refused.body["code"]]).toEqual([403, "account_expired"]);
    expect((await panel.send("GET", "/api/me", { as: session })).status).toBe(200);
    expect((await panel.send("PUT", "/api/me/dashboard-tiles", { as: session, body: { value: "users" } })).status).toBe(
      403,
    );
  });
});
