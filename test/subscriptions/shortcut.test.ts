// A subscription is answered before the framework sees the request, and by the framework's hook where it is not: every
// request has the same answer either way, and is recorded and counted once.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { TestPanel } from "../accounts/panel.ts";

const host = "panel.example";
const PATHS = [
  "",
  "/links",
  "/base64",
  "/CLASH",
  "/sing-box",
  "/xray",
  "/info",
  "/html",
  "/nonsense",
  "/links/more",
  "/",
  "//",
];
const QUERIES = ["", "?format=clash", "?format=nonsense", "?format=html", "?%zz&format=%zz", "?a=b?format=clash"];
const CLIENTS = ["", "Happ/2.0", "SFA/1.11.0", "Clash", "Shadowrocket/2070"];

describe.each(dialects)("subscriptions over connections on %s", (dialect) => {
  let panel: TestPanel;
  let from = 0;

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    const config = { listen_port: 443, tls: { enabled: true, server_name: "n.example" } };
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "trojan", config });
    const templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] })).id;
    const node = { name: "n1", remark: "", address: "192.0.2.1", linkAddress: "", vision: true, multiplex: true };
    panel.entryNodes = [{ id: 1, templateId, ...node }];
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  /** The answer over a connection, which must be the one of the routes. */
  async function same(url: string, headers: Record<string, string>, method: "GET" | "HEAD" = "GET") {
    // An address may ask 120 times in a minute.
    const remoteAddress = `127.0.${1 + Math.floor(from / 200)}.${1 + (from++ % 200)}`;
    const over = await panel.ask(url, headers, method, remoteAddress);
    const routed = await panel.api.app.inject({ method, url, headers, remoteAddress });
    const told = (all: object) =>
      Object.fromEntries(
        Object.entries(all).filter(([name]) => !["date", "connection", "keep-alive", "x-request-id"].includes(name)),
      );
    const asked = [method, url, headers];
    expect([asked, over.statusCode, told(over.headers)]).toEqual([asked, routed.statusCode, told(routed.headers)]);
    expect([asked, over.body]).toEqual([asked, routed.body]);
    expect(over.headers["x-request-id"]).toMatch(/^\w{12}$/);
    return over;
  }

  // rule subscriptions.key.7
  test("whatever is asked, by whomever, has the answer of the routes", async () => {
    const on = await panel.ok("POST", "/users", { name: "on", remark: "زیبا", volume: 100 });
    const off = await panel.ok("POST", "/users", { name: "off", enable: false });
    // The page says when it was made.
    for (const path of PATHS)
      for (const [index, query] of QUERIES.entries()) {
        const userAgent = CLIENTS[(index + path.length) % CLIENTS.length] ?? "";
        await same(`/sub/${on.subId}${path}${query}`, { host, "user-agent": userAgent });
      }
    for (const client of CLIENTS)
      for (const key of [on.subId, on.subToken, off.subId, "nobody", "%00", "a".repeat(65), "null", ""])
        await same(`/sub/${key}`, { host, "user-agent": client, accept: "*/*" });
    for (const url of [
      `/sub`,
      `/sub/${on.subId}/links?`,
      `/sub//${on.subId}`,
      `/subs/${on.subId}`,
      `//sub/${on.subId}`,
    ])
      await same(url, { host });
    await same(`/sub/${on.subId}`, { host, accept: "text/html", "user-agent": "Mozilla/5.0" });
    for (const format of ["links", "info", "nonsense", "html"])
      await same(`/sub/${on.subId}/${format}`, { host }, "HEAD");
    panel.settings.set(
      "sub_rules",
      JSON.stringify([
        {
          header: "user-agent",
          operator: "contains",
          value: "happ",
          format: "clash",
          enabled: true,
          headers: { announce: "x", "hide-settings": "1" },
        },
      ]),
    );
    expect((await same(`/sub/${on.subId}`, { host, "user-agent": "Happ/2.0" })).headers["hide-settings"]).toBe("1");
    panel.settings.set("sub_rules", "");
    expect(
      (await same(`/sub/${on.subId}`, { host, "user-agent": "Happ/2.0" })).headers["hide-settings"],
    ).toBeUndefined();
    panel.settings.set("sub_domain", "a.example, *.b.example");
    for (const name of [
      "a.example",
      "A.Example:443",
      "x.b.example",
      "b.example",
      "x.y.b.example",
      "panel.example",
      "a.example.",
    ])
      await same(`/sub/${on.subId}/links`, { host: name });
    panel.settings.set("sub_domain", "");
    panel.settings.set("sub_basepath", "/feed/x/");
    expect((await same(`/feed/x/${on.subId}/links`, { host })).statusCode).toBe(200);
    expect((await same(`/sub/${on.subId}/links`, { host })).statusCode).toBe(404);
  });

  // rule subscriptions.key.7
  test("an account that is rotated, deleted or brought back is so for the next request", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    const status = async (key: string) => {
      const { statusCode, body } = await same(`/sub/${key}/links`, { host });
      return body.includes("192.0.2.1") ? "served" : statusCode;
    };
    for (const key of [user.subId, user.subToken])
      expect([await status(key), await status(key)]).toEqual(["served", "served"]);
    await panel.ok("PATCH", `/users/${user.id}`, { enable: false });
    expect([await status(user.subId), await status(user.subToken)]).toEqual([200, 200]);
    await panel.ok("PATCH", `/users/${user.id}`, { enable: true });
    await panel.traffic(user.id, 5, 6);
    expect((await same(`/sub/${user.subId}/links`, { host })).headers["subscription-userinfo"]).toContain(
      "upload=5; download=6",
    );
    await panel.ok("POST", `/users/${user.id}/sub/rotate`, {});
    const rotated = await panel.ok("GET", `/users/${user.id}`);
    expect([await status(user.subId), await status(user.subToken), await status(rotated.subId)]).toEqual([
      404,
      404,
      "served",
    ]);
    await panel.ok("DELETE", `/users/${user.id}`);
    expect([await status(rotated.subId), await status(rotated.subToken)]).toEqual([404, 404]);
    // A key that is free may go to another account. Then the servers of that account are listed under it.
    await panel.advance(8 * 86_400);
    const other = await panel.ok("POST", "/users", { name: "other", subId: rotated.subId });
    expect((await same(`/sub/${rotated.subId}/links`, { host })).body).toContain(other.config.password);
  });

  // rule subscriptions.key.7
  test("devices have their places, and those without one are refused", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 1 });
    const url = `/sub/${user.subId}`;
    expect((await same(url, { host, "x-hwid": "one" })).statusCode).toBe(200);
    expect((await same(url, { host, "x-hwid": "two" })).headers["x-hwid-limit"]).toBe("true");
    expect((await same(url, { host, "x-hwid": "two" }, "HEAD")).statusCode).toBe(403);
    expect((await same(url, { host })).statusCode).toBe(200);
    panel.settings.set("device_limit_strict", "true");
    expect((await same(url, { host })).headers["x-hwid-not-supported"]).toBe("true");
    await panel.ok("DELETE", `/users/${user.id}/devices/one`);
    expect((await same(url, { host, "x-hwid": "two" })).statusCode).toBe(200);
  });

  // rule subscriptions.key.7
  test("each request is counted once and recorded once", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    const statuses: number[] = [];
    for (let turn = 0; turn < 121; turn++) {
      const path =
        turn % 3 === 0 ? `/sub/${user.subId}/links` : turn % 3 === 1 ? "/sub/nobody" : `/sub/${user.subId}/nonsense`;
      statuses.push((await panel.ask(path, { host, "user-agent": "a".repeat(300) }, "GET", "127.0.9.9")).statusCode);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.at(-1)).toBe(429);
    expect(panel.shortened).toBe(121);
    // The page is the framework's, and has the same budget.
    const limited = await panel.ask(`/sub/${user.subId}/html`, { host }, "GET", "127.0.9.9");
    const routed = await panel.api.app.inject({
      url: `/sub/${user.subId}`,
      headers: { host },
      remoteAddress: "127.0.9.9",
    });
    expect([limited.statusCode, limited.headers["retry-after"], routed.statusCode]).toEqual([429, "60", 429]);
    await panel.flushFetches();
    const requests = await panel.ok("GET", `/users/${user.id}/sub/requests`);
    expect(requests).toHaveLength(40);
    expect(requests[0]).toMatchObject({ format: "links", ip: "127.0.9.9", status: 200, userAgent: "a".repeat(256) });
    expect(await panel.events(user.id)).toContain("user.first_fetch");
  });

  test("what the database cannot answer is said by the routes, and counted once", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    const { reads } = panel.database;
    const query = reads.query.bind(reads);
    reads.query = () => Promise.reject(new Error("away"));
    for (let turn = 0; turn < 119; turn++) {
      const { statusCode } = await panel.ask(`/sub/${user.subId}/links`, { host }, "GET", "127.0.9.8");
      expect(statusCode).toBe(500);
    }
    reads.query = query;
    const last = async () => (await panel.ask(`/sub/${user.subId}/links`, { host }, "GET", "127.0.9.8")).statusCode;
    expect([await last(), await last()]).toEqual([200, 429]);
  });
});
