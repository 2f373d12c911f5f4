// What fragments may hold, as JSON Schema: it agrees with the checks at write, and an independent validator reads it.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { COLLECTIONS, typesOf } from "../../../src/dialect/index.ts";
import { configSchema } from "../../../src/pool/dialect/config-schema.ts";
import { parseInboundConfig } from "../../../src/pool/dialect/inbound.ts";
import { parseOutboundConfig } from "../../../src/pool/dialect/outbound.ts";
import { realityKeyPair } from "../../../src/pool/key-pairs.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const { privateKey, shortId } = realityKeyPair();
const reality = {
  enabled: true,
  handshake: { server: "a.example", server_port: 443 },
  private_key: privateKey,
  short_id: [shortId],
};

// rule pool.tool.2
describe("the schema of a fragment", () => {
  const WRITABLE: readonly (readonly [string, object])[] = [
    ["vless", { listen_port: 443, tls: { enabled: true, server_name: "a.example", reality } }],
    ["vless", { listen_port: 443, transport: { type: "ws", path: "/x", headers: { Host: "a.example" } } }],
    ["vmess", { listen: "0.0.0.0", transport: { type: "grpc", service_name: "s" }, multiplex: { enabled: true } }],
    ["vless", { transport: { type: "xhttp", mode: "auto", extra: { xPaddingBytes: "100-1000" } } }],
    ["trojan", { listen_port: 1, fallback: { server: "a.example", server_port: 80 }, tls: { enabled: true } }],
    ["shadowsocks", { listen_port: 1, method: "aes-256-gcm", network: "tcp" }],
    ["hysteria2", { tls: { enabled: true, alpn: "h3" }, obfs: { type: "salamander", password: "long enough" } }],
    ["hysteria2", { tls: { enabled: true }, masquerade: "https://a.example" }],
    ["hysteria2", { tls: { enabled: true }, masquerade: { type: "string", content: "hello" } }],
    ["tuic", { tls: { enabled: true }, congestion_control: "bbr", auth_timeout: "3s" }],
    ["mixed", { listen_port: 1 }],
  ];
  test.each(WRITABLE)("lets in what a write lets in: %s %j", (type, config) => {
    expect(parseInboundConfig(type, "in", config)).toMatchObject({ ok: true });
    const validate = ajv.compile(configSchema("inbounds", type) ?? false);
    expect([validate(config), validate.errors]).toEqual([true, null]);
  });

  test.each([
    ["direct", {}],
    ["vless", { server: "a.example", server_port: 443, uuid: "0b5a6fb0-9b07-4d2b-8b9c-0a5f5f5f5f5f" }],
    ["urltest", { outbounds: ["a", "b"], interval: "3m", tolerance: 50 }],
    ["socks", { server: "10.0.0.1", server_port: 1080, username: "u", password: "p", version: "5" }],
  ])("and of ways out: %s %j", (type, config) => {
    expect(parseOutboundConfig(type, config)).toMatchObject({ ok: true });
    const validate = ajv.compile(configSchema("outbounds", type) ?? false);
    expect([validate(config), validate.errors]).toEqual([true, null]);
  });

  test.each([
    ["an unknown key", { listen_port: 1, certificate_path: "/etc/passwd" }],
    ["a key below", { tls: { enabled: true, key_path: "/etc/shadow" } }],
    ["a port that is none", { listen_port: 70_000 }],
    ["a text for a number", { listen_port: "443" }],
    ["a transport that does not exist", { transport: { type: "carrier-pigeon" } }],
    ["a REALITY block without a key", { tls: { reality: { handshake: { server: "a.example" } } } }],
  ])("refuses %s", (_what, config) => {
    expect(ajv.compile(configSchema("inbounds", "vless") ?? false)(config)).toBe(false);
  });

  test("there is one for every type of every collection, and none for another type", () => {
    const typed = ["inbounds", "outbounds", "endpoints", "rulesets"] as const;
    const places = COLLECTIONS.flatMap((collection) => {
      const own = typed.find((each) => each === collection);
      return own ? typesOf(own).map((type) => [collection, type] as const) : [[collection, ""] as const];
    });
    for (const [collection, type] of places) {
      const schema = configSchema(collection, type);
      expect(schema !== undefined && ajv.validateSchema(schema), `${collection} ${type}`).toBe(true);
    }
    expect(configSchema("inbounds", "tun")).toBeUndefined();
  });

  test("says which values are secret", () => {
    expect(configSchema("inbounds", "vless")).toHaveProperty(
      ["properties", "tls", "properties", "reality", "properties", "private_key", "writeOnly"],
      true,
    );
  });
});
