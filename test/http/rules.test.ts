// Rules have codes: what a real refusal says of a field can be said in another language. The codes come from where a
// rule is made, never from its sentence.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkPassword, Username } from "../../src/access/login/passwords.ts";
import { NodeCreate } from "../../src/fleet/nodes/node.schema.ts";
import type { SettingEntries } from "../../src/feature/index.ts";
import { check, invalid, queryCount, queryList, Refusal, targetRule } from "../../src/http/index.ts";
import { parseJsonBody } from "../../src/http/request/body.ts";
import { OutgoingError } from "../../src/outgoing/index.ts";
import { parseInboundConfig } from "../../src/pool/testing.ts";
import { PANEL } from "../../src/panel/features.ts";

const NODE = { name: "n", address: "192.0.2.1", port: 1 };

function issuesOf(schema: z.ZodType, value: unknown): unknown {
  return check(schema, value).refusal?.detail.issues?.map(({ path, code, values }) => [path, code, values]);
}

function thrown(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.detail.issues?.map(({ code, values }) => [code, values]);
    throw error;
  }
  return undefined;
}

// rule http.error.8
describe("the code of a broken rule", () => {
  test.each([
    [{ ...NODE, name: undefined }, ["name", "required", ["string"]]],
    [{ ...NODE, name: "" }, ["name", "empty", undefined]],
    [{ ...NODE, name: "x".repeat(200) }, ["name", "too_long", [128]]],
    [{ ...NODE, name: "a\nb" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "a\u009b2J" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "a\u2028b" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "cod.\u202egnp.exe" }, ["name", "direction_characters", undefined]],
    [{ ...NODE, remark: "\u2067turned\u2069" }, ["remark", "direction_characters", undefined]],
    [{ ...NODE, address: "a b" }, ["address", "host", undefined]],
    [{ ...NODE, port: 0 }, ["port", "too_small", [1]]],
    [{ ...NODE, port: 70_000 }, ["port", "too_large", [65_535]]],
    [{ ...NODE, port: "1" }, ["port", "type", ["number"]]],
    [{ ...NODE, limitPeriod: "daily" }, ["limitPeriod", "choice", ["", "weekly", "monthly", "yearly"]]],
    [{ ...NODE, linkAddress: "|" }, ["linkAddress", "client_addresses", undefined]],
  ])("of a node: %o", (body, issue) => {
    expect(issuesOf(NodeCreate, body)).toEqual([issue]);
  });

  test.each([
    ["web_domain", "a b", "host", undefined],
    ["web_listen_port", "0", "between", [1, 65_535]],
    ["web_basepath", "/a/", "base_path", undefined],
    ["web_basepath", "/..", "dot_segments", undefined],
    ["web_domain", "x".repeat(300), "host", undefined],
    ["login_allowlist", "10.0.0.0/8, x", "address_range", ["x"]],
    ["sub_domain", "a.test,https://b.test", "domain", ["https://b.test"]],
    ["sub_listen", "127.0.0.1:80,https://b.test", "listen_place", ["https://b.test"]],
    ["sub_happ_key", "x", "rsa_key", undefined],
    ["sub_incy_key", "x", "base64", [32]],
    ["sub_happ_key_fingerprint", "x", "sha256", undefined],
    ["web_tls_mode", "x", "choice", ["none", "self_signed", "files"]],
    ["timezone", "Moon", "time_zone", undefined],
    ["update_url", "ftp://x", "http_url", undefined],
    ["sub_support_url", "https://help.exam\tple/", "http_url", undefined],
    ["sub_support_url", "https://help.example/\r\nX: y", "http_url", undefined],
    ["web_listen_ip", "x", "ip_address", undefined],
    ["backup_dir", "x", "absolute_path", undefined],
  ])("of a setting: %s = %s", (key, value, code, values) => {
    const settings: SettingEntries = PANEL.settings;
    const entry = settings[key];
    expect(entry && issuesOf(entry.check, value)).toEqual([["body", code, values]]);
  });

  test("of names and passwords", () => {
    expect(issuesOf(Username, "a b")).toEqual([["body", "username", undefined]]);
    expect(thrown(() => checkPassword("short", "anna"))).toEqual([["length", [8, 256]]]);
    expect(thrown(() => checkPassword("Anna-Anna", "anna-anna"))).toEqual([["password_is_username", undefined]]);
  });

  test("of engine configuration, at the path of the fault", () => {
    const vless = (config: unknown) => {
      const parsed = parseInboundConfig("vless", "in", config);
      return parsed.ok ? [] : parsed.issues.map(({ path, params }) => [path, params.rule.code, params.rule.values]);
    };
    expect(vless({ udp_timeout: "soon" })).toEqual([["udp_timeout", "duration", undefined]]);
    expect(vless({ listen_port: 0 })).toEqual([["listen_port", "too_small", [1]]]);
    expect(vless({ tls: { enabled: true, min_version: "1.3", max_version: "1.2" } })).toEqual([
      ["tls.max_version", "version_order", ["1.3"]],
    ]);
    expect(vless({ tls: { enabled: true, acme: {} } })[0]).toEqual(["tls.acme", "forbidden_key", undefined]);
    expect(
      vless({
        tls: {
          enabled: true,
          reality: { enabled: true, handshake: { server: "s" }, private_key: "x", short_id: "abc" },
        },
      }),
    ).toEqual([
      ["tls.reality.private_key", "x25519_key", undefined],
      ["tls.reality.short_id", "hex", [16]],
    ]);
    expect(vless([])).toEqual([["", "type", ["object"]]]);
  });

  test("of query strings, bodies that no database stores, and addresses that operators type", () => {
    expect(issuesOf(z.object({ limit: queryCount }), { limit: "-1" })).toEqual([["limit", "too_small", [0]]]);
    expect(issuesOf(queryList(["a", "b"]), "a,c")).toEqual([["body", "choices", ["a", "b"]]]);
    expect(thrown(() => parseJsonBody(Buffer.from('{"a":"\\u0000"}')))).toEqual([["unstorable_text", undefined]]);
    expect(
      thrown(() =>
        invalid("url", targetRule(new OutgoingError("resolve", "x.test does not resolve", { host: "x.test" }))),
      ),
    ).toEqual([["unresolved", ["x.test"]]]);
  });

  test("of a pattern stands in the API's description", () => {
    expect(z.toJSONSchema(Username)).toMatchObject({ type: "string", pattern: "^[A-Za-z0-9._@-]{1,64}$" });
  });

  test("tells what is absent from what is of another type", () => {
    const schema = z.object({ a: z.object({ b: z.string() }) });
    expect(issuesOf(schema, { a: {} })).toEqual([["a.b", "required", ["string"]]]);
    expect(issuesOf(schema, { a: { b: null } })).toEqual([["a.b", "type", ["string"]]]);
    expect(issuesOf(schema, {})).toEqual([["a", "required", ["object"]]]);
  });
});
