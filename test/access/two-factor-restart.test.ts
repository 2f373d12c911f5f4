// The parts of two-factor that end with a run of the panel, and the parts that stay, also where several processes share
// one database.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel, type Answer } from "../whole-panel.ts";

const CREDENTIALS = { username: "root", password: "correct horse" };

/** The code that is shown now, or some steps later. */
const shown = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

function caller(panel: WholePanel) {
  const as = (method: string, path: string, body?: unknown) =>
    panel.call(method, `/api/v1${path}`, body, { cookie: panel.cookie });
  return {
    get: (path: string) => as("GET", path),
    post: (path: string, body?: unknown) => as("POST", path, body),
    off: (code: unknown) => as("DELETE", "/me/2fa", { code }),
    login: async (): Promise<string> => (await panel.call("POST", "/api/v1/login", CREDENTIALS)).body.pending,
    mfa: (pending: string, code: unknown): Promise<Answer> =>
      panel.call("POST", "/api/v1/login/mfa", { pending, code }),
  };
}

describe.each(dialects)("two-factor over a restart on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rules access.totp.1, access.mfa.2
  test("an enrolment and a sign-in that waits are forgotten; two-factor itself and sessions stay", async () => {
    const { get, post, off, login, mfa } = caller(panel);
    const begun = (await post("/me/2fa/totp")).body.secret;
    await panel.restart();
    expect((await post("/me/2fa/totp/confirm", { code: shown(begun) })).status).toBe(400);
    const { secret } = (await post("/me/2fa/totp")).body;
    const { recoveryCodes } = (await post("/me/2fa/totp/confirm", { code: shown(secret) })).body;
    const pending = await login();
    await panel.restart();
    expect((await get("/me")).body).toMatchObject({ username: "root", twoFactor: true });
    expect((await mfa(pending, recoveryCodes[0])).body).toMatchObject({ code: "login_ended" });
    expect((await mfa(await login(), recoveryCodes[0])).status).toBe(200);
    expect((await off(recoveryCodes[1])).status).toBe(200);
  });
});

describe.runIf(dialects.includes("postgresql"))("two-factor on two panels of one database", () => {
  let one: WholePanel;
  let two: WholePanel;
  beforeAll(async () => {
    one = await WholePanel.open("postgresql");
    two = await one.neighbour();
  });
  afterAll(async () => {
    await two.dispose();
    await one.dispose();
  });

  test("what one begins the other ends, and a code is good at one of them only", async () => {
    const [here, there] = [caller(one), caller(two)];
    const { secret } = (await here.post("/me/2fa/totp")).body;
    const enabled = await there.post("/me/2fa/totp/confirm", { code: shown(secret) });
    expect(enabled.status, enabled.text).toBe(200);
    const [first, second, third] = enabled.body.recoveryCodes;
    expect((await here.get("/me")).body).toMatchObject({ twoFactor: true, confirmedUntil: 0 });
    expect((await here.post("/tokens", { desc: "t" })).status).toBe(428);
    const code = shown(secret, 1);
    expect((await there.post("/me/confirm", { code })).status).toBe(200);
    expect((await here.post("/me/confirm", { code })).status).toBe(401);
    expect((await here.post("/tokens", { desc: "t" })).status).toBe(200);
    const pending = await here.login();
    expect((await there.mfa(pending, first)).status).toBe(200);
    expect((await here.mfa(pending, second)).body).toMatchObject({ code: "login_ended" });
    const lost = await there.login();
    await two.restart();
    expect((await here.mfa(lost, second)).body).toMatchObject({ code: "login_ended" });
    expect((await here.off(third)).status).toBe(200);
    expect((await there.get("/me")).body).toMatchObject({ twoFactor: false });
  });

  test("an enrolment ends with the process that holds it", async () => {
    const [here, there] = [caller(one), caller(two)];
    const { secret } = (await there.post("/me/2fa/totp")).body;
    await two.restart();
    expect((await here.post("/me/2fa/totp/confirm", { code: shown(secret) })).status).toBe(400);
  });
});
