// `signalbox admin create|reset-password|disable-2fa` beside a running panel and without one.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { Program, SIGNALBOX } from "./processes.ts";
import { WholePanel } from "../whole-panel.ts";

const PASSWORD = "correct horse";

describe.each(dialects)("admin from the command line on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const command = async (args: readonly string[], stdin = "") => {
    const env = { SIGNALBOX_DATA_DIR: panel.directory, SIGNALBOX_DATABASE_URL: panel.databaseUrl };
    const program = new Program({ command: process.execPath, args: [...SIGNALBOX, "admin", ...args], env, stdin });
    const { code } = await program.exited;
    return { code, output: program.output };
  };
  const login = (username: string, password = PASSWORD) => panel.call("POST", "/api/v1/login", { username, password });
  const session = (method: string, path: string, body?: unknown) =>
    panel.call(method, `/api/v1${path}`, body, { cookie: panel.cookie });
  const enrol = async () => {
    const { secret } = (await session("POST", "/me/2fa/totp")).body;
    const enabled = await session("POST", "/me/2fa/totp/confirm", { code: generateSync({ secret }) });
    expect(enabled.status, enabled.text).toBe(200);
  };

  // rule process.command.3
  test("disable-2fa: the next sign-in asks for no code; recorded and told", async () => {
    await enrol();
    expect((await login("root")).body).toHaveProperty("pending");
    expect(await command(["disable-2fa", "ROOT"])).toEqual({ code: 0, output: "" });
    expect((await login("root")).body).toMatchObject({ username: "root", twoFactor: false });
    expect((await session("GET", "/me/2fa")).body).toEqual({ enabled: false, enabledAt: 0, recoveryCodesLeft: 0 });
    const { body } = await session("GET", "/changes?action=2fa.disable");
    expect(body.items).toMatchObject([{ via: "cli", key: "admins", entityId: "1", obj: {} }]);
    const told = (await session("GET", "/events/log?event=admin.2fa_changed")).body.items;
    expect(told.map(({ data }: { data: { enabled: boolean } }) => data.enabled).toSorted()).toEqual([false, true]);
  });

  test("disable-2fa where it is off is done; an unknown operator is refused, a missing one is bad usage", async () => {
    expect((await command(["disable-2fa", "root"])).code).toBe(0);
    const unknown = await command(["disable-2fa", "nobody"]);
    expect(unknown.code).toBe(1);
    expect(unknown.output).toContain("there is no operator nobody");
    expect((await command(["disable-2fa"])).code).toBe(2);
    expect((await command(["disable-2fa", "root", "more"])).code).toBe(2);
  });

  // rule process.command.3
  test("an operator that was made there signs in at once; a reset ends its sessions", async () => {
    expect(await command(["create", "second", "admin"], `${PASSWORD}\n`)).toEqual({ code: 0, output: "" });
    const signedIn = await login("second");
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await panel.call("GET", "/api/v1/me", undefined, { cookie })).body).toMatchObject({ role: "admin" });
    expect((await command(["reset-password", "second"], "another password\n")).code).toBe(0);
    expect((await panel.call("GET", "/api/v1/me", undefined, { cookie })).status).toBe(401);
    expect([(await login("second")).status, (await login("second", "another password")).status]).toEqual([401, 200]);
  });

  // rule process.command.3
  test("without a running panel too", async () => {
    await enrol();
    await panel.stop();
    expect(await command(["disable-2fa", "root"])).toEqual({ code: 0, output: "" });
    await panel.start();
    expect((await login("root")).body).toMatchObject({ username: "root", twoFactor: false });
  });
});
