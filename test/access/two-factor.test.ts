// Switching two-factor on and off, recovery codes, and who may.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { Authenticator, disenrol, enrol } from "./authenticator.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel, type Send } from "./panel.ts";

const WRONG = "000000";

describe.each(dialects)("two-factor on %s", (dialect) => {
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

  const post = (path: string, options: Send) => panel.send("POST", path, options);
  const state = async (as: string) => (await panel.send("GET", "/api/v1/me/2fa", { as })).body;

  // rule access.totp.2
  test("off, enrolling, on, off: each says so to the account, its record and subscribers", async () => {
    expect(await state(root)).toEqual({ enabled: false, enabledAt: 0, recoveryCodesLeft: 0 });
    const begun = await post("/api/me/2fa/totp", { as: root });
    expect(begun.status).toBe(200);
    expect(Object.keys(begun.body)).toEqual(["secret", "uri"]);
    expect(begun.body["secret"]).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(String(begun.body["uri"])).searchParams.get("secret")).toBe(begun.body["secret"]);
    expect(await state(root)).toMatchObject({ enabled: false });
    const device = new Authenticator(String(begun.body["secret"]), panel.clock);
    const confirmed = await post("/api/me/2fa/totp/confirm", { as: root, body: { code: device.code() } });
    expect([confirmed.status, confirmed.body["enabled"]]).toEqual([200, true]);
    expect(confirmed.body["recoveryCodes"]).toHaveLength(10);
    const enabledAt = Math.floor(panel.clock.now / 1000);
    expect(await state(root)).toEqual({ enabled: true, enabledAt, recoveryCodesLeft: 10 });
    expect((await panel.send("GET", "/api/me", { as: root })).body).toMatchObject({
      twoFactor: true,
      confirmedUntil: 0,
    });
    const twoFactor = async () =>
      ((await panel.send("GET", "/api/admins", { as: root })).body[0] as { twoFactor: boolean }).twoFactor;
    expect(await twoFactor()).toBe(true);
    expect((await panel.events()).at(-1)).toEqual({
      event: "admin.2fa_changed",
      data: { adminId: 1, username: "root", enabled: true },
    });
    await disenrol(panel, root, { device, recoveryCodes: [] });
    expect(await state(root)).toEqual({ enabled: false, enabledAt: 0, recoveryCodesLeft: 0 });
    expect(await twoFactor()).toBe(false);
    expect((await panel.events()).at(-1)).toEqual({
      event: "admin.2fa_changed",
      data: { adminId: 1, username: "root", enabled: false },
    });
  });

  // rule access.totp.1
  test("the secret is the calling session's: another session of the account has no enrolment", async () => {
    const other = await signIn(panel, "root");
    const begun = await post("/api/me/2fa/totp", { as: root });
    const device = new Authenticator(String(begun.body["secret"]), panel.clock);
    expect((await post("/api/me/2fa/totp/confirm", { as: other, body: { code: device.code() } })).status).toBe(400);
    await post("/api/me/2fa/totp", { as: root });
    const replaced = await post("/api/me/2fa/totp/confirm", { as: root, body: { code: device.code() } });
    expect([replaced.status, replaced.body["code"]]).toEqual([401, "wrong_code"]);
    expect(await state(root)).toMatchObject({ enabled: false });
  });

  // rule access.totp.6
  test("what does not fit the state is 400; a wrong code is 401", async () => {
    const fresh = await signIn(panel, "root");
    for (const [method, path] of [
      ["POST", "/api/me/2fa/totp/confirm"],
      ["DELETE", "/api/me/2fa"],
      ["POST", "/api/me/2fa/recovery"],
      ["POST", "/api/me/confirm"],
    ] as const) {
      expect((await panel.send(method, path, { as: fresh, body: { code: WRONG } })).status, path).toBe(400);
      expect((await panel.send(method, path, { as: fresh, body: {} })).body, path).toMatchObject({ field: "code" });
    }
    const enrolled = await enrol(panel, fresh);
    expect((await post("/api/me/2fa/totp", { as: fresh })).status).toBe(400);
    expect((await post("/api/me/2fa/totp/confirm", { as: fresh, body: { code: enrolled.device.next() } })).status).toBe(
      400,
    );
    expect((await panel.send("DELETE", "/api/me/2fa", { as: fresh, body: { code: WRONG } })).status).toBe(401);
    await disenrol(panel, fresh, enrolled);
  });

  // rule access.totp.4
  test("a code is accepted once, one step either way", async () => {
    const enrolled = await enrol(panel, root);
    const confirm = async (code: string) => (await post("/api/me/confirm", { as: root, body: { code } })).status;
    expect(await confirm(enrolled.device.code())).toBe(401);
    const code = enrolled.device.next();
    expect([await confirm(code), await confirm(code)]).toEqual([200, 401]);
    expect([
      await confirm(enrolled.device.code(1)),
      await confirm(enrolled.device.code(-2)),
      await confirm(enrolled.device.code(2)),
    ]).toEqual([200, 401, 401]);
    panel.clock.now += 16 * 60_000;
    const parallel = enrolled.device.next();
    const answers = await Promise.all(
      [1, 2, 3].map((last) =>
        post("/api/me/confirm", { as: root, body: { code: parallel }, ip: `198.51.100.${last}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    await disenrol(panel, root, enrolled);
  });

  // rule access.totp.5
  test("recovery codes: ten, each good once, typed in any case and without dashes; a new set replaces the old", async () => {
    const session = await signIn(panel, "root");
    const enrolled = await enrol(panel, session);
    const [first = "", second = "", third = ""] = enrolled.recoveryCodes;
    const renewed = await post("/api/me/2fa/recovery", { as: session, body: { code: enrolled.device.next() } });
    expect(renewed.body["recoveryCodes"]).toHaveLength(10);
    expect(
      (await post("/api/me/2fa/recovery", { as: session, body: { code: second } })).status,
      "wants a TOTP code",
    ).toBe(401);
    const [fresh = "", fresher = ""] = renewed.body["recoveryCodes"] as string[];
    const off = (code: string) => panel.send("DELETE", "/api/me/2fa", { as: session, body: { code } });
    expect((await off(first)).status).toBe(401);
    const login = await post("/api/login", { body: { username: "root", password: PASSWORD } });
    const used = await post("/api/login/mfa", {
      body: { pending: login.body["pending"], code: fresh.toUpperCase().replaceAll("-", "") },
    });
    expect(used.status).toBe(200);
    expect(await state(session)).toMatchObject({ recoveryCodesLeft: 9 });
    expect([(await off(fresh)).status, (await off(third)).status]).toEqual([401, 401]);
    expect((await off(fresher)).status).toBe(200);
  });

  // rule access.totp.7
  test("no token reaches them", async () => {
    const made = await post("/api/tokens", { as: root, body: { desc: "all" } });
    const token = String(made.body["token"]);
    for (const [method, path] of [
      ["GET", "/api/me/2fa"],
      ["DELETE", "/api/me/2fa"],
      ["POST", "/api/me/2fa/totp"],
      ["POST", "/api/me/2fa/totp/confirm"],
      ["POST", "/api/me/2fa/recovery"],
      ["POST", "/api/me/confirm"],
    ] as const) {
      const answer = await panel.send(method, path, {
        as: token,
        ...(method === "GET" ? {} : { body: { code: WRONG } }),
      });
      expect(answer.status, path).toBe(400);
    }
  });

  // rule access.login.3
  test("refused codes count like wrong passwords, whichever route they came by", async () => {
    const session = await signIn(panel, "root");
    const begun = await post("/api/me/2fa/totp", { as: session });
    const device = new Authenticator(String(begun.body["secret"]), panel.clock);
    const ip = "192.0.2.50";
    expect((await post("/api/me/2fa/totp/confirm", { as: session, ip, body: { code: WRONG } })).status).toBe(401);
    const confirmed = await post("/api/me/2fa/totp/confirm", {
      as: session,
      ip: "192.0.2.51",
      body: { code: device.code() },
    });
    expect(confirmed.status).toBe(200);
    for (const [method, path] of [
      ["DELETE", "/api/me/2fa"],
      ["POST", "/api/me/2fa/recovery"],
      ["POST", "/api/me/confirm"],
    ] as const)
      expect((await panel.send(method, path, { as: session, ip, body: { code: WRONG } })).status, path).toBe(401);
    expect((await post("/api/login", { ip, body: { username: "root", password: "wrong password" } })).status).toBe(401);
    const banned = await post("/api/me/confirm", { as: session, ip, body: { code: device.next() } });
    expect([banned.status, banned.body["code"]]).toEqual([429, "banned"]);
    const events = (await panel.events()).filter(({ data }) => data["ip"] === ip);
    expect(events.map(({ event }) => event)).toEqual(["admin.login_failed", "panel.ip_banned"]);
    await disenrol(panel, session, { device, recoveryCodes: [] });
  });

  // rule access.totp.8
  test("neither log nor events nor tables carry a seed or a code", async () => {
    const session = await signIn(panel, "root");
    const enrolled = await enrol(panel, session);
    const renewed = await post("/api/me/2fa/recovery", { as: session, body: { code: enrolled.device.next() } });
    await post("/api/me/confirm", { as: session, body: { code: enrolled.device.next() } });
    const secrets = [enrolled.device.secret, ...enrolled.recoveryCodes, ...(renewed.body["recoveryCodes"] as string[])];
    const log = (await panel.send("GET", "/api/changes", { as: session })).text;
    const actions = (JSON.parse(log) as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["2fa.enrol", "2fa.enable", "2fa.recovery", "confirm"]));
    const events = JSON.stringify(await panel.events());
    const { reads } = panel.database;
    const tables = await Promise.all(
      ["admins", "sessions", "events", "changes"].map((table) => reads.query(sql`select * from ${sql.table(table)}`)),
    );
    for (const secret of secrets)
      for (const text of [log, events, JSON.stringify(tables)]) expect(text).not.toContain(secret);
    await disenrol(panel, session, enrolled);
  });
});
