// Bans: who may not sign in, until when and why, and lifting one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("bans on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const login = (ip: string, password = "wrong password") =>
    panel.send("POST", "/api/login", { ip, body: { username: "root", password } });
  const ban = async (ip: string) => {
    for (let each = 0; each < 5; each++) await login(ip);
    return Math.floor(panel.clock.now / 1000) + 900;
  };
  const bans = async () => (await panel.send("GET", "/api/v1/security/bans", { as: root })).body;
  const lift = (ip: string, as = root) => panel.send("DELETE", `/api/security/bans/${encodeURIComponent(ip)}`, { as });

  // rule access.ban.1
  test("are listed with their end and reason, an IPv6 address by its /64, and end by themselves", async () => {
    await login("198.51.100.1");
    expect(await bans()).toEqual([]);
    const until = await ban("198.51.100.2");
    panel.clock.now += 1000;
    await ban("2001:db8:1:2:3::4");
    const reason = "refused sign-ins";
    expect(await bans()).toEqual([
      { ip: "2001:db8:1:2::/64", until: until + 1, reason, attempts: 5 },
      { ip: "198.51.100.2", until, reason, attempts: 5 },
    ]);
    panel.clock.now += 900_000;
    expect(await bans()).toEqual([]);
    expect((await lift("198.51.100.2")).status).toBe(404);
  });

  // rule access.ban.1
  test("lifted, the address may sign in at once; it is on record", async () => {
    await ban("198.51.100.3");
    expect((await login("198.51.100.3", PASSWORD)).status).toBe(429);
    expect((await lift("198.51.100.3")).status).toBe(200);
    expect((await login("198.51.100.3", PASSWORD)).status).toBe(200);
    const [record] = (await panel.send("GET", "/api/changes?key=bans&limit=1", { as: root }))
      .body as unknown as object[];
    expect(record).toMatchObject({ action: "delete", entityId: "198.51.100.3", obj: { reason: "refused sign-ins" } });
    expect((await lift("198.51.100.3")).status).toBe(404);
    await ban("2001:db8:9::1");
    expect((await lift("2001:db8:9:0:ffff::1")).status).toBe(200);
    await ban("2001:db8:9::1");
    for (const { ip } of (await bans()) as unknown as { ip: string }[]) expect((await lift(ip)).status).toBe(200);
    expect(await bans()).toEqual([]);
  });

  // rule access.ban.2
  test("are for main admins and operators with the scopes of security", async () => {
    await panel.send("POST", "/api/admins", { as: root, body: { username: "op", password: PASSWORD, role: "admin" } });
    const op = await signIn(panel, "op");
    expect((await panel.send("GET", "/api/security/bans", { as: op })).status).toBe(200);
    expect((await lift("198.51.100.9", op)).status).toBe(404);
    const scopes = ["users:read"];
    await panel.send("POST", "/api/roles", { as: root, body: { name: "narrow", base: "admin", scopes } });
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "few", password: PASSWORD, role: "narrow" },
    });
    const few = await signIn(panel, "few");
    expect((await panel.send("GET", "/api/security/bans", { as: few })).status).toBe(403);
    expect((await lift("198.51.100.9", few)).status).toBe(403);
  });
});
