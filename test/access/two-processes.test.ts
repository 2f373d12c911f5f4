// Access on two panels of one PostgreSQL: what ends, narrows or counts a credential on one does so for the other's next
// request.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { MAIN } from "../program/index.ts";
import { WholePanel } from "../whole-panel.ts";

const PASSWORD = "correct horse";

describe.runIf(dialects.includes("postgresql"))("access on two panels of one database", () => {
  let one: WholePanel;
  let two: WholePanel;
  let serial = 0;
  beforeAll(async () => {
    one = await WholePanel.open("postgresql");
    two = await one.neighbour();
  });
  afterAll(async () => {
    await two.dispose();
    await one.dispose();
  });

  /** As the owner, on the first panel. */
  async function ok(method: string, path: string, body?: unknown) {
    const answer = await one.call(method, `/api/v1${path}`, body, { cookie: one.cookie });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  }

  const operator = (role: string) => ok("POST", "/admins", { username: `op${++serial}`, password: PASSWORD, role });
  const bearer = async (body: object): Promise<{ authorization: string }> => ({
    authorization: `Bearer ${(await ok("POST", "/tokens", { rateLimit: 1_000_000, ...body })).token}`,
  });

  async function signIn(panel: WholePanel, username: string): Promise<{ cookie: string }> {
    const answer = await panel.call("POST", "/api/v1/login", { username, password: PASSWORD }, { cookie: "none=" });
    expect(answer.status, answer.text).toBe(200);
    return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
  }

  const get = async (panel: WholePanel, path: string, headers: Record<string, string>) =>
    (await panel.call("GET", `/api/v1${path}`, undefined, headers)).status;

  test.each([
    ["a reset of the password", (id: number) => ok("PUT", `/admins/${id}/password`, { password: PASSWORD })],
    ["the end of its sessions", (id: number) => ok("DELETE", `/admins/${id}/sessions`)],
    [
      "a change of its role",
      (id: number, username: string) => ok("PUT", `/admins/${id}`, { username, role: "resale" }),
    ],
    ["its deletion", (id: number) => ok("DELETE", `/admins/${id}`)],
  ])("%s on one ends an account's session on the other", async (_what, change) => {
    const { id, username } = await operator("admin");
    const sessions = [await signIn(one, username), await signIn(two, username)];
    for (const session of sessions)
      expect([await get(one, "/me", session), await get(two, "/me", session)]).toEqual([200, 200]);
    await change(id, username);
    for (const session of sessions) expect(await get(two, "/me", session)).toBe(401);
  });

  // rule admins.token.3
  test("a demotion and a deletion of an account on one hold for its token on the other", async () => {
    const { id, username } = await operator("sudo");
    const token = await bearer({ adminId: id });
    expect(await get(two, "/tokens", token)).toBe(200);
    await ok("PUT", `/admins/${id}`, { username, role: "admin" });
    expect([await get(two, "/tokens", token), await get(two, "/nodes", token)]).toEqual([403, 200]);
    await ok("PUT", `/admins/${id}`, { username, role: "resale" });
    expect([await get(two, "/nodes", token), await get(two, "/users", token)]).toEqual([403, 200]);
    await ok("DELETE", `/admins/${id}`);
    expect(await get(two, "/users", token)).toBe(401);
  });

  test("an edit of a role on one narrows its tokens and ends its sessions on the other", async () => {
    const role = await ok("POST", "/roles", { name: "both", base: "admin", scopes: ["nodes:read", "users:read"] });
    const { id, username } = await operator("both");
    const [token, session] = [await bearer({ adminId: id }), await signIn(two, username)];
    expect([await get(two, "/nodes", token), await get(two, "/nodes", session)]).toEqual([200, 200]);
    await ok("PUT", `/roles/${role.id}`, { name: "both", base: "admin", scopes: ["users:read"] });
    expect([
      await get(two, "/nodes", token),
      await get(two, "/users", token),
      await get(two, "/users", session),
    ]).toEqual([403, 200, 401]);
  });

  // rule settings.list.7
  test("settings of access hold on the other: who may use a session, which proxies are believed; tokens are not touched", async () => {
    const { username } = await operator("admin");
    const session = await signIn(two, username);
    const from = (ip: string) => ({ ...session, "x-forwarded-for": ip });
    await ok("PUT", "/settings/trusted_proxies", { value: "127.0.0.1" });
    await ok("PUT", "/settings/login_allowlist", { value: "127.0.0.1, 198.51.100.0/24" });
    expect(await get(two, "/me", from("198.51.100.7"))).toBe(200);
    expect(await get(two, "/me", from("203.0.113.7"))).toBe(403);
    const login = { username, password: PASSWORD };
    expect(
      (await two.call("POST", "/api/v1/login", login, { cookie: "none=", "x-forwarded-for": "203.0.113.7" })).status,
    ).toBe(403);
    expect(await get(two, "/me", { authorization: `Bearer ${two.token}`, "x-forwarded-for": "203.0.113.7" })).toBe(200);
    await ok("PUT", "/settings/trusted_proxies", { value: "" });
    expect(await get(two, "/me", from("203.0.113.7"))).toBe(200);
    await ok("PUT", "/settings/login_allowlist", { value: "" });
    expect(await get(two, "/me", from("203.0.113.7"))).toBe(200);
  });

  test("a password that the command line resets beside the panels ends the account's sessions on both", async () => {
    const { username } = await operator("admin");
    const session = await signIn(two, username);
    expect(await get(two, "/me", session)).toBe(200);
    const environment = { ...process.env, SIGNALBOX_DATA_DIR: one.directory, SIGNALBOX_DATABASE_URL: one.databaseUrl };
    const command = spawn(process.execPath, [MAIN, "admin", "reset-password", username], {
      env: environment,
      stdio: "pipe",
    });
    command.stdin.end("another password\n");
    expect((await once(command, "exit"))[0]).toBe(0);
    expect(await get(two, "/me", session)).toBe(401);
    expect((await ok("GET", "/changes?key=admins&limit=1")).items).toMatchObject([{ via: "cli", action: "password" }]);
  });

  // rule http.limit.5
  test("a token's budget is one for both", async () => {
    const limit = 20;
    for (let attempt = 0; ; attempt++) {
      const token = await bearer({ rateLimit: limit });
      const answers = [];
      for (let turn = 0; turn < 3 * limit; turn++) {
        answers.push(await (turn % 3 === 0 ? one : two).call("GET", "/api/v1/me", undefined, token));
      }
      const minutes = new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")));
      // A new minute began meanwhile, and with it a new budget.
      if (minutes.size > 1 && attempt < 3) continue;
      const granted = answers.filter(({ status }) => status === 200);
      expect(granted).toHaveLength(limit);
      for (const { status, headers } of answers.slice(-limit)) {
        expect([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual([
          429,
          "20",
          "0",
        ]);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
      return;
    }
  });

  // rule access.login.3
  test("refused sign-ins are counted together, and the ban holds on both", async () => {
    await ok("PUT", "/settings/trusted_proxies", { value: "127.0.0.1" });
    const attempt = (panel: WholePanel, password: string) =>
      panel.call(
        "POST",
        "/api/v1/login",
        { username: "root", password },
        { cookie: "none=", "x-forwarded-for": "203.0.113.99" },
      );
    const refused = [];
    for (let turn = 0; turn < 5; turn++)
      refused.push((await attempt(turn % 2 === 0 ? one : two, "wrong password")).status);
    expect(refused).toEqual([401, 401, 401, 401, 401]);
    for (const panel of [one, two]) expect((await attempt(panel, PASSWORD)).status).toBe(429);
    await ok("PUT", "/settings/trusted_proxies", { value: "" });
  });

  test("wrong codes of an account are counted together, and slow it down on both; a right one is taken", async () => {
    await ok("PUT", "/settings/trusted_proxies", { value: "127.0.0.1" });
    const { username } = await operator("admin");
    const session = await signIn(one, username);
    let address = 0;
    const act = (panel: WholePanel, path: string, body?: object) =>
      panel.call("POST", `/api/v1/me${path}`, body, { ...session, "x-forwarded-for": `203.0.113.${++address}` });
    const { secret } = (await act(one, "/2fa/totp")).body as { secret: string };
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
    expect((await act(one, "/2fa/totp/confirm", { code: code(-1) })).status).toBe(200);
    for (let turn = 0; turn < 10; turn++)
      expect((await act(turn % 2 === 0 ? one : two, "/confirm", { code: "000000" })).status).toBe(401);
    for (const [panel, typed, status, least] of [
      [two, () => "000000", 401, 1000],
      [one, () => code(0), 200, 2000],
    ] as const) {
      const begun = performance.now();
      expect((await act(panel, "/confirm", { code: typed() })).status).toBe(status);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(least - 20);
    }
    await ok("PUT", "/settings/trusted_proxies", { value: "" });
  });

  test("the audit log of both is one, newest first; logging that is switched off on one is off on the other", async () => {
    const since = Math.floor(Date.now() / 1000);
    const label = (panel: WholePanel, value: string) =>
      panel.call("PUT", "/api/v1/settings/sub_title", { value }, { authorization: `Bearer ${panel.token}` });
    for (let turn = 0; turn < 6; turn++) await label(turn % 2 === 0 ? one : two, `title ${turn}`);
    await ok("PUT", "/settings/changes_logging", { value: "false" });
    await label(two, "unrecorded");
    const rows: { time: number; entityId: string; obj: { value: [string, string] } }[] = (
      await ok("GET", `/changes?key=settings&from=${since}`)
    ).items;
    expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).toSorted((a, b) => b - a));
    const titles = rows.filter(({ entityId }) => entityId === "sub_title").map(({ obj }) => obj.value[1]);
    expect(titles.toSorted()).toEqual(Array.from({ length: 6 }, (_, turn) => `title ${turn}`));
  });
});
