// Hostile text in every place that a person or a client fills, at once: accounts, inbounds, fronts, nodes and their
// labels, settings, and what a request says of itself. Each format is then what it is with plain text: as many entries,
// the same headers, the same elements.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { UserRows } from "../../src/accounts/index.ts";
import { FrontRows, InboundRows } from "../../src/pool/index.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

const HOSTILE = [
  `"><img src=x onerror=alert(1)><!--`,
  `</script><script>alert(1)</script></style></title>`,
  "a\r\nSet-Cookie: s=x\r\n\r\n<html>",
  `x", "server": "evil.example", "y": "`,
  "x'\n- name: evil\n  type: direct # &a *a !!js/function",
  "vless://evil@evil.example:1#x\nvless://evil@evil.example:2#y",
  "{name}{inbound}{{constructor}}${7*7}%0d%0a%00",
  "\u202egpj.exe\u2066\u0000\u001b]0;x\u0007\ud800",
  "=cmd|'/C calc'!A0",
  "../../..%2f..\\",
];
const FORMATS = ["links", "base64", "clash", "singbox", "xray", "info", "html"];
/** Two addresses of the node, and a front. */
const ENTRIES = 3;
const TURNS_OR_CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Characters that HTTP lets a client put into a header, by whatever means. */
const inHeader = (text: string) => text.toWellFormed().replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "_");

describe.each(dialects)("hostile text everywhere on %s", (dialect) => {
  let panel: TestPanel;
  let templateId = 0;
  let inboundId = 0;
  let frontId = 0;
  let user: { id: number; subId: string };
  let calls = 0;
  /** Each from an address of its own: an address has so many requests a minute. */
  const remoteAddress = () => `10.0.${++calls >> 8}.${calls & 255}`;
  const get = async (format: string, text: string, more: Record<string, string> = {}) =>
    panel.api.app.inject({
      method: "GET",
      url: `/sub/${user.subId}/${format}`,
      remoteAddress: remoteAddress(),
      headers: {
        host: "panel.example",
        "user-agent": inHeader(text),
        "accept-language": inHeader(text),
        "x-hwid": inHeader(text),
        "x-device-os": inHeader(text),
        "x-ver-os": inHeader(text),
        "x-device-model": inHeader(text),
        ...more,
      },
    });

  /** Every place holds `text`, as an older version or another program may have stored it. */
  async function fill(hostile: string): Promise<void> {
    // What no database keeps.
    const text = hostile.toWellFormed().replaceAll("\0", "");
    await panel.database.commits.submit({
      name: "older",
      locks: [],
      decide(draft) {
        draft.findAll(UserRows, [user.id]);
        draft.update(UserRows, user.id, { name: text, remark: text, groupLabel: text });
        draft.findAll(InboundRows, [inboundId]);
        draft.update(InboundRows, inboundId, {
          remark: `{user} {name} {node} {label} {inbound} {left} {days} ${text}`,
        });
        draft.findAll(FrontRows, [frontId]);
        draft.update(FrontRows, frontId, { name: text, remark: text });
      },
    });
    const label = text.replaceAll(/[,|]/g, " ");
    panel.entryNodes = [
      {
        id: 1,
        templateId,
        name: text,
        remark: text,
        address: "192.0.2.1",
        linkAddress: `${label}|192.0.2.1,${label}|192.0.2.2`,
        vision: true,
        multiplex: true,
      },
    ];
    for (const key of ["sub_title", "sub_announce", "sub_support_url"]) panel.settings.set(key, text);
  }

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", {
      tag: "in",
      type: "vless",
      config: { listen_port: 443, transport: { type: "ws", path: "/p" } },
    });
    inboundId = inbound.id;
    frontId = (await panel.ok("POST", "/fronts", { name: "cdn", domain: "cdn.example" })).id;
    await panel.ok("PUT", `/inbounds/${inboundId}/fronts`, { frontIds: [frontId] });
    templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] })).id;
    user = await panel.ok("POST", "/users", { name: "ali", volume: 1e9 });
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  /** What a body is apart from its texts. */
  function shapeOf(format: string, body: string): unknown {
    if (format === "links" || format === "base64") {
      const lines = (format === "links" ? body : Buffer.from(body, "base64").toString("utf8")).trim().split("\n");
      return lines.map((line) => {
        const { protocol, hostname, port, hash } = new URL(line);
        expect(decodeURIComponent(hash)).not.toMatch(TURNS_OR_CONTROLS);
        return [protocol, hostname, port];
      });
    }
    if (format === "html")
      return {
        tags: (body.match(/<[a-z!/][^\s>]*/gi) ?? []).join(" "),
        attributes: (body.match(/<[a-z][^>]*>/gi) ?? []).join("").replaceAll(/="[^"]*"/g, "="),
      };
    const document: unknown = format === "clash" ? parse(body) : JSON.parse(body);
    return skeleton(document);
  }

  function skeleton(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(skeleton);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, skeleton(each)]));
    if (typeof value === "string") expect(value).not.toMatch(TURNS_OR_CONTROLS);
    return typeof value;
  }

  // rule subscriptions.hostile.1
  test("every format and the page keep their shape, and headers are those of plain text", async () => {
    const plain = new Map<string, { shape: unknown; headers: string[] }>();
    for (const state of ["served", "off"]) {
      await panel.ok("PATCH", `/users/${user.id}`, { enable: state === "served" });
      await fill("plain");
      // No address: the header would be left out of hostile text.
      panel.settings.set("sub_support_url", "");
      await panel.ok("DELETE", `/users/${user.id}/devices`);
      for (const format of FORMATS) {
        const { body, headers, statusCode } = await get(format, "plain");
        expect(statusCode).toBe(200);
        plain.set(`${state} ${format}`, { shape: shapeOf(format, body), headers: Object.keys(headers).toSorted() });
      }
      for (const text of HOSTILE) {
        await panel.ok("DELETE", `/users/${user.id}/devices`);
        await fill(text);
        for (const format of FORMATS) {
          const { body, headers, statusCode } = await get(format, text);
          const place = `${state} ${format} ${text}`;
          expect(statusCode, place).toBe(200);
          const expected = plain.get(`${state} ${format}`);
          expect(shapeOf(format, body), place).toEqual(expected?.shape);
          expect(Object.keys(headers).toSorted(), place).toEqual(expected?.headers);
          for (const value of Object.values(headers)) expect(String(value), place).toMatch(/^[\x20-\x7e]*$/);
        }
      }
    }
    expect(plain.get("served links")?.shape).toHaveLength(ENTRIES);
  }, 120_000);

  // rules subscriptions.hostile.1, subscriptions.preview.1
  test("the preview is what the client gets, and names each entry and what is left out on one line", async () => {
    await panel.ok("PATCH", `/users/${user.id}`, { enable: true });
    const told = (of: object) => Object.entries(of).map(([name, value]) => [name.toLowerCase(), value]);
    for (const text of ["plain", ...HOSTILE]) {
      await fill(text);
      for (const format of FORMATS.filter((each) => each !== "html")) {
        const said = encodeURIComponent(inHeader(text));
        const shown = await panel.ok(
          "GET",
          `/users/${user.id}/sub/preview?format=${format}&userAgent=${said}&hwid=${said}`,
        );
        const { body, headers } = await get(format, text);
        const place = `${format} ${text}`;
        expect([place, shown.status, shown.body]).toEqual([place, 200, body]);
        for (const [name, value] of told(shown.headers))
          expect([place, name, headers[name]]).toEqual([place, name, value]);
        const lines = [...shown.entries, ...shown.omitted].flatMap(({ remark = "", what = "", text: why = "" }) => [
          remark,
          what,
          why,
        ]);
        for (const line of lines) expect(line, place).not.toMatch(TURNS_OR_CONTROLS);
        expect([place, shown.entries.length]).toEqual([place, ENTRIES]);
      }
      // Whatever is asked for by a name of no format, the answer names the field and nothing else of it.
      const strange = await panel.call(
        "GET",
        `/users/${user.id}/sub/preview?format=${encodeURIComponent(text.toWellFormed())}`,
      );
      expect([strange.status, strange.body.field]).toEqual([400, "format"]);
    }
  });

  // rule subscriptions.hostile.1
  test("what a request says of itself is stored as short single lines; a query and a key choose nothing by it", async () => {
    await panel.ok("PATCH", `/users/${user.id}`, { enable: true });
    await fill("plain");
    for (const text of HOSTILE) {
      const query = encodeURIComponent(text.toWellFormed());
      const { statusCode, body } = await panel.api.app.inject({
        method: "GET",
        url: `/sub/${user.subId}?format=${query}&lang=${query}&qr=${query}`,
        remoteAddress: remoteAddress(),
        headers: { host: "panel.example", "user-agent": inHeader(text) },
      });
      expect([statusCode, shapeOf("base64", body)]).toMatchObject([200, { length: ENTRIES }]);
      expect((await get("base64", text)).statusCode).toBe(200);
      const page = await get("html", text, { accept: "text/html" });
      expect(page.body).not.toContain("<script>alert");
      expect(page.body).not.toContain("<img src=x");
      const url = `/sub/${query}/links`;
      const foreign = await panel.api.app.inject({
        method: "GET",
        url,
        remoteAddress: remoteAddress(),
        headers: { host: "panel.example" },
      });
      expect([foreign.statusCode, foreign.body]).toEqual([404, ""]);
    }
    await panel.flushFetches();
    const requests = await panel.ok("GET", `/users/${user.id}/sub/requests`);
    const devices = await panel.ok("GET", `/users/${user.id}/devices`);
    expect(requests.length).toBeGreaterThan(10);
    expect(devices.length).toBeGreaterThan(5);
    for (const value of [...requests, ...devices].flatMap((row: object) => Object.values(row) as unknown[])) {
      if (typeof value !== "string") continue;
      expect(value).not.toMatch(TURNS_OR_CONTROLS);
      expect(value.length).toBeLessThanOrEqual(256);
    }
    // Each of them can be forgotten by the name that it has.
    for (const { hwid } of devices as { hwid: string }[])
      expect(await panel.ok("DELETE", `/users/${user.id}/devices/${encodeURIComponent(hwid)}`)).toEqual({ ok: true });
  });
});
