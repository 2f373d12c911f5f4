// Codes that are guessed by many addresses together: a sign-in takes five, an account slows down over all doors, and a
// right code is still taken.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CodePatience, patience } from "../../src/access/login/code-patience.ts";
import { Refusal } from "../../src/http/index.ts";
import { dialects } from "../database.ts";
import { enrol, type Enrolled } from "./authenticator.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

const WRONG = "000000";

// rule access.mfa.6
test("ten codes of an hour are free; then a second, doubling up to thirty", () => {
  expect([0, 9, 10, 11, 14, 15, 60].map(patience)).toEqual([0, 0, 1000, 2000, 16_000, 30_000, 30_000]);
});

describe.each(dialects)("codes of one account on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let enrolled: Enrolled;
  let addresses = 0;
  /** What attempts waited for, in milliseconds. Here they wait for nothing. */
  const waits: number[] = [];
  /** Happens while an attempt waits. */
  let meanwhile = () => {};
  beforeAll(async () => {
    panel = await openAccessPanel(dialect, {
      pause: async (ms) => {
        waits.push(ms);
        meanwhile();
      },
    });
    root = await setUp(panel);
    enrolled = await enrol(panel, root);
  });
  afterAll(() => panel.dispose());
  beforeEach(() => {
    panel.clock.now += 2 * 3_600_000;
    waits.length = 0;
    meanwhile = () => {};
  });

  const elsewhere = () => `198.51.${100 + Math.floor(addresses / 250)}.${++addresses % 250}`;
  const pending = async () => {
    const login = await panel.send("POST", "/api/login", {
      ip: elsewhere(),
      body: { username: "root", password: PASSWORD },
    });
    return String(login.body["pending"]);
  };
  const mfa = (token: string, code: string, ip = elsewhere()) =>
    panel.send("POST", "/api/v1/login/mfa", { ip, body: { pending: token, code } });
  const wrongOnes = async (count: number) => {
    for (let left = count; left > 0; left -= 5) {
      const token = await pending();
      for (let turn = 0; turn < Math.min(5, left); turn++)
        expect((await mfa(token, WRONG)).body["code"]).toBe("wrong_code");
    }
  };

  // rule access.mfa.2
  test("a sign-in ends with its fifth wrong code, also of those that come at once; the next one begins anew", async () => {
    const token = await pending();
    for (let turn = 0; turn < 5; turn++) expect((await mfa(token, WRONG)).body["code"]).toBe("wrong_code");
    const ended = await mfa(token, enrolled.device.next());
    expect([ended.status, ended.body["code"]]).toEqual([401, "login_ended"]);
    const other = await pending();
    const answers = await Promise.all(Array.from({ length: 12 }, () => mfa(other, WRONG)));
    const codes = answers.map(({ body }) => body["code"]);
    expect(["wrong_code", "login_ended"].map((code) => codes.filter((each) => each === code).length)).toEqual([5, 7]);
    expect((await mfa(await pending(), enrolled.device.code())).status).toBe(200);
  });

  // rule access.mfa.6
  test("the eleventh code of an hour waits a second, further ones longer, from any address; right ones are taken and count for nothing", async () => {
    await wrongOnes(10);
    expect(waits).toEqual([]);
    expect((await mfa(await pending(), WRONG)).status).toBe(401);
    for (let turn = 0; turn < 2; turn++) {
      panel.clock.now += 60_000;
      expect((await mfa(await pending(), enrolled.device.code())).status).toBe(200);
    }
    expect(waits).toEqual([1000, 2000, 2000]);
    panel.clock.now += 3_600_000;
    expect((await mfa(await pending(), enrolled.device.code())).status).toBe(200);
    expect(waits).toHaveLength(3);
  });

  // rule access.mfa.6
  test("a right code is judged by when it came, however long it waited", async () => {
    await wrongOnes(11);
    const token = await pending();
    const code = enrolled.device.next();
    meanwhile = () => void (panel.clock.now += 90_000);
    expect((await mfa(token, code)).status).toBe(200);
    expect(waits).toEqual([1000, 2000]);
  });

  test("strangers wait one behind the other, and only so many; where the account is signed in nobody waits for them", async () => {
    meanwhile = () => void (panel.clock.now += waits.at(-1) ?? 0);
    await wrongOnes(20);
    meanwhile = () => {};
    waits.length = 0;
    const tokens = await Promise.all(Array.from({ length: 6 }, pending));
    const answers = await Promise.all(tokens.map((token) => mfa(token, WRONG)));
    const full = answers.filter(({ status }) => status === 503);
    expect([full.length, answers.length - full.length]).toEqual([4, 2]);
    expect(full[0]).toMatchObject({ body: { code: "too_busy" }, headers: { "retry-after": "30" } });
    expect(waits.toSorted((a, b) => a - b)).toEqual([30_000, 60_000]);
    await panel.send("GET", "/api/me", { as: root });
    expect((await mfa(await pending(), enrolled.device.code(), "192.0.2.1")).status).toBe(200);
    expect(waits.at(-1)).toBe(30_000);
  });

  test("every door of the second factor waits: confirming, new recovery codes, switching off and on", async () => {
    root = String((await mfa(await pending(), enrolled.device.next())).cookie);
    await wrongOnes(12);
    const act = (method: "POST" | "DELETE", path: string, code: string) =>
      panel.send(method, path, { as: root, ip: elsewhere(), body: { code } });
    waits.length = 0;
    expect((await act("POST", "/api/me/confirm", WRONG)).status).toBe(401);
    expect((await act("POST", "/api/me/2fa/recovery", WRONG)).status).toBe(401);
    panel.clock.now += 60_000;
    expect((await act("DELETE", "/api/me/2fa", "aaaa-aaaa-aaaa-aaaa")).status).toBe(401);
    panel.clock.now += 60_000;
    expect((await act("DELETE", "/api/me/2fa", enrolled.recoveryCodes[0] ?? "")).status).toBe(200);
    await panel.send("POST", "/api/me/2fa/totp", { as: root });
    panel.clock.now += 60_000;
    expect((await act("POST", "/api/me/2fa/totp/confirm", WRONG)).status).toBe(401);
    expect(waits).toHaveLength(5);
  });

  test("a panel that stops sends away what waits", async () => {
    const { commits, reads } = panel.database;
    const codes = new CodePatience({ commits, reads, now: () => panel.clock.now });
    const wrong = () =>
      codes.attempt({
        account: { id: 7, lastLoginIp: "" },
        ip: elsewhere(),
        look: () => Promise.reject(new Refusal("wrong_code")),
      });
    for (let turn = 0; turn < 10; turn++) await expect(wrong()).rejects.toThrow("wrong code");
    const waiting = wrong();
    codes.release();
    await expect(waiting).rejects.toThrow("shutting down");
  });
});
