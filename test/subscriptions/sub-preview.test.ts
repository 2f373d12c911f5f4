// Subscriptions looked at, and the table of formats as a setting.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock, sql } from "../../src/db/index.ts";
import { InboundRows, type InboundRow } from "../../src/pool/index.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "../accounts/panel.ts";

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

  // rule subscriptions.preview.4
  test("the page for people and info are looked at too, with the servers that they list", async () => {
    const all = ["plain n7", "tuic n7", "split n7", "any n7"];
    const namesIn = async (query: string) =>
      (await preview(query)).entries.map(({ remark }: { remark: string }) => remark);
    expect(await preview("format=info")).toMatchObject({ format: "info", status: 200 });
    expect(await namesIn("format=info")).toEqual(all);
    const shown = await preview("format=html");
    const real = await get(`/sub/${user.subId}`, { accept: "text/html" });
    expect([shown.rule, shown.status, shown.body]).toEqual([null, 200, real.body]);
    for (const [name, value] of Object.entries(shown.headers))
      expect(real.headers[name.toLowerCase()], name).toBe(value);
    // A page for an account with a limit lists no servers, and needs no place.
    expect(shown.entries).toEqual([]);
    await panel.ok("PATCH", `/users/${user.id}`, { deviceLimit: 0 });
    expect(await namesIn("format=html")).toEqual(all);
    // What an operator's own row gives to an app is what the preview shows.
    const row = { header: "user-agent", operator: "contains", value: "Reader", format: "html", enabled: true };
    panel.settings.set("sub_rules", JSON.stringify([row]));
    expect(await preview("userAgent=My%20Reader/1")).toMatchObject({ format: "html", rule: { position: 0 } });
    await panel.ok("PATCH", `/users/${user.id}`, { enable: false });
    for (const format of ["html", "info"]) expect(await namesIn(`format=${format}`)).toEqual([]);
  });

  /** Stores what this version would refuse, as an older one did; the inbound's id. */
  async function store(tag: string, fields: Partial<InboundRow>): Promise<number> {
    const { items } = await panel.ok("GET", `/inbounds?q=${tag}`);
    const id = Number(items[0].id);
    await panel.database.commits.submit({
      name: "older",
      locks: [lock(InboundRows, id)],
      decide: (draft) => draft.update(InboundRows, id, fields),
    });
    return id;
  }
  const leftOutOf = async (query: string, tag: string) =>
    (await preview(query)).omitted
      .filter(({ inbound }: { inbound: string }) => inbound === tag)
      .map(({ code, what, nodeId }: Record<string, unknown>) => [code, what, nodeId]);

  // rule subscriptions.preview.3
  test("what an older version stored and this one refuses is named, there and at the inbound", async () => {
    const fields = ["config.up_mbps", "config.transport.type"];
    const plain = await store("plain", { config: { listen_port: 443, up_mbps: 1, transport: { type: "kcp" } } });
    const tls = { fragment: true, utls: { fingerprint: "netscape" } };
    const tuic = await store("tuic", { clientConfig: { server: "cdn.example", server_port: 0, tls } });
    const untold = ["clientConfig.server_port", "clientConfig.tls.utls"];
    for (const format of ["links", "clash", "singbox", "xray"])
      expect([format, await leftOutOf(`format=${format}`, "plain")]).toEqual([
        format,
        [["refused", fields.join(", "), 0]],
      ]);
    expect((await preview("format=links")).body).toContain("@cdn.example:444");
    expect(await leftOutOf("format=links", "tuic")).toEqual([
      ["refused_part", untold.join(", "), 0],
      ["part", "clientConfig.tls.fragment", 7],
    ]);
    expect(await leftOutOf("format=singbox", "tuic")).toEqual([["refused_part", untold.join(", "), 0]]);
    expect(await leftOutOf("format=singbox&userAgent=SFA/1.10.1", "tuic")).toContainEqual([
      "part",
      "clientConfig.tls.fragment",
      7,
    ]);
    expect((await panel.ok("GET", `/inbounds/${plain}`)).refused).toEqual(fields);
    expect((await panel.ok("GET", "/inbounds?q=tuic")).items[0].refused).toEqual(untold);

    // Not among those of an account that has no use for it.
    await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: [tuic] });
    expect(await leftOutOf("format=links", "plain")).toEqual([]);
    await panel.ok("PATCH", `/users/${user.id}`, { inboundIds: null });

    const { updatedAt: version } = await panel.ok("GET", `/inbounds/${plain}`);
    const mended = await panel.ok("PUT", `/inbounds/${plain}`, { version, config: { listen_port: 443 } });
    expect([mended.refused, await leftOutOf("format=links", "plain")]).toEqual([[], []]);
  });

  // rule subscriptions.preview.3
  test("an entry that is another one again, and parts for which a client has no word, are named", async () => {
    const [first] = panel.entryNodes;
    if (!first) throw new Error("no node");
    panel.entryNodes = [first, { ...first, id: 8, name: "n8", address: "192.0.2.8" }];
    await store("plain", {
      clientConfig: { server: "cdn.example" },
      config: { listen_port: 443, multiplex: { enabled: true } },
    });
    expect(await leftOutOf("format=singbox", "plain")).toEqual([["same", "", 8]]);
    expect(await leftOutOf("format=links", "plain")).toEqual([
      ["same", "", 8],
      ["part", "config.multiplex", 7],
    ]);
  });

  // rule subscriptions.entry.11
  test("a template of TLS counts where clients use TLS, and is named where none is told it", async () => {
    await store("plain", { clientConfig: { tls: { server_name: "a.example" } } });
    expect(await leftOutOf("format=links", "plain")).toEqual([["part", "clientConfig.tls", 7]]);
    await store("plain", { clientConfig: { tls: { enabled: true, server_name: "a.example" } } });
    expect(await leftOutOf("format=links", "plain")).toEqual([]);
    expect((await preview("format=links")).body).toContain("security=tls&sni=a.example");
    await store("plain", { clientConfig: { tls: { enabled: false } } });
    expect(await leftOutOf("format=links", "plain")).toEqual([]);
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
