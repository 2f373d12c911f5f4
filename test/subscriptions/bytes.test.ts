// A fetch has the same answer, byte for byte, whether the listener gives it by itself or leaves it to the framework: a
// table of requests as clients and strangers write them, each sent twice over connections.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { TestPanel } from "../accounts/panel.ts";

interface Account {
  readonly id: number;
  readonly subId: string;
  readonly subToken: string;
}

const HOST = "host: panel.example";
const FORMATS = ["links", "base64", "clash", "singbox", "xray", "info", "html"];
const ALIASES = ["sing-box", "mihomo", "clash-meta", "stash", "json", "v2ray-json", "v2ray", "links_base64", "LINKS"];
const QUERIES = [
  "?",
  "?format=clash",
  "?format=clash&format=xray",
  "?format=nonsense",
  "?FORMAT=clash",
  "?format=%63lash",
  "?format=html",
  "?%zz&format=%zz",
  "?a=b?format=clash",
  "?format=clash#x",
  `?${"a=b&".repeat(500)}`,
];
const CLIENTS = [
  "Happ/2.0",
  "SFA/1.11.0 (1; sing-box 1.11.0)",
  "SFA/99999.99999",
  "clash-verge/9",
  "Shadowrocket/2070",
  "Mozilla/5.0",
  "",
  " ",
  "\xff\xfe\x80 \xe9",
  `"><script>alert(1)</script>`,
  "{name}${7*7}%0d%0a%00",
  "SFA/1.8".repeat(700),
  "\tClash\t",
];
/** Further lines of a request. */
const HEADERS = [
  ['if-none-match: "x"'],
  ["if-none-match: *", "if-modified-since: Thu, 01 Jan 2099 00:00:00 GMT"],
  ["range: bytes=0-3"],
  ["accept: text/html"],
  ["accept: text/html;q=0.1, */*"],
  ["accept: */*", "accept: text/html"],
  ["user-agent: Clash", "user-agent: SFA/1.9"],
  ["accept-encoding: gzip, br"],
  ["x-hwid: "],
  ["x-hwid: one", "x-hwid: two"],
  [`x-hwid: ${"h".repeat(4000)}`],
  ["x-hwid: \xff\xfe<img src=x>", "x-device-model: \xe9\x80\u001b[0m".replaceAll("\u001b", "")],
  ["x-hwid: ..", "x-device-os: ../..", "x-ver-os: {}", "x-device-model: %00"],
  ["x-request-id: mine-1234567"],
  ["x-request-id: <script>"],
  ["x-forwarded-for: 198.51.100.1", "x-forwarded-host: evil.example", "x-forwarded-proto: https"],
  ["authorization: Bearer root"],
  ["cookie: a=b", "cookie: c=d"],
  ["origin: https://evil.example"],
  ["content-type: application/json"],
  ["content-length: 0"],
  ["content-length: 2", "", "{}"],
  ["transfer-encoding: chunked", "", "0", "", ""],
  ["upgrade: websocket", "sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=="],
  ["expect: 100-continue"],
  ["expect: nonsense"],
  [`x-long: ${"l".repeat(20_000)}`],
];
/** Whole lines of requests; `KEY` is that of an account. */
const LINES = [
  "/sub",
  "/sub/",
  "/sub//",
  "//sub/KEY",
  "/sub//KEY",
  "/sub/KEY/",
  "/sub/KEY//",
  "/sub/KEY/links/",
  "/sub/KEY/links/more",
  "/sub/KEY//links",
  "/SUB/KEY",
  "/subs/KEY",
  "/sub/KEY%2flinks",
  "/sub/KEY\\links",
  "/sub/../sub/KEY",
  "/sub/./KEY",
  "/sub/KEY/../KEY",
  "/sub/..",
  "/sub/%2e%2e/KEY",
  "/x/../sub/KEY",
  "/sub/%00",
  "/sub/KEY%00",
  "/sub/KEY/%00",
  "/sub/KEY/links%00",
  "/%00/sub/KEY",
  "/sub/%",
  "/sub/%zz",
  "/sub/KEY;a=b",
  "/sub/KEY/links;x",
  "/sub/KEY,",
  "/sub/null",
  "/sub/undefined",
  "/sub/__proto__",
  "/sub/KEY/__proto__",
  "/sub/KEY/constructor",
  "/sub/\xe9",
  "/sub/KEY/\xff",
  "/sub/%C3%A9",
  `/sub/${"a".repeat(64)}`,
  `/sub/${"a".repeat(65)}`,
  `/sub/${"a".repeat(9000)}`,
  `/sub/KEY/${"b".repeat(9000)}`,
  `/sub${"/a".repeat(3000)}`,
  "/sub/KEY?".padEnd(9000, "x"),
  "*",
  "sub/KEY",
  "?sub/KEY",
  "/",
  "http://panel.example/sub/KEY",
  "http://evil.example/sub/KEY/links",
  "http:///sub/KEY",
  "//evil.example/sub/KEY",
].map((target) => `GET ${target} HTTP/1.1`);
const METHODS = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "get", "NONSENSE"];

describe.each(dialects)("bytes of answers on %s", (dialect) => {
  let panel: TestPanel;
  let hidden: TestPanel;
  let on: Account;
  let from = 0;

  async function serving(opened: TestPanel): Promise<Account> {
    const config = { listen_port: 443, tls: { enabled: true, server_name: "n.example" } };
    const inbound = await opened.ok("POST", "/inbounds", { tag: "in", type: "trojan", config });
    const templateId = (await opened.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] })).id;
    const node = { name: "n1", remark: "", address: "192.0.2.1", linkAddress: "", vision: true, multiplex: true };
    opened.entryNodes = [{ id: 1, templateId, ...node }];
    return opened.ok("POST", "/users", { name: "on", remark: "زیبا", volume: 100 });
  }

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    hidden = await TestPanel.open(dialect, undefined, undefined, "/hidden");
    on = await serving(panel);
  });
  afterAll(async () => {
    expect([...panel.failures, ...hidden.failures]).toEqual([]);
    await panel.dispose();
    await hidden.dispose();
  });

  /** What may differ from one answer to the next, whoever gives it. */
  const settled = (answer: string) =>
    answer.replace(/^date: [^\r]*/im, "date: now").replace(/^x-request-id: \w{12}\r/im, "x-request-id: one\r");

  /** The answer to lines of a request; it must be the same with and without the shortcut. */
  async function same(line: string, headers: readonly string[] = [], at = panel): Promise<string> {
    const own = headers.some((header) => /^host:/i.test(header)) ? [] : [HOST];
    const end = headers.includes("") ? [] : ["", ""];
    const bytes = [line, "connection: close", ...own, ...headers, ...end].join("\r\n");
    const answers: string[] = [];
    // An address may ask 120 times in a minute.
    const address = `127.1.${Math.floor(from / 50)}.${1 + (from++ % 50)}`;
    for (const shortens of [true, false]) {
      at.shortens = shortens;
      answers.push(settled(await at.send(bytes, address)));
    }
    const place = bytes.slice(0, 200);
    expect([place, answers[0]]).toEqual([place, answers[1]]);
    return answers[0] ?? "";
  }
  const get = (path: string, headers: readonly string[] = [], method = "GET") =>
    same(`${method} ${path} HTTP/1.1`, headers);
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

  // rule subscriptions.key.7
  test("formats, their aliases, queries and HEAD", async () => {
    for (const method of ["GET", "HEAD"]) {
      for (const format of [...FORMATS, ...ALIASES])
        for (const key of [on.subId, on.subToken])
          expect([format, statusOf(await get(`/sub/${key}/${format}`, [], method))]).toEqual([format, 200]);
      for (const query of QUERIES) await get(`/sub/${on.subId}${query}`, [], method);
      for (const path of ["/nonsense", "/nonsense?format=links", ""]) await get(`/sub/${on.subId}${path}`, [], method);
    }
    const before = panel.shortened;
    await get(`/sub/${on.subId}/links`);
    // Once of the two times: what is compared is one with the other.
    expect(panel.shortened - before).toBe(1);
  });

  // rule subscriptions.key.7
  test("accounts that are off, expired, used up, deleted or nobody's", async () => {
    const off = await panel.ok("POST", "/users", { name: "off", enable: false });
    const ended = await panel.ok("POST", "/users", { name: "ended", expiry: Math.floor(panel.clock.now() / 1000) + 5 });
    const used = await panel.ok("POST", "/users", { name: "used", volume: 10 });
    const gone = await panel.ok("POST", "/users", { name: "gone" });
    await panel.advance(10);
    await panel.traffic(used.id, 20, 0);
    await panel.ok("DELETE", `/users/${gone.id}`);
    for (const placeholder of ["", "false"]) {
      panel.settings.set("sub_placeholder", placeholder);
      for (const { subId, subToken } of [off, ended, used, gone, { subId: "nobody", subToken: "null" }])
        for (const key of [subId, subToken])
          for (const format of ["", ...FORMATS.map((each) => `/${each}`), "/nonsense"])
            await get(`/sub/${key}${format}`);
    }
    panel.settings.delete("sub_placeholder");
  });

  // rule subscriptions.key.7
  test("devices with and without a place", async () => {
    const { subId } = await panel.ok("POST", "/users", { name: "devices", deviceLimit: 1 });
    expect(statusOf(await get(`/sub/${subId}`, ["x-hwid: one"]))).toBe(200);
    for (const strict of ["", "true"]) {
      panel.settings.set("device_limit_strict", strict);
      for (const method of ["GET", "HEAD"])
        for (const path of ["", ...FORMATS.map((format) => `/${format}`), "/nonsense"])
          for (const headers of [["x-hwid: one"], ["x-hwid: two"], ["x-hwid: .."], []])
            await get(`/sub/${subId}${path}`, headers, method);
      for (const headers of HEADERS) await get(`/sub/${subId}`, headers);
    }
    expect(statusOf(await get(`/sub/${subId}`, ["x-hwid: two"]))).toBe(403);
    panel.settings.delete("device_limit_strict");
  });

  // rule subscriptions.key.7
  test("what clients and strangers write into a request", async () => {
    for (const client of CLIENTS) await get(`/sub/${on.subId}`, [`user-agent: ${client}`]);
    for (const headers of HEADERS) {
      await get(`/sub/${on.subId}`, headers);
      await get(`/sub/${on.subId}/links`, headers, "HEAD");
    }
    for (const line of LINES) await same(line.replaceAll("KEY", on.subId));
    for (const method of METHODS)
      for (const path of ["", "/links", "/devices/one"]) await get(`/sub/${on.subId}${path}`, [], method);
    for (const version of ["1.0", "0.9", "2.0", "9.9"]) await same(`GET /sub/${on.subId}/links HTTP/${version}`);
    await same(`GET /sub/${on.subId}/links`);
    await same(`GET  /sub/${on.subId}/links HTTP/1.1`);
  });

  // rule subscriptions.key.7
  test("names of hosts, with and without sub_domain", async () => {
    const hosts = [
      "a.example",
      "A.Example:443",
      "a.example.",
      "x.b.example",
      "b.example",
      "x.y.b.example",
      ".b.example",

      "*.b.example",
      "panel.example",
      "[::1]:443",
      "198.51.100.1",
      "",
      " ",
      "a.example, evil.example",
      "a.example/x",
      "a.example\x00",
      "\xff",
      "a".repeat(5000),
    ];
    for (const domains of ["", "a.example", "a.example, *.b.example"]) {
      panel.settings.set("sub_domain", domains);
      for (const host of hosts)
        for (const path of ["/links", "/html", "/nonsense"]) await get(`/sub/${on.subId}${path}`, [`host: ${host}`]);
      await get(`/sub/${on.subId}`, ["host: a.example", "host: evil.example"]);
      await get(`/sub/${on.subId}`, ["host: evil.example", "host: a.example"]);
    }
    panel.settings.set("sub_domain", "a.example, *.b.example");
    expect(statusOf(await get(`/sub/${on.subId}/links`, ["host: x.b.example"]))).toBe(200);
    expect(statusOf(await get(`/sub/${on.subId}/links`))).toBe(404);
    panel.settings.set("sub_domain", "");
  });

  // rule subscriptions.key.7
  test("under base paths of their own, with the panel below a hidden one", async () => {
    const { subId } = await serving(hidden);
    for (const base of ["/sub", "/feed/x/", "hidden/sub", "/hidden"]) {
      hidden.settings.set("sub_basepath", base);
      const path = `/${base.replaceAll(/^\/|\/$/g, "")}`;
      for (const target of [
        `${path}/${subId}`,
        `${path}/${subId}/links`,
        `${path}/${subId}/html`,
        `${path}/nobody`,
        path,
        `${path}/`,
        `/sub/${subId}`,
        `/hidden/sub/${subId}`,
        "/hidden",
        "/hidden/",
        "/hidden/api/v1/me",
        "/api/v1/me",
        "/",
      ])
        await same(`GET ${target} HTTP/1.1`, [], hidden);
      const found = await same(`GET ${path}/${subId}/links HTTP/1.1`, [], hidden);
      expect([base, statusOf(found)]).toEqual([base, 200]);
    }
  });

  // rule subscriptions.key.3
  test("one request too many", async () => {
    const bytes = ["GET /sub/nobody HTTP/1.1", HOST, "connection: close", "", ""].join("\r\n");
    for (let turn = 0; turn < 120; turn++) {
      panel.shortens = turn % 2 === 0;
      expect(statusOf(await panel.send(bytes, "127.2.0.1"))).toBe(404);
    }
    panel.shortens = true;
    const refused = settled(await panel.send(bytes, "127.2.0.1"));
    panel.shortens = false;
    expect([statusOf(refused), settled(await panel.send(bytes, "127.2.0.1"))]).toEqual([429, refused]);
  });
});
