// Subscriptions looked at, and the table of formats as a setting.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

describe.each(dialects)("subscriptions looked at on %s", (dialect) => {
  let panel: TestPanel;
  let user: { id: number; subId: string };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    panel.api.app.inject({ method: "GET", url: path, headers: { host: "panel.example", ...headers } });
  const preview = async (query: string) => panel.ok("GET", `/users/${user.id}/sub/preview?${query}`);

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    const tls = { enabled: true, server_name: "n.example" };
    const make = async (tag: string, type: string, config: object): Promise<number> =>
      (await panel.ok("POST", "/inbounds", { tag, type, config })).id;
    const inboundIds = [
      await make("plain", "vless", { listen_port: 443 }),
      await make("tuic", "tuic", { listen_port: 444, tls }),
      await make("split", "vless", { listen_port: 445, transport: { type: "xhttp" } }),
      await make("any", "anytls", { listen_port: 446, tls }),
      await make("fed", "vless", {}),
      await make("relay", "direct", { listen_port: 447 }),
    ];
    const { id: templateId } = await panel.ok("POST", "/templates", { name: "t", inboundIds });
    const idle = await make("idle", "vless", { listen_port: 448 });
    const other = (await panel.ok("POST", "/templates", { name: "other", inboundIds: [idle] })).id;
    panel.entryNodes = [
      {
        id: 7,
        templateId,
        name: "n7",
        remark: "",
        address: "192.0.2.7",
        linkAddress: "",
        vision: true,
        multiplex: true,
      },
    ];
    user = await panel.ok("POST", "/users", { name: "ali", deviceLimit: 1, templateIds: [templateId, other] });
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rule subscriptions.preview.1
  test("a client gets what the preview shows, which says what is left out and why", async () => {
    const inbounds: Record<string, number> = Object.fromEntries(
      (await panel.ok("GET", "/inbounds")).items.map(({ tag, id }: { tag: string; id: number }) => [tag, id]),
    );
    const seen = await preview("format=sing-box&userAgent=SFA/1.11.0%20(sing-box%201.11.0)");
    expect(seen).toMatchObject({ rule: null, format: "singbox", status: 200 });
    expect(seen.entries).toEqual(
      ["plain", "tuic"].map((tag) => ({
        remark: `${tag} n7`,
        nodeId: 7,
        node: "n7",
        inboundId: inbounds[tag],
        inbound: tag,
        frontId: null,
        front: null,
      })),
    );
    expect(
      seen.omitted.map(({ inbound, nodeId, code, text }: Record<string, unknown>) => [inbound, nodeId, code, text]),
    ).toEqual([
      ["split", 7, "transport", "singbox has no transport xhttp"],
      ["any", 7, "core", "this version of the client has no anytls"],
      ["fed", 0, "no_port", "the inbound has no port"],
      ["relay", 0, "type", "no client connects to an inbound of the type direct"],
      ["idle", 0, "no_node", "no node that is switched on serves the inbound"],
    ]);
    const xray = await preview("format=xray");
    expect(xray.omitted.slice(0, 2)).toMatchObject([
      { inbound: "tuic", code: "protocol", text: "xray has no tuic" },
      { inbound: "any", code: "protocol" },
    ]);
    for (const [userAgent, format] of Object.entries({ "clash-verge/2.0": "clash", "Happ/2.0": "base64" })) {
      const shown = await preview(`userAgent=${userAgent}`);
      const real = await get(`/sub/${user.subId}`, { "user-agent": userAgent });
      expect([shown.format, shown.body]).toEqual([format, real.body]);
      for (const [name, value] of Object.entries(shown.headers))
        expect(real.headers[name.toLowerCase()], name).toBe(value);
    }
    expect((await preview("userAgent=clash-verge/2.0")).rule).toMatchObject({ value: "Clash", operator: "startsWith" });
    expect((await panel.call("GET", `/users/${user.id}/sub/preview?format=nonsense`)).body.field).toBe("format");
  });

  // rule subscriptions.preview.2
  test("nodes are named for those who may see nodes", async () => {
    panel.reseller("shop", 7, new Set(["users:read"]));
    await panel.ok("PATCH", `/users/${user.id}`, { adminId: 7 });
    const named = await preview("format=singbox");
    const unnamed = (await panel.call("GET", `/users/${user.id}/sub/preview?format=singbox`, undefined, "shop")).body;
    for (const part of ["entries", "omitted"] as const) {
      expect(named[part][0]).toMatchObject({ nodeId: 7, node: "n7" });
      expect(unnamed[part][0]).toEqual({ ...named[part][0], node: null });
    }
  });

  // rule subscriptions.preview.1
  test("it records nothing and gives no place; a device that would be refused is shown so", async () => {
    expect(await preview("hwid=one")).toMatchObject({ status: 200 });
    expect(await panel.ok("GET", `/users/${user.id}/devices`)).toEqual([]);
    await get(`/sub/${user.subId}`, { "x-hwid": "two" });
    await panel.flushFetches();
    const before = await panel.ok("GET", `/users/${user.id}`);
    await panel.advance(60);
    expect(await preview("hwid=one")).toMatchObject({ status: 403, body: "", entries: [], omitted: [] });
    await panel.flushFetches();
    expect(await panel.ok("GET", `/users/${user.id}`)).toEqual(before);
    expect(await panel.ok("GET", `/users/${user.id}/sub/requests`)).toHaveLength(1);
    expect(
      await panel.database.reads.query(sql`select id from events where event = 'user.device_limit_reached'`),
    ).toEqual([]);
    await panel.ok("PATCH", `/users/${user.id}`, { enable: false });
    expect(await preview("format=links")).toMatchObject({ status: 200, body: expect.stringContaining("0.0.0.0") });

    panel.reseller("shop", 7);
    expect((await panel.call("GET", `/users/${user.id}/sub/preview`, undefined, "shop")).status).toBe(404);
  });

  // rule subscriptions.format.9
  test("the table is a setting that holds at once, with headers for one client", async () => {
    const row = { header: "user-agent", operator: "startsWith", value: "happ/", format: "xray", enabled: true };
    const tried = await panel.ok("POST", "/sub/rules/test", { userAgent: "Happ/2.0", rules: [row] });
    expect(tried).toEqual({ rule: { position: 0, ...row }, format: "xray", rules: [row] });
    const plain = await panel.ok("POST", "/sub/rules/test", { userAgent: "Happ/2.0" });
    expect(plain).toMatchObject({ rule: null, format: "base64" });
    // What the table is while nobody has set one.
    expect(plain.rules[0]).toMatchObject({ header: "accept", operator: "prefers", format: "html" });
    panel.settings.set(
      "sub_rules",
      JSON.stringify([
        { ...row, enabled: false },
        { ...row, format: "singbox", headers: { "routing-enable": "1", announce: "hello" } },
      ]),
    );
    const answer = await get(`/sub/${user.subId}`, { "user-agent": "HAPP/1" });
    expect(answer.json()).toHaveProperty("outbounds");
    expect(answer.headers).toMatchObject({ "routing-enable": "1", announce: "hello" });
    expect((await panel.ok("POST", "/sub/rules/test", { userAgent: "Happ/2.0" })).rule.position).toBe(1);
    // The built-in rows are gone with it, and come back with what cannot be read.
    expect((await preview("userAgent=clash-verge/2.0")).format).toBe("base64");
    panel.settings.set("sub_rules", "[{");
    expect((await preview("userAgent=clash-verge/2.0")).format).toBe("clash");
  });
});
