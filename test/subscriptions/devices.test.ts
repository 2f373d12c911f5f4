// Places of devices under `deviceLimit`, the events about them, and the requests that are kept.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { devicePlaces } from "../../src/accounts/devices/device-places.ts";
import { UserRows } from "../../src/accounts/index.ts";
import { sql } from "../../src/db/index.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { entities } from "../../src/panel/entities.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { START, TestPanel } from "../accounts/panel.ts";

const nameless = { platform: "", osVersion: "", model: "", userAgent: "", ip: "192.0.2.7" };

describe.each(dialects)("devices on %s", (dialect) => {
  let panel: TestPanel;
  const get = async (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "DELETE" = "GET") =>
    panel.api.app.inject({ method, url: path, headers: { host: "panel.example", ...headers } });
  const devices = async (id: number): Promise<string[]> =>
    (await panel.ok("GET", `/users/${id}/devices`)).map(({ hwid }: { hwid: string }) => hwid);
  const told = async () => {
    const rows = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where event = 'user.device_limit_reached' order by id`,
    );
    return rows.map(({ data }) => JSON.parse(data) as { hwid: string; limit: number });
  };

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 443 } });
    const { id: templateId } = await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] });
    panel.entryNodes = [
      {
        id: 1,
        templateId,
        name: "n1",
        remark: "",
        address: "192.0.2.1",
        linkAddress: "",
        vision: true,
        multiplex: true,
      },
    ];
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  const announced = ({ announce }: Readonly<Record<string, unknown>>) =>
    Buffer.from(String(announce).replace("base64:", ""), "base64").toString("utf8");

  // rules subscriptions.device.6, subscriptions.fetch.6
  test.each([
    ["Ali’s iPhone 📱", "Ali’s iPhone 📱"],
    ["Телефон Оли", "Телефон Оли"],
    ["گوشی علی", "گوشی علی"],
    ["小米 14", "小米 14"],
    // A byte that is no UTF-8 is what it always was.
    [Buffer.from([0x43, 0x61, 0x66, 0xe9]), "Café"],
  ])("what a device writes in UTF-8 is read as that: %s", async (sent, read) => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 5 });
    const raw = Buffer.from(sent as string).toString("latin1");
    const headers = { "x-device-os": raw, "x-ver-os": raw, "x-device-model": raw, "user-agent": `v2rayNG/1 ${raw}` };
    await get(`/sub/${user.subId}`, { "x-hwid": "one", ...headers });
    await panel.flushFetches();
    const userAgent = `v2rayNG/1 ${read}`;
    expect(await panel.ok("GET", `/users/${user.id}/sub/requests`)).toMatchObject([{ userAgent }]);
    expect(await panel.ok("GET", `/users/${user.id}/devices`)).toMatchObject([
      { platform: read, osVersion: read, model: read, userAgent },
    ]);
    expect(await panel.ok("GET", `/users/${user.id}`)).toMatchObject({ subClient: userAgent });
  });

  // rules subscriptions.device.1, subscriptions.device.3, subscriptions.device.7
  test("a device past the limit is refused in every format, and is told of once an hour", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 2 });
    const path = `/sub/${user.subId}`;
    const first = await get(path, {
      "x-hwid": "one",
      "x-device-os": "Android",
      "x-ver-os": "15",
      "x-device-model": "Pixel 9",
      "user-agent": "Happ/2.0",
    });
    expect([first.statusCode, first.headers["x-hwid-active"]]).toEqual([200, "true"]);
    // Clients take it for a refusal.
    expect(first.headers["x-hwid-limit"]).toBeUndefined();
    expect((await get(path, { "x-hwid": "two" })).statusCode).toBe(200);
    for (const format of ["links", "base64", "clash", "singbox", "xray", "info"]) {
      const refused = await get(`${path}/${format}`, { "x-hwid": "three" });
      expect([format, refused.statusCode, refused.body]).toEqual([format, 403, ""]);
      expect(refused.headers).toMatchObject({ "x-hwid-max-devices-reached": "true", "x-hwid-limit": "true" });
      expect(refused.headers["content-disposition"]).toBeUndefined();
      expect(announced(refused.headers)).toBe("Too many devices: remove one, or ask your provider");
      expect((await get(`${path}/${format}`, { "x-hwid": "three" }, "HEAD")).statusCode).toBe(403);
      expect((await get(`${path}/${format}`, { "x-hwid": "one" })).statusCode).toBe(200);
    }
    expect(await told()).toEqual([expect.objectContaining({ userId: user.id, hwid: "three", limit: 2 })]);
    await get(path, { "x-hwid": "four" });
    expect(await told()).toHaveLength(2);
    panel.clock.advance(3_600_000);
    await get(path, { "x-hwid": "three" });
    expect(await told()).toHaveLength(3);
    // What a device says at a later fetch is written with others', a moment after the clock moved.
    await expect
      .poll(() => panel.ok("GET", `/users/${user.id}/devices`))
      .toEqual([
        expect.objectContaining({ hwid: "two" }),
        {
          hwid: "one",
          platform: "Android",
          osVersion: "15",
          model: "Pixel 9",
          userAgent: "lightMyRequest",
          ip: "127.0.0.1",
          firstSeenAt: START,
          lastSeenAt: expect.any(Number),
        },
      ]);
  });

  // rule subscriptions.device.2
  test("of fifty that come at once to two panels, as many get in as there are places", async () => {
    const user = await panel.ok("POST", "/users", { name: "crowd", deviceLimit: 3 });
    // No second process shares an SQLite database.
    const other =
      dialect === "sqlite"
        ? panel.database
        : await connectTestDatabase(panel.database.url, entities, () => panel.clock.now());
    try {
      const places = [panel.database, other].map(({ commits, reads }) =>
        devicePlaces({
          commits,
          reads,
          outbox: panel.supervisor.outbox,
          strict: () => false,
          now: () => START,
        }),
      );
      const row = await panel.database.reads.find(UserRows, user.id);
      if (!row) throw new Error("the account is not there");
      const verdicts = await Promise.all(
        Array.from({ length: 25 }).flatMap((_, round) =>
          places.map(async ({ admit }, panelNumber) =>
            admit(row, { ...nameless, hwid: `d${round}-${panelNumber}` }, true),
          ),
        ),
      );
      expect(verdicts.filter((verdict) => verdict === "admitted")).toHaveLength(3);
      expect(await devices(user.id)).toHaveLength(3);
      // Many are refused, but few of the refusals are told.
      expect(await told()).toHaveLength(10);
    } finally {
      if (other !== panel.database) await other.close();
    }
  });

  // rule subscriptions.device.4
  test("a place that was freed is given to the next; a rotation frees all where it says so", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 1 });
    const path = `/sub/${user.subId}`;
    await get(path, { "x-hwid": "one/1" });
    expect((await get(path, { "x-hwid": "two" })).statusCode).toBe(403);
    expect((await panel.call("DELETE", `/users/${user.id}/devices/two`)).status).toBe(404);
    expect(await panel.ok("DELETE", `/users/${user.id}/devices/${encodeURIComponent("one/1")}`)).toEqual({ ok: true });
    expect(panel.audits.at(-1)).toMatchObject({ action: "device.delete", entityId: String(user.id) });
    expect((await get(path, { "x-hwid": "two" })).statusCode).toBe(200);

    // The holder of the link may do it where the setting says so.
    expect((await get(`${path}/devices/two`, {}, "DELETE")).statusCode).toBe(404);
    panel.settings.set("sub_device_self_service", "true");
    expect((await get(`${path}/devices/nobody`, {}, "DELETE")).statusCode).toBe(404);
    expect((await get(`${path}/devices/%ff`, {}, "DELETE")).statusCode).toBe(400);
    expect((await get(`/sub/nobody/devices/two`, {}, "DELETE")).statusCode).toBe(404);
    expect((await get(`${path}/devices/two`, {}, "DELETE")).json()).toEqual({ ok: true });
    expect(await devices(user.id)).toEqual([]);

    await get(path, { "x-hwid": "three" });
    const { subId } = await panel.ok("POST", `/users/${user.id}/sub/rotate`, {});
    expect(await devices(user.id)).toEqual(["three"]);
    await panel.ok("POST", `/users/${user.id}/sub/rotate`, { devices: true });
    expect(await devices(user.id)).toEqual([]);
    expect((await get(`/sub/${subId}`, { "x-hwid": "three" })).statusCode).toBe(404);

    await panel.ok("PATCH", `/users/${user.id}`, { deviceLimit: 2, subId: "again" });
    for (const hwid of ["four", "five"]) await get("/sub/again", { "x-hwid": hwid });
    panel.reseller("shop", 7);
    expect((await panel.call("DELETE", `/users/${user.id}/devices`, undefined, "shop")).status).toBe(404);
    expect(await panel.ok("DELETE", `/users/${user.id}/devices`)).toEqual({ forgotten: 2 });
    expect(panel.audits.at(-1)).toMatchObject({ action: "device.delete", entityId: String(user.id) });
    expect(await panel.ok("DELETE", `/users/${user.id}/devices`)).toEqual({ forgotten: 0 });
    expect((await get("/sub/again", { "x-hwid": "six" })).statusCode).toBe(200);
  });

  // rule subscriptions.device.5
  test("without an id: served, unless the setting is strict and there is a limit", async () => {
    const limited = await panel.ok("POST", "/users", { name: "limited", deviceLimit: 1 });
    const free = await panel.ok("POST", "/users", { name: "free" });
    expect((await get(`/sub/${limited.subId}`)).statusCode).toBe(200);
    panel.settings.set("device_limit_strict", "true");
    const refused = await get(`/sub/${limited.subId}`, { "x-hwid": " \u0001 " });
    expect([refused.statusCode, refused.headers["x-hwid-not-supported"]]).toEqual([403, "true"]);
    expect((await get(`/sub/${free.subId}`)).statusCode).toBe(200);
    // What no address can name is no id: nobody could free its place.
    for (const hwid of [".", ".."])
      expect((await get(`/sub/${limited.subId}`, { "x-hwid": hwid })).statusCode).toBe(403);
    expect(await devices(limited.id)).toEqual([]);
    // An account that is served nothing has nothing to refuse, and takes no place.
    await panel.ok("PATCH", `/users/${limited.id}`, { enable: false });
    expect((await get(`/sub/${limited.subId}`, { "x-hwid": "one" })).statusCode).toBe(200);
    expect(await devices(limited.id)).toEqual([]);
  });

  // rule subscriptions.device.6
  test("an account without a limit lists its devices, and at most a hundred of them", async () => {
    const user = await panel.ok("POST", "/users", { name: "free" });
    for (let turn = 0; turn < 104; turn++) await get(`/sub/${user.subId}/info`, { "x-hwid": `d${turn}` });
    const known = await devices(user.id);
    expect(known).toHaveLength(100);
    expect(known).toContain("d103");
    await panel.ok("DELETE", `/users/${user.id}`);
    expect(await panel.database.reads.query(sql`select id from user_devices`)).toEqual([]);
  });

  // rules subscriptions.device.6, subscriptions.fetch.3
  test("what a device says of itself is one short line, and later fetches are written with the others", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 3 });
    const hwid = `"}],'--\t<b>${"x".repeat(400)}`;
    const ask = async (userAgent: string) => get(`/sub/${user.subId}`, { "x-hwid": hwid, "user-agent": userAgent });
    await ask("first");
    await panel.advance(60);
    await ask('second "{}" \\u0000');
    await get(`/sub/${user.subId}/singbox`, { "x-hwid": "other" });
    await panel.flushFetches();
    const [, device] = await panel.ok("GET", `/users/${user.id}/devices`);
    expect(device.hwid).toMatch(/^"\}\],'-- <b>x+$/);
    expect(device.hwid).toHaveLength(128);
    expect(device).toMatchObject({ userAgent: 'second "{}" \\u0000', firstSeenAt: START, lastSeenAt: START + 60 });
    const requests = await panel.ok("GET", `/users/${user.id}/sub/requests`);
    expect(requests).toMatchObject([
      { at: START + 60, format: "singbox", hwid: "other", status: 200 },
      { at: START + 60, format: "base64", userAgent: 'second "{}" \\u0000', status: 200 },
      { at: START, format: "base64", hwid: device.hwid, userAgent: "first", ip: "127.0.0.1", status: 200 },
    ]);
  });

  // rules access.session.11, subscriptions.fetch.3
  test("behind a proxy requests and devices have the client's address alone, and a text has none", async () => {
    panel.trustedProxies = parseAddressList("127.0.0.1");
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 20 });
    const spellings = [
      ["203.0.113.61:4711", "203.0.113.61"],
      ["[2001:DB8::61]:4711", "2001:db8::61"],
      ["::ffff:203.0.113.62", "203.0.113.62"],
      ["fe80::1%eth0", "fe80::1"],
      ["203.0.113.78<script>", "127.0.0.1"],
    ] as const;
    for (const shortens of [false, true]) {
      panel.shortens = shortens;
      for (const [written] of spellings) {
        const headers = { host: "panel.example", "x-forwarded-for": written, "x-hwid": `${shortens}${written}` };
        expect((await panel.ask(`/sub/${user.subId}/links`, headers)).statusCode).toBe(200);
        await get(`/sub/${user.subId}`, {
          "x-forwarded-for": written,
          accept: "text/html",
          "user-agent": "Mozilla/5.0",
        });
      }
    }
    await panel.flushFetches();
    const known = new Set(spellings.map(([, address]) => address as string));
    const requests: { ip: string }[] = await panel.ok("GET", `/users/${user.id}/sub/requests`);
    expect(new Set(requests.map(({ ip }) => ip))).toEqual(known);
    const held: { ip: string }[] = await panel.ok("GET", `/users/${user.id}/devices`);
    expect(new Set(held.map(({ ip }) => ip))).toEqual(known);
    for (let turn = 0; turn < 200; turn++) {
      const headers = { host: "panel.example", "x-forwarded-for": `203.0.113.63:${1000 + turn}` };
      const { statusCode } = await panel.ask("/sub/nobody", headers);
      expect([turn, statusCode]).toEqual([turn, turn < 120 ? 404 : 429]);
    }
  });

  // rule subscriptions.fetch.3
  test("of the requests the last fifty are kept, refused ones too, and none of a deleted account", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 1 });
    const other = await panel.ok("POST", "/users", { name: "other" });
    await get(`/sub/${other.subId}`);
    await get(`/sub/${user.subId}`, { "x-hwid": "one" });
    for (let turn = 0; turn < 40; turn++) await get(`/sub/${user.subId}/info`, { "x-hwid": `d${turn}` });
    await panel.flushFetches();
    for (let turn = 40; turn < 70; turn++) await get(`/sub/${user.subId}/info`, { "x-hwid": `d${turn}` });
    await panel.flushFetches();
    const requests = await panel.ok("GET", `/users/${user.id}/sub/requests`);
    expect(requests).toHaveLength(50);
    expect([requests[0].hwid, requests[49].hwid]).toEqual(["d69", "d20"]);
    expect(requests[0].status).toBe(403);
    const count = async () => (await panel.database.reads.query(sql`select id from sub_requests`)).length;
    expect(await count()).toBe(51);
    await panel.ok("DELETE", `/users/${user.id}`);
    expect(await count()).toBe(1);
  });
});
