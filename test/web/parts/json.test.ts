// JSON as it is typed: the line of what is wrong with the text, and the rule that a value breaks, by its schema.
import { describe, expect, test } from "vitest";
import { lineOf, placeOf, readJson } from "../../../src/web/parts/json/read-json.ts";
import { faultsOf } from "../../../src/web/parts/schema/faults.ts";
import { inlined, type Schema } from "../../../src/web/parts/schema/schema.ts";
import { configSchema } from "../../../src/pool/dialect/config-schema.ts";

describe("text", () => {
  test.each([
    '{"a": [1, -2.5e3, true, null], "b": {"": "x\\"\\u00e9"}, "__proto__": 1}',
    " [ ] ",
    "{}",
    '"text"',
    "0",
    '{"a":{"b":[{"c":1},{"c":2}]}}',
  ])("is read as the browser reads it: %s", (text) => {
    expect(readJson(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
  });

  test.each([
    ["", "end", 0],
    ["{", "end", 1],
    ['{"a" 1}', "colon", 5],
    ['{"a": 1 "b": 2}', "comma", 8],
    ['{"a": 1,}', "key", 8],
    ["[1,]", "value", 3],
    ["{a: 1}", "key", 1],
    ['{"a": tru}', "value", 6],
    ['{"a": 01}', "number", 6],
    ['{"a": "x}', "text", 6],
    ['{"a": "x\ny"}', "text", 8],
    ['{"a": "\\x"}', "text", 6],
    ['{"a": 1, "a": 2}', "repeated", 9],
    ["{} x", "rest", 3],
    ["[".repeat(100), "value", 64],
  ])("%j stops at %s", (text, fault, at) => {
    expect(readJson(text)).toEqual({ ok: false, fault, at });
  });

  test("each value has its place, what is missing that of what is around it", () => {
    const text = '{\n  "tls": {\n    "enabled": true\n  }\n}';
    const read = readJson(text);
    if (!read.ok) throw new Error("is JSON");
    const at = (path: string) => lineOf(text, placeOf(read.places, path).from);
    expect([at("tls.enabled"), at("tls.server_name"), at("type")]).toEqual([
      { line: 3, column: 16 },
      { line: 2, column: 10 },
      { line: 1, column: 1 },
    ]);
  });
});

describe("values", () => {
  const vless = configSchema("inbounds", "vless") as Schema;
  const told = (schema: Schema, value: unknown) =>
    faultsOf(schema, value).map(({ path, code, values }) => [path, code, ...values]);

  test.each<[object, unknown[][]]>([
    [{ listen_port: 443, tls: { enabled: true, alpn: ["h2"] } }, []],
    [{ listen_port: 70_000 }, [["listen_port", "too_large", 65_535]]],
    [{ listen_port: "443" }, [["listen_port", "type", "integer"]]],
    [{ tls: { key_path: "/etc/shadow" } }, [["tls.key_path", "forbidden_key"]]],
    [{ tls: { min_version: "2" } }, [["tls.min_version", "choice", "1.0", "1.1", "1.2", "1.3"]]],
    [
      { transport: { type: "pigeon" } },
      [["transport.type", "choice", "tcp", "raw", "quic", "ws", "httpupgrade", "grpc", "http", "xhttp"]],
    ],
    [{ transport: { type: "ws", service_name: "s" } }, [["transport.service_name", "forbidden_key"]]],
    [{ tcp_keep_alive: "soon" }, [["tcp_keep_alive", "duration"]]],
    [
      { tls: { reality: { handshake: { server: "" }, private_key: "k" } } },
      [["tls.reality.handshake.server", "empty"]],
    ],
    [
      { tls: { reality: { private_key: "k", short_id: ["ab", "xyz"] } } },
      [
        ["tls.reality.handshake", "required", "object"],
        ["tls.reality.short_id.1", "hex", 16],
      ],
    ],
  ])("of an inbound %j", (config, faults) => {
    expect(told(vless, config)).toEqual(faults);
  });

  test("a schema that names others is put together, also where one names itself", () => {
    const named: Record<string, Schema> = {
      Rule: {
        type: "object",
        properties: { rules: { type: "array", items: { $ref: "#/x/Rule" } }, n: { type: "integer" } },
      },
    };
    const schema = inlined({ $ref: "#/components/schemas/Rule" }, named);
    expect(told(schema, { rules: [{ n: 1, rules: [{ n: "x" }] }] })).toEqual([
      ["rules.0.rules.0.n", "type", "integer"],
    ]);
  });

  test("null stands where the schema says so", () => {
    const schema: Schema = { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] };
    expect([told(schema, null), told(schema, 0), told(schema, "x")]).toEqual([
      [],
      [["", "too_small", 1]],
      [["", "type", "integer"]],
    ]);
  });
});
