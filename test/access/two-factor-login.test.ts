// Signing in with two-factor on: the pending token and the code that ends it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { disenrol, enrol, type Enrolled } from "./authenticator.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

const WRONG = "000000";

describe.each(dialects)("login with two-factor on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let enrolled: Enrolled;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());
  beforeEach(async () => {
    panel.clock.now += 30 * 60_000;
    enrolled = await enrol(panel, root);
  });
  afterEach(() => disenrol(panel, root, enrolled));

  const login = (body: object = {}, ip = "192.0.2.1") =>
    panel.send("POST", "/api/login", { ip, body: { username: "root", password: PASSWORD, ...body } });
  const pending = async (body: object = {}) => String((await login(body)).body["pending"]);
  const mfa = (token: string, code: string, ip = "192.0.2.1") =>
    panel.send("POST", "/api/v1/login/mfa", { ip, body: { pending: token, code } });
  const act = (method: "PUT" | "DELETE" | "POST", path: string, body?: unknown) =>
    panel.send(method, path, { as: root, ...(body === undefined ? {} : { body }) });
  const confirmed = () => act("POST", "/api/me/confirm", { code: enrolled.device.next() });

  // rule access.mfa.1
  test("the password gives a pending token without a cookie, the code a session whose second factor is fresh", async () => {
    const first = await login();
    expect([first.status, Object.keys(first.body), first.headers["set-cookie"]]).toEqual([
      200,
      ["pending", "expiresAt"],
      undefined,
    ]);
    expect(first.body["expiresAt"]).toBe(Math.floor(panel.clock.now / 1000) + 300);
    const code = enrolled.device.next();
    const second = await mfa(String(first.body["pending"]), `${code.slice(0, 3)} ${code.slice(3)}`);
    const until = Math.floor(panel.clock.now / 1000) + 600;
    expect([second.status, second.body]).toMatchObject([
      200,
      { username: "root", auth: "session", twoFactor: true, confirmedUntil: until },
    ]);
    expect(second.headers["set-cookie"]).toMatch(/^panel_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await panel.send("DELETE", "/api/admins/1", { as: second.cookie ?? "" })).status, "not 428").toBe(400);
  });

  // rule access.mfa.1
  test("it is a sign-in only with the code: event, record and last login come then", async () => {
    const events = (await panel.events()).length;
    const changes = async () =>
      ((await panel.send("GET", "/api/changes?action=login", { as: root })).body as unknown as unknown[]).length;
    const records = await changes();
    const token = await pending();
    expect([(await panel.events()).length, await changes()]).toEqual([events, records]);
    await mfa(token, enrolled.device.next());
    expect((await panel.events()).slice(events)).toEqual([
      { event: "admin.login", data: { adminId: 1, username: "root", ip: "192.0.2.1" } },
    ]);
    expect(await changes()).toBe(records + 1);
  });

  test("remember is kept from the first step", async () => {
    const answer = await mfa(await pending({ remember: true }), enrolled.device.next());
    expect(answer.headers["set-cookie"]).toContain("Max-Age=2592000");
  });

  // rules access.login.4, access.mfa.2
  test("a wrong code does not consume the pending token, a right one does", async () => {
    const token = await pending();
    const wrong = await mfa(token, WRONG);
    expect([wrong.status, wrong.body["code"], wrong.cookie]).toEqual([401, "wrong_code", undefined]);
    expect((await panel.events()).at(-1)).toEqual({
      event: "admin.login_failed",
      data: { username: "root", ip: "192.0.2.1", stage: "mfa" },
    });
    expect((await mfa(token, enrolled.device.next())).status).toBe(200);
    const again = await mfa(token, enrolled.device.next());
    expect([again.status, again.body["code"]]).toEqual([401, "login_ended"]);
    expect((await mfa("no such token", enrolled.device.code())).status).toBe(401);
  });

  // rule access.mfa.3
  test("of parallel attempts with one code and one token a single one signs in", async () => {
    const token = await pending();
    const code = enrolled.device.next();
    const answers = await Promise.all([1, 2, 3, 4].map((last) => mfa(token, code, `198.51.100.${last}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });

  // rule access.mfa.2
  test("the pending token lives five minutes", async () => {
    const token = await pending();
    const late = await pending();
    panel.clock.now += 299_000;
    expect((await mfa(token, enrolled.device.code())).status).toBe(200);
    panel.clock.now += 1000;
    expect((await mfa(late, enrolled.device.code(1))).body["code"]).toBe("login_ended");
    await panel.access.prune();
  });

  // rule access.totp.4
  test("a code counts once, at whichever door; a recovery code serves too", async () => {
    const code = enrolled.device.next();
    expect((await act("POST", "/api/me/confirm", { code })).status).toBe(200);
    const token = await pending();
    expect((await mfa(token, code)).status).toBe(401);
    expect((await mfa(token, enrolled.recoveryCodes[0] ?? "")).status).toBe(200);
    expect((await mfa(await pending(), enrolled.recoveryCodes[0] ?? "")).status).toBe(401);
  });

  test("the fifth refused code bans the address, from passwords and codes alike", async () => {
    const ip = "192.0.2.60";
    const token = await pending();
    for (let attempt = 1; attempt <= 5; attempt++) expect((await mfa(token, WRONG, ip)).status).toBe(401);
    expect((await mfa(token, enrolled.device.next(), ip)).status).toBe(429);
    expect((await login({}, ip)).headers["retry-after"]).toBe(String(15 * 60 - 30));
    expect((await mfa(await pending(), enrolled.device.code())).status).toBe(200);
  });

  // rule access.mfa.4
  test("a sign-in that waits ends when the password changes", async () => {
    const token = await pending();
    await act("PUT", "/api/me/password", { currentPassword: PASSWORD, newPassword: "another password" });
    expect((await mfa(token, enrolled.device.next())).body["code"]).toBe("login_ended");
    await act("PUT", "/api/me/password", { currentPassword: "another password", newPassword: PASSWORD });
  });

  // rule access.mfa.4
  test("it ends when the sessions are ended, and when two-factor is renewed", async () => {
    const token = await pending();
    await act("DELETE", "/api/me/sessions");
    expect((await mfa(token, enrolled.device.next())).body["code"]).toBe("login_ended");
    const other = await pending();
    await disenrol(panel, root, enrolled);
    enrolled = await enrol(panel, root);
    expect((await mfa(other, enrolled.device.next())).body["code"]).toBe("login_ended");
  });

  // rule access.mfa.4
  test("it ends when role, password or account of the operator go", async () => {
    await confirmed();
    for (const [name, end] of [
      ["moved", (id: number) => act("PUT", `/api/admins/${id}`, { username: "moved", role: "resale" })],
      ["reset", (id: number) => act("PUT", `/api/admins/${id}/password`, { password: "another password" })],
      ["gone", (id: number) => act("DELETE", `/api/admins/${id}`)],
    ] as const) {
      const made = await act("POST", "/api/admins", { username: name, password: PASSWORD, role: "admin" });
      const theirs = await enrol(panel, await signIn(panel, name));
      const token = await pending({ username: name });
      expect((await end(Number(made.body["id"]))).status, name).toBe(200);
      expect((await mfa(token, theirs.device.next())).body["code"], name).toBe("login_ended");
    }
  });

  // rule access.mfa.5
  test("login_allowlist and the date of a reseller hold at the second step as well", async () => {
    await confirmed();
    const expiry = Math.floor(panel.clock.now / 1000) + 200;
    await act("POST", "/api/admins", { username: "seller", password: PASSWORD, role: "resale", expiry });
    const theirs = await enrol(panel, await signIn(panel, "seller"));
    const token = await pending({ username: "seller" });
    await act("PUT", "/api/settings/login_allowlist", { value: "192.0.2.0/25" });
    expect((await mfa(token, theirs.device.next(), "203.0.113.5")).body["code"]).toBe("address_refused");
    await act("PUT", "/api/settings/login_allowlist", { value: "" });
    panel.clock.now += 170_000;
    const expired = await mfa(token, theirs.device.next());
    expect([expired.status, expired.body["code"]]).toEqual([403, "account_expired"]);
    expect((await login({ username: "seller" })).body["code"]).toBe("account_expired");
  });
});
