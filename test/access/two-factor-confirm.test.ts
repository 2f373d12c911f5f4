// A fresh second factor for sensitive routes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { disenrol, enrol, type Enrolled } from "./authenticator.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("session confirmation on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let other: number;
  let enrolled: Enrolled;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    const made = await panel.send("POST", "/api/admins", { as: root, body: { username: "other", password: PASSWORD } });
    other = Number(made.body["id"]);
    enrolled = await enrol(panel, root);
  });
  afterAll(() => panel.dispose());
  beforeEach(() => {
    panel.clock.now += 30 * 60_000;
  });

  const sensitive = (as: string) => panel.send("DELETE", `/api/admins/${other}/sessions`, { as });
  const confirm = (as: string) => panel.send("POST", "/api/me/confirm", { as, body: { code: enrolled.device.next() } });
  const setting = (as: string, key: string, value: string) =>
    panel.send("PUT", `/api/settings/${key}`, { as, body: { value } });

  // rule access.confirm.3
  test("a session from before the switching on, the one that did it too, has no second factor", async () => {
    const refused = await panel.send("POST", "/api/tokens", { as: root, body: { desc: "t" } });
    expect([refused.status, refused.body]).toMatchObject([
      428,
      { confirm: "totp", code: "confirm", error: expect.any(String) },
    ]);
    expect((await panel.send("GET", "/api/admins", { as: root })).status).toBe(200);
  });

  // rule access.confirm.2
  test("a code opens the window for ten minutes, for that session alone", async () => {
    const login = await panel.send("POST", "/api/login", { body: { username: "root", password: PASSWORD } });
    const code = enrolled.device.next();
    const second = await panel.send("POST", "/api/login/mfa", { body: { pending: login.body["pending"], code } });
    panel.clock.now += 601_000;
    const answer = await confirm(root);
    const time = Math.floor(panel.clock.now / 1000);
    expect([answer.status, answer.body]).toEqual([200, { confirmedAt: time, until: time + 600 }]);
    expect((await panel.send("GET", "/api/me", { as: root })).body).toMatchObject({ confirmedUntil: time + 600 });
    panel.clock.now += 599_000;
    expect([(await sensitive(root)).status, (await sensitive(second.cookie ?? "")).status]).toEqual([200, 428]);
    panel.clock.now += 2000;
    expect((await sensitive(root)).status).toBe(428);
  });

  // rule access.confirm.1
  test("panel-wide settings ask for it, others do not", async () => {
    expect([
      (await setting(root, "timezone", "UTC")).status,
      (await setting(root, "sub_title", "Ours")).status,
    ]).toEqual([428, 200]);
    await confirm(root);
    expect((await setting(root, "timezone", "UTC")).status).toBe(200);
  });

  // rule access.confirm.4
  test("a token is never asked, nor is a session of an account without two-factor", async () => {
    await confirm(root);
    const token = await panel.send("POST", "/api/tokens", { as: root, body: { desc: "t" } });
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "second", password: PASSWORD, role: "sudo" },
    });
    const second = await signIn(panel, "second");
    panel.clock.now += 601_000;
    expect([(await sensitive(root)).status, (await sensitive(String(token.body["token"]))).status]).toEqual([428, 200]);
    expect((await sensitive(second)).status).toBe(200);
    const me = await panel.send("GET", "/api/me", { as: String(token.body["token"]) });
    expect(me.body).toMatchObject({ auth: "token", twoFactor: true, confirmedUntil: 0 });
  });

  // rule access.confirm.3
  test("switched off and on again, what was confirmed before counts for nothing", async () => {
    await confirm(root);
    expect((await sensitive(root)).status).toBe(200);
    await disenrol(panel, root, enrolled);
    expect((await panel.send("GET", "/api/me", { as: root })).body).toMatchObject({
      twoFactor: false,
      confirmedUntil: 0,
    });
    expect((await sensitive(root)).status).toBe(200);
    enrolled = await enrol(panel, root);
    expect((await sensitive(root)).status).toBe(428);
  });
});
