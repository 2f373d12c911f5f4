// Subscriptions over HTTP: who gets what under which address, and what is recorded of it.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EntryNode } from "../../src/subscriptions/testing.ts";
import { servedUnder } from "../../src/accounts/links/subscription-paths.ts";
import { EventRows } from "../../src/runtime/index.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { START, TestPanel } from "../accounts/panel.ts";

describe.each(dialects)("subscriptions on %s", (dialect) => {
  let panel: TestPanel;
  let templateId: number;
  const node = (id: number, address: string): EntryNode => ({
    id,
    templateId,
    name: `n${id}`,
    remark: "",
    address,
    linkAddress: "",
    vision: true,
    multiplex: true,
  });
  const get = async (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    panel.api.app.inject({ method, url: path, headers: { host: "panel.example", ...headers } });
  const links = async (key: string) => (await get(`/sub/${key}/links`)).body.split("\n").filter((line) => line !== "");

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 443 } });
    templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] })).id;
    panel.entryNodes = [node(1, "192.0.2.1")];
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rules subscriptions.key.1, subscriptions.format.14
  test("an account's links, by subId and by token, in every format that there is", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", volume: 100 });
    const plain = await get(`/sub/${user.subId}/links`);
    expect(plain.statusCode).toBe(200);
    expect(plain.body).toContain(`vless://${user.config.uuid}@192.0.2.1:443`);
    expect(plain.headers["subscription-userinfo"]).toBe("upload=0; download=0; total=100; expire=0");
    expect(Buffer.from((await get(`/sub/${user.subToken}`)).body, "base64").toString()).toContain("192.0.2.1");
    expect((await get(`/sub/${user.subId}`, { "user-agent": "sing-box 1.12" })).json()).toHaveProperty("outbounds");
    // One server: the configuration itself, as cores take it.
    expect((await get(`/sub/${user.subId}/json`)).json()).toHaveProperty("outbounds");
    expect((await get(`/sub/${user.subId}/info`)).json()).toMatchObject({
      status: "active",
      volume: 100,
      links: [expect.stringContaining("vless://")],
    });
    const head = await get(`/sub/${user.subId}`, {}, "HEAD");
    expect([head.statusCode, head.body, head.headers["content-type"]]).toEqual([200, "", "text/plain; charset=utf-8"]);
  });

  // rule subscriptions.header.5
  test("Shadowrocket reads title and figures at the head of its list; nobody else has them", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali", volume: 2 ** 30 });
    panel.settings.set("sub_announce", "New servers\nvless://x");
    const list = async (userAgent: string) =>
      Buffer.from((await get(`/sub/${user.subId}`, { "user-agent": userAgent })).body, "base64").toString("utf8");
    const others = await list("v2rayN/7");
    expect(others).toMatch(/^vless:/);
    const head = "STATUS=0 B / 1 GiB · New servers vless://x\r\nREMARKS=ali\r\n";
    expect(await list("Shadowrocket/2070 CFNetwork/1410 Darwin/22")).toBe(head + others);
    // Kept apart, and made again when a figure is another.
    expect(await list("v2rayN/7")).toBe(others);
    await panel.ok("PATCH", `/users/${user.id}`, { volume: 2 ** 31 });
    expect(await list("shadowrocket/2070")).toContain("STATUS=0 B / 2 GiB ·");
    await panel.ok("PATCH", `/users/${user.id}`, { enable: false });
    expect(await list("shadowrocket/2070")).toMatch(/^STATUS=.*\r\nREMARKS=ali\r\nvless:.*@0\.0\.0\.0:1/);
  });

  // rule subscriptions.fetch.5
  test("a messenger that looks at the link gets a page without anything of the account, and nothing was fetched", async () => {
    panel.entryNodes = [node(1, "192.0.2.1")];
    const user = await panel.ok("POST", "/users", { name: "hidden-name", remark: "hidden-remark" });
    panel.settings.set("sub_title", "My <VPN>");
    panel.settings.set("sub_announce", "Back at five");
    const secrets = [user.config.uuid, user.config.password, user.subId, user.subToken, "hidden-", "://", "192.0.2.1"];
    const agent = "TelegramBot (like TwitterBot)";
    for (const path of [
      "",
      "/",
      "/links",
      "/base64",
      "/clash",
      "/singbox",
      "/xray",
      "/info",
      "/html",
      "?format=links",
    ]) {
      for (const key of [user.subId, user.subToken]) {
        const answer = await get(`/sub/${key}${path}`, { "user-agent": agent });
        expect([path, answer.statusCode, answer.headers["content-type"]]).toEqual([
          path,
          200,
          "text/html; charset=utf-8",
        ]);
        expect(answer.body).toContain("My &lt;VPN&gt;");
        expect(answer.body).toContain("Back at five");
        const all = `${JSON.stringify(answer.headers)}${answer.body}`;
        for (const secret of secrets) expect(all).not.toContain(secret);
      }
    }
    expect((await get("/sub/nobody", { "user-agent": agent })).statusCode).toBe(404);
    await panel.flushFetches();
    const record = await panel.ok("GET", `/users/${user.id}`);
    expect(record).toMatchObject({ subFetchedAt: 0, subClient: "", subFetchIp: "" });
    expect(record.subSeenAt).toBeGreaterThan(0);
    const ids = async (filter: string) =>
      (await panel.ok("GET", `/users?${filter}`)).items.map(({ id }: { id: number }) => id);
    expect(await ids("sub_fetched=true")).not.toContain(user.id);
    const preview = await panel.ok("GET", `/users/${user.id}/sub/preview?userAgent=${encodeURIComponent(agent)}`);
    expect(preview).toMatchObject({ format: "html", status: 200, entries: [] });
    for (const secret of secrets) expect(JSON.stringify(preview)).not.toContain(secret);
  });

  // rule http.path.7
  test("long bodies go compressed to clients that take them so, whichever way they are made", async () => {
    panel.entryNodes = Array.from({ length: 12 }, (_, at) => node(at + 1, `192.0.2.${at + 1}`));
    const user = await panel.ok("POST", "/users", { name: "long" });
    for (const format of ["links", "base64", "clash", "singbox", "xray", "html"]) {
      const path = `/sub/${user.subId}/${format}`;
      const plain = await get(path);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.rawPayload.length).toBeGreaterThan(1024);
      // The second one of the same encoding is kept.
      for (const [accepted, encoding, unpack] of [
        ["gzip, deflate, br", "gzip", gunzipSync],
        ["gzip", "gzip", gunzipSync],
        ["br", "br", brotliDecompressSync],
      ] as const) {
        const packed = await get(path, { "accept-encoding": accepted });
        expect([format, packed.headers["content-encoding"], packed.headers["vary"]]).toEqual([
          format,
          encoding,
          "accept-encoding",
        ]);
        if (format !== "html") expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
        expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      }
      const head = await panel.api.app.inject({
        method: "HEAD",
        url: path,
        headers: { host: "panel.example", "accept-encoding": "gzip" },
      });
      if (format !== "html") expect(head.headers).toMatchObject({ "content-length": String(plain.rawPayload.length) });
    }
    const short = await get(`/sub/${user.subId}/info?x`, { "accept-encoding": "gzip" });
    expect(short.statusCode).toBe(200);
    await panel.ok("PATCH", `/users/${user.id}`, { remark: "changed-remark" });
    const after = await get(`/sub/${user.subId}/links`, { "accept-encoding": "gzip" });
    expect(gunzipSync(after.rawPayload).toString()).toContain("changed-remark");
  });

  // rule subscriptions.key.1
  test("a slash behind the link changes nothing", async () => {
    panel.entryNodes = [node(1, "192.0.2.1")];
    const user = await panel.ok("POST", "/users", { name: "slash" });
    for (const path of ["", "/clash", "/singbox", "/xray", "/links", "/info"]) {
      const [plain, slashed] = await Promise.all([get(`/sub/${user.subId}${path}`), get(`/sub/${user.subId}${path}/`)]);
      expect([path, plain.statusCode, slashed.statusCode]).toEqual([path, 200, 200]);
      expect(slashed.body).toBe(plain.body);
    }
    expect((await get(`/sub/${user.subId}/html/`)).statusCode).toBe(200);
    for (const path of ["/clash//", "/nonsense/", "/clash/links/"])
      expect([path, (await get(`/sub/${user.subId}${path}`)).statusCode]).toEqual([path, 404]);
  });

  // rule subscriptions.format.6
  test("each format says how many of the account's servers it carries, and its link has them", async () => {
    const tls = { enabled: true, server_name: "n.example" };
    const make = async (tag: string, type: string, config: object): Promise<number> =>
      (await panel.ok("POST", "/inbounds", { tag, type, config: { listen_port: 443, ...config } })).id;
    const tuic = await make("tuic", "tuic", { tls });
    const xhttp = await make("xhttp", "vless", { listen_port: 444, transport: { type: "xhttp" } });
    const both = (await panel.ok("POST", "/templates", { name: "both", inboundIds: [tuic, xhttp] })).id;
    const alone = (await panel.ok("POST", "/templates", { name: "alone", inboundIds: [tuic] })).id;
    const nowhere = (await panel.ok("POST", "/templates", { name: "nowhere", inboundIds: [tuic] })).id;
    panel.entryNodes = [
      { ...node(1, "192.0.2.1"), templateId: both },
      { ...node(2, "192.0.2.2"), templateId: alone },
    ];
    const formats = async (id: number, token?: string) => panel.ok("GET", `/users/${id}/sub/formats`, undefined, token);
    const counts = async (id: number): Promise<Record<string, number>> => {
      const { servers, formats: all } = await formats(id);
      return Object.fromEntries([
        ["all", servers],
        ...all.map((each: { format: string; servers: number }) => [each.format, each.servers]),
      ]);
    };

    const mixed = await panel.ok("POST", "/users", { name: "mixed", templateIds: [both] });
    expect(await counts(mixed.id)).toEqual({ all: 2, links: 2, base64: 2, clash: 1, singbox: 1, xray: 1 });
    const only = await panel.ok("POST", "/users", { name: "only", templateIds: [alone], enable: false });
    expect(await counts(only.id), "one that is off has what it gets when it is on").toEqual({
      all: 1,
      links: 1,
      base64: 1,
      clash: 1,
      singbox: 1,
      xray: 0,
    });
    expect(await counts((await panel.ok("POST", "/users", { name: "none", templateIds: [nowhere] })).id)).toMatchObject(
      {
        all: 0,
        links: 0,
        xray: 0,
      },
    );

    for (const { format, url } of (await formats(mixed.id)).formats) expect(url).toBe(`${mixed.subUrl}/${format}`);
    expect(await links(mixed.subId)).toHaveLength(2);
    // What no server of the account can be said in is an empty list.
    await panel.ok("PATCH", `/users/${only.id}`, { enable: true });
    expect((await get(`/sub/${only.subId}/xray`)).json()).toEqual([]);

    panel.reseller("shop", 7);
    const own = await panel.ok("POST", "/users", { name: "own", templateIds: [alone] }, "shop");
    expect(await formats(own.id, "shop")).toMatchObject({ servers: 1 });
    expect((await panel.call("GET", `/users/${only.id}/sub/formats`, undefined, "shop")).status).toBe(404);
  });

  // rule subscriptions.key.2
  test("a wrong key, an unknown format and a longer path are 404 without a body", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    for (const path of [
      "/sub/nobody",
      "/sub/",
      `/sub/${user.subId}/nonsense`,
      `/sub/${user.subId}/links/more`,
      `/sub/%00`,
    ]) {
      const { statusCode, body } = await get(path);
      expect([path, statusCode, body]).toEqual([path, 404, ""]);
    }
    expect((await get("/api/v1/nowhere")).json()).toMatchObject({ code: "not_found" });
  });

  // rule subscriptions.entry.6
  test("what changes is in the next body: account, inbound, node, template", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    expect(await links(user.subId)).toHaveLength(1);
    panel.entryNodes = [node(1, "192.0.2.1"), node(2, "192.0.2.2")];
    expect(await links(user.subId)).toHaveLength(2);
    const [inbound] = (await panel.ok("GET", "/inbounds")).items;
    await panel.ok("PUT", `/inbounds/${inbound.id}`, { config: { listen_port: 8443 } });
    expect((await links(user.subId))[0]).toContain(":8443");
    await panel.ok("PATCH", `/users/${user.id}`, { remark: "hello" });
    expect((await links(user.subId))[0]).toContain("#hello");
    await panel.ok("PATCH", `/users/${user.id}`, { templateIds: [] });
    expect(await links(user.subId)).toEqual([]);
  });

  // rule subscriptions.entry.9
  test("names from a template say what is left at the moment", async () => {
    const day = 86_400;
    panel.settings.set("sub_entry_name", "{node} {left}/{total} {days} {expires}");
    const user = await panel.ok("POST", "/users", { name: "ali", volume: 3 * 2 ** 30, expiry: START + 3 * day });
    const name = async () => decodeURIComponent((await links(user.subId))[0]?.split("#")[1] ?? "");
    const [last] = new Date((START + 3 * day) * 1000).toISOString().split("T");
    expect(await name()).toBe(`n1 3 GiB/3 GiB 3 ${last}`);
    const { reads, commits } = panel.database;
    await commits.execute({
      name: "usage",
      statements: [reads.statement("usage", sql`update user_usage set down = ${2 ** 30}`)],
    });
    expect(await name()).toBe(`n1 2 GiB/3 GiB 3 ${last}`);
    panel.clock.advance(day * 1000);
    expect(await name()).toBe(`n1 2 GiB/3 GiB 2 ${last}`);
    panel.settings.set("sub_entry_name", "{tag} <{days}>\u202e{nope}");
    expect(await name()).toBe("in <2> {nope}");
    const free = await panel.ok("POST", "/users", { name: "free" });
    panel.settings.set("sub_entry_name", "{left} {days} {expires} {used}");
    expect(decodeURIComponent((await links(free.subId))[0]?.split("#")[1] ?? "")).toBe("∞ ∞ ∞ 0 B");
  });

  // rule http.body.7
  test.each([253_402_300_800, 8_640_000_000_001, 1_798_401_572_306_323, 2 ** 53 - 1])(
    "an end at %d that is stored already is shown in every format",
    async (expiry) => {
      panel.settings.set("sub_entry_name", "{node} {days} {expires}");
      const user = await panel.ok("POST", "/users", { name: "late" });
      const { reads, commits } = panel.database;
      const broken = sql`update users set expiry = ${expiry}, activated_at = ${expiry}, next_reset = ${expiry}`;
      await commits.execute({ name: "restored", statements: [reads.statement("users", broken)] });
      expect(decodeURIComponent((await links(user.subId))[0] ?? "")).toContain("9999-12-31");
      for (const format of ["html", "info", "json", "clash", "sing-box", "base64", "links"]) {
        const answers = [await get(`/sub/${user.subId}/${format}`), await get(`/sub/${user.subId}/${format}?lang=fa`)];
        expect([format, answers.map(({ statusCode }) => statusCode)]).toEqual([format, [200, 200]]);
      }
      expect(await panel.ok("GET", `/users/${user.id}`)).toMatchObject({ expiry });
      await panel.ok("GET", `/users/${user.id}/verdict`);
      await panel.ok("PATCH", `/users/${user.id}`, { desc: "still to be edited" });
    },
  );

  // rules subscriptions.unserved.1, subscriptions.unserved.2
  test("an account that is not served gets one placeholder that says why, or an empty list", async () => {
    const user = await panel.ok("POST", "/users", { name: "off", enable: false });
    const answer = await get(`/sub/${user.subId}/links`);
    expect(answer.statusCode).toBe(200);
    expect(decodeURIComponent(answer.body)).toMatch(/^vless:\/\/00000000-[^@]*@0\.0\.0\.0:1\?.*#Account is off\s*$/);
    panel.settings.set("sub_theme", '{"language": "ru"}');
    const said = decodeURIComponent((await get(`/sub/${user.subId}/links`)).body).trim();
    expect(said).toMatch(/#Учётная запись отключена$/);
    panel.settings.set("sub_placeholder", "false");
    expect((await get(`/sub/${user.subId}/links`)).body.trim()).toBe("");
  });

  // rule subscriptions.key.4
  test("the base path is a setting that holds at once; domains are too", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    panel.settings.set("sub_basepath", "/feed/x");
    expect((await get(`/sub/${user.subId}`)).statusCode).toBe(404);
    expect((await get(`/feed/x/${user.subId}`)).statusCode).toBe(200);
    panel.settings.set("sub_domain", "*.subs.example, other.example");
    expect((await get(`/feed/x/${user.subId}`)).statusCode).toBe(404);
    const { subUrl } = await panel.ok("GET", `/users/${user.id}`);
    const { host, pathname } = new URL(subUrl);
    expect(host).toMatch(/^[0-9a-f]{16}\.subs\.example$/);
    expect((await get(pathname, { host })).statusCode).toBe(200);
    expect((await get(pathname, { host: "other.example:8443" })).statusCode).toBe(200);
  });

  // rule subscriptions.import.3
  test("a user's record has encrypted import links once there is a key", async () => {
    const { id } = await panel.ok("POST", "/users", { name: "ali" });
    expect(await panel.ok("GET", `/users/${id}`)).not.toHaveProperty("importLinks");
    panel.settings.set("sub_incy_key", Buffer.alloc(32, 1).toString("base64"));
    panel.settings.set("sub_incy_scheme", "crypt1");
    const { importLinks } = await panel.ok("GET", `/users/${id}`);
    expect(importLinks).toEqual({ happ: "", incy: expect.stringMatching(/^incy:\/\/crypt1\/[\w-]{80,}$/) });
    expect((await panel.ok("GET", `/users/${id}`)).importLinks.incy).not.toBe(importLinks.incy);
  });

  // rules subscriptions.fetch.1, subscriptions.fetch.2
  test("fetches are recorded together, and the first one is an event", async () => {
    const user = await panel.ok("POST", "/users", { name: "ali" });
    await get(`/sub/${user.subId}/info`);
    await panel.flushFetches();
    expect(await panel.ok("GET", `/users/${user.id}`)).toMatchObject({
      subFetchedAt: 0,
      subSeenAt: START,
      subClient: "",
    });
    await panel.advance(100);
    for (let turn = 0; turn < 3; turn++) await get(`/sub/${user.subId}`, { "user-agent": "Happ/2.0" });
    await panel.flushFetches();
    const seen = await panel.ok("GET", `/users/${user.id}`);
    expect(seen).toMatchObject({
      subFetchedAt: START + 105,
      subSeenAt: START + 105,
      subClient: "Happ/2.0",
      subFetchIp: "127.0.0.1",
      updatedAt: user.updatedAt,
    });
    await panel.until(user.id, (account) => account.subFetchedAt > 0);
    expect(await panel.events(user.id)).toEqual(["user.created", "user.first_fetch"]);
    const [event] = await panel.database.reads.rows(
      EventRows,
      sql`select * from events where event = 'user.first_fetch'`,
    );
    expect(JSON.parse(event?.data ?? "")).toMatchObject({ userId: user.id, client: "Happ/2.0" });
  });

  // rule subscriptions.fetch.2
  test("the first fetch is written at once, with all that is known of it", async () => {
    const user = await panel.ok("POST", "/users", { name: "first" });
    await get(`/sub/${user.subId}`, { "user-agent": "Happ/2.0" });
    // Nothing is flushed: what the first fetch's own commit wrote is read.
    const seen = await panel.until(user.id, (account) => account.subFetchedAt > 0);
    expect(seen).toMatchObject({
      subFetchedAt: START,
      subSeenAt: START,
      subClient: "Happ/2.0",
      subFetchIp: "127.0.0.1",
    });
  });

  // rule subscriptions.key.3
  test("an address may ask 120 times a minute", async () => {
    for (let turn = 0; turn < 120; turn++) expect((await get("/sub/nobody")).statusCode).toBe(404);
    const refused = await get("/sub/nobody");
    expect([refused.statusCode, Number(refused.headers["retry-after"])]).toEqual([429, 60]);
  });
});

// rule subscriptions.key.5
test.each([
  ["any.example", "", true],
  ["a.example", "a.example", true],
  ["A.Example.:443", "a.example", true],
  ["b.example", "a.example,c.example", false],
  ["x.s.example", "*.s.example", true],
  ["x.y.s.example", "*.s.example", false],
  ["s.example", "*.s.example", false],
])("%s under %j is served: %s", (host, domains, expected) => {
  expect(servedUnder(host, domains)).toBe(expected);
});
