// Inbound fragments at write: what is accepted, and that a refusal names the field.
import { describe, expect, test } from "vitest";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { parseInboundConfig } from "../../../src/pool/dialect/inbound.ts";
import { realityPublicKey } from "../../../src/pool/dialect/tls.ts";

const tls = { enabled: true, server_name: "a.test" };
// The pair printed in the sing-box documentation.
const privateKey = "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc";
const reality = {
  enabled: true,
  handshake: { server: "w.test", server_port: 443 },
  private_key: privateKey,
  short_id: ["0123456789abcdef"],
};
const own = await issueSelfSigned(["a.test"], Date.now());
const other = await issueSelfSigned(["a.test"], Date.now());
const pair = { certificate: own.certificate.split("\n"), key: own.privateKey };
const key16 = Buffer.alloc(16, 1).toString("base64");
const key32 = Buffer.alloc(32, 1).toString("base64");

function accepted(type: string, config: unknown) {
  const result = parseInboundConfig(type, "in", config);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.inbound;
}

function refused(type: string, config: unknown): readonly { path: string; message: string }[] {
  const result = parseInboundConfig(type, "in", config);
  expect(result.ok, JSON.stringify(config)).toBe(false);
  return result.ok ? [] : result.issues;
}

describe("accepted", () => {
  test.each<[string, Record<string, unknown>]>([
    ["vless", { listen: "::", listen_port: 443, tls: { ...tls, alpn: ["h2", "http/1.1"] } }],
    ["vless", { listen_port: 443, tls: { ...tls, reality }, tcp_fast_open: true }],
    ["vless", { listen_port: 443, tls: { ...tls, min_version: "1.2", max_version: "1.2" } }],
    ["trojan", { listen_port: 443, tls, fallback_for_alpn: { h2: { server: "127.0.0.1", server_port: 80 } } }],
    ["vless", { listen_port: 80, transport: { type: "xhttp" }, multiplex: { enabled: false } }],
    [
      "vless",
      { listen_port: 80, transport: { type: "xhttp", path: "/x", mode: "auto", extra: { xPaddingBytes: "100-1000" } } },
    ],
    [
      "vmess",
      { listen_port: 80, transport: { type: "grpc", service_name: "s" }, multiplex: { enabled: true, padding: true } },
    ],
    ["vmess", { listen_port: 443, tls, transport: { type: "http", host: ["a.test"], path: "/" } }],
    ["trojan", { listen_port: 443, tls, fallback: { server: "127.0.0.1", server_port: 80 } }],
    ["trojan", { listen_port: 443, tls, transport: { type: "quic" } }],
    ["shadowsocks", { listen_port: 8388, method: "aes-256-gcm" }],
    ["shadowsocks", { listen: "127.0.0.1", method: "2022-blake3-aes-128-gcm", password: key16, network: "tcp" }],
    ["shadowsocks", { listen_port: 8388, method: "2022-blake3-aes-256-gcm", password: key32 }],
    [
      "hysteria2",
      {
        listen_port: 443,
        tls,
        up_mbps: 100,
        down_mbps: 100,
        obfs: { type: "salamander", password: "pass" },
        masquerade: "https://w.test",
      },
    ],
    ["tuic", { listen_port: 443, tls, congestion_control: "bbr", auth_timeout: "3s" }],
    ["anytls", { listen_port: 443, tls: { ...tls, reality }, padding_scheme: ["stop=8"] }],
    ["socks", { listen_port: 1080 }],
    ["http", { listen_port: 8080, tls }],
    ["mixed", { listen_port: 2080 }],
    ["shadowtls", { listen_port: 443, version: 3, handshake: { server: "w.test", server_port: 443 } }],
  ])("%s %j", (type, config) => {
    expect(accepted(type, config)).toMatchObject({ type, tag: "in", listenPort: config["listen_port"] });
  });

  test("what subscriptions and plans need is read out", () => {
    const inbound = accepted("vless", {
      type: "vless",
      tag: "in",
      listen_port: 443,
      tls: { ...tls, alpn: "h2" },
      transport: {
        type: "ws",
        path: "/a",
        headers: { host: "h.test" },
        max_early_data: 2048,
        early_data_header_name: "Sec-WebSocket-Protocol",
      },
    });
    expect(inbound).toEqual({
      type: "vless",
      tag: "in",
      listen: "::",
      listenPort: 443,
      tls: { serverName: "a.test", alpn: ["h2"] },
      transport: { type: "ws", path: "/a", host: "h.test", earlyData: 2048, earlyDataHeader: "Sec-WebSocket-Protocol" },
      shadowsocks: undefined,
      obfsPassword: "",
      congestionControl: undefined,
      vision: false,
    });
  });

  test("TLS and REALITY that are not enabled are off, whatever else they say", () => {
    expect(accepted("vless", { tls: { server_name: "a.test" } }).tls).toBeUndefined();
    expect(accepted("vless", { tls: { ...tls, reality: { enabled: false } } }).tls).toEqual({
      serverName: "a.test",
      alpn: [],
    });
  });

  test("REALITY's public key follows from the private one", () => {
    expect(realityPublicKey(privateKey)).toBe("jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0");
    expect(accepted("vless", { tls: { ...tls, reality } }).tls?.reality).toEqual({
      handshakeServer: "w.test",
      publicKey: "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0",
      shortIds: ["0123456789abcdef"],
    });
  });

  test.each([
    ["vless", { tls }, true],
    ["vless", { tls: { ...tls, reality } }, true],
    ["vless", {}, false],
    ["vless", { tls, transport: { type: "ws" } }, false],
    ["vless", { tls, transport: { type: "grpc" } }, false],
    ["trojan", { tls }, false],
  ])("vision on %s %j: %s", (type, config, vision) => {
    expect(accepted(type, config).vision).toBe(vision);
  });
});

describe("refused, naming the field", () => {
  test.each<[string, unknown, string, string]>([
    ["wireguard", {}, "type", "must be one of vless,"],
    ["vless", [], "", "must be an object"],
    ["vless", { listen_port: 0 }, "listen_port", "1-65535"],
    ["vless", { listen_port: 65_536 }, "listen_port", "1-65535"],
    ["vless", { listen_port: 443.5 }, "listen_port", "1-65535"],
    ["vless", { listen_port: "443" }, "listen_port", "1-65535"],
    ["vless", { listen: "example.test" }, "listen", "IP address"],
    ["vless", { listenPort: 443 }, "listenPort", "is not among"],
    ["vless", { type: "vmess" }, "type", "differs from the type of the record (vless)"],
    ["vless", { tag: "other" }, "tag", "differs from the tag"],
    ["vless", { users: [] }, "users", "filled in by the panel"],
    ["vless", { sniff: true }, "sniff", "deprecated"],
    ["direct", { sniff_override_destination: true }, "sniff_override_destination", "deprecated"],
    ["direct", { domain_strategy: "ipv4_only" }, "domain_strategy", "deprecated"],
    ["vless", { tls: { ...tls, acme: { domain: ["a.test"] } } }, "tls.acme", "certificateId"],
    ["vless", { tls: true }, "tls", "must be an object"],
    ["vless", { tls: { enabled: "yes" } }, "tls.enabled", "boolean"],
    ["vless", { tls: { ...tls, sni: "a" } }, "tls.sni", "is not among"],
    ["vless", { tls: { ...tls, min_version: "1.4" } }, "tls.min_version", "1.0, 1.1, 1.2 or 1.3"],
    [
      "vless",
      { tls: { ...tls, reality: { ...reality, private_key: "short" } } },
      "tls.reality.private_key",
      "base64url of 32 bytes",
    ],
    ["vless", { tls: { ...tls, reality: { ...reality, short_id: ["abc"] } } }, "tls.reality.short_id.0", "hex digits"],
    [
      "vless",
      { tls: { ...tls, reality: { ...reality, short_id: "0123456789abcdef00" } } },
      "tls.reality.short_id",
      "hex digits",
    ],
    [
      "vless",
      { tls: { ...tls, reality: { ...reality, handshake: { server_port: 443 } } } },
      "tls.reality.handshake.server",
      "",
    ],
    [
      "vless",
      { tls: { ...tls, reality: { ...reality, handshake: { server: "w.test", server_port: 0 } } } },
      "tls.reality.handshake.server_port",
      "1-65535",
    ],
    ["vless", { transport: { type: "tcp" } }, "transport.type", "plain TCP is an inbound without a transport"],
    ["vless", { transport: { type: "kcp" } }, "transport.type", "must be one of ws"],
    ["vless", { transport: { type: "ws", serviceName: "x" } }, "transport.serviceName", "is not among"],
    ["vless", { transport: { type: "xhttp", mode: "fast" } }, "transport.mode", "packet-up"],
    ["vless", { transport: { type: "quic" } }, "tls.enabled", "needs TLS"],
    // Clients get these as they are.
    ["vless", { transport: { type: "ws", path: "/%zz" } }, "transport.path", "is not valid"],
    ["vless", { transport: { type: "xhttp", path: "/a\nb" } }, "transport.path", "control characters"],
    ["vless", { transport: { type: "ws", headers: { Host: "a\r\nX: b" } } }, "transport.headers.Host", "control"],
    ["vless", { transport: { type: "http", host: ["a", "b\n"] } }, "transport.host", "control"],
    ["vless", { transport: { type: "grpc", service_name: "a\nb" } }, "transport.service_name", "control"],
    ["trojan", { tls: { ...tls, reality }, transport: { type: "quic" } }, "tls.reality", "quic"],
    ["shadowsocks", {}, "method", "must name a Shadowsocks method"],
    ["shadowsocks", { method: "rc4-md5" }, "method", "must be one of 2022-blake3-aes-128-gcm"],
    ["shadowsocks", { method: "2022-blake3-chacha20-poly1305", password: key32 }, "method", "no users of its own"],
    ["shadowsocks", { method: "2022-blake3-aes-128-gcm" }, "password", "base64 of 16 bytes"],
    ["shadowsocks", { method: "2022-blake3-aes-128-gcm", password: key32 }, "password", "base64 of 16 bytes"],
    ["shadowsocks", { method: "2022-blake3-aes-256-gcm", password: key16 }, "password", "base64 of 32 bytes"],
    ["shadowsocks", { method: "aes-128-gcm", tls }, "tls", "shadowsocks has no TLS"],
    ["shadowsocks", { method: "aes-128-gcm", managed: true }, "managed", "managed by the panel"],
    ["hysteria2", {}, "tls.enabled", "hysteria2 needs TLS"],
    ["hysteria2", { tls: { ...tls, reality } }, "tls.reality", "QUIC"],
    ["hysteria2", { tls, transport: { type: "ws" } }, "transport", "hysteria2 has no transports"],
    ["hysteria2", { tls, obfs: { type: "xplus", password: "pass" } }, "obfs.type", "salamander"],
    ["hysteria2", { tls, obfs: { type: "salamander", password: "abc" } }, "obfs.password", "4 bytes"],
    ["tuic", { tls, congestion_control: "reno" }, "congestion_control", "cubic, new_reno or bbr"],
    ["anytls", { tls: { enabled: false } }, "tls.enabled", "anytls needs TLS"],
    ["hysteria2", { tls, masquerade: "w.test" }, "masquerade", "must be an https URL"],
    ["hysteria2", { tls: { ...tls, max_version: "1.2" } }, "tls.max_version", "hysteria2 needs TLS 1.3"],
    [
      "vless",
      { tls: { ...tls, max_version: "1.2" }, transport: { type: "quic" } },
      "tls.max_version",
      "the quic transport needs TLS 1.3",
    ],
    ["vless", { tls: { ...tls, reality, max_version: "1.2" } }, "tls.max_version", "REALITY needs TLS 1.3"],
    [
      "trojan",
      { tls: { ...tls, min_version: "1.3", max_version: "1.2" } },
      "tls.max_version",
      "below tls.min_version (1.3)",
    ],
    [
      "vless",
      { transport: { type: "xhttp" }, multiplex: { enabled: true } },
      "multiplex",
      "xhttp is served by xray alone",
    ],
    [
      "trojan",
      { fallback_for_alpn: { h2: { server: "127.0.0.1", server_port: 80 } } },
      "fallback_for_alpn",
      "needs TLS",
    ],
    ["tuic", { tls, transport: { type: "xhttp" } }, "transport", "tuic has no transports"],
  ])("%s %j: %s", (type, config, path, message) => {
    const issues = refused(type, config);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(issues[0]?.message).toContain(message);
  });

  test("a certificate and key that no engine would take", () => {
    const faults = (pem: object) =>
      refused("trojan", { tls: { ...tls, ...pem } }).map(({ path, message }) => ({ path, message }));
    expect(faults({ certificate: "no PEM" })).toEqual([
      { path: "tls.certificate", message: "must be a certificate chain in PEM" },
    ]);
    expect(faults({ ...pair, key: "no PEM" })).toEqual([
      { path: "tls.key", message: "must be an unencrypted private key in PEM" },
    ]);
    expect(faults({ ...pair, key: other.privateKey })).toEqual([
      { path: "tls.key", message: "does not belong to tls.certificate" },
    ]);
    accepted("trojan", { tls: { ...tls, ...pair } });
    // As some tools label it.
    accepted("trojan", { tls: { ...tls, ...pair, key: own.privateKey.replaceAll("PRIVATE", "RSA PRIVATE") } });
    accepted("trojan", { tls: { enabled: false, certificate: "later", key: "later" } });
  });

  // rule pool.inbound.4
  test("all faults at once", () => {
    const issues = refused("vless", {
      listen_port: 0,
      users: [],
      sniff: true,
      tls: { enabled: 1 },
      transport: { type: "x" },
      foo: 1,
    });
    expect(issues.map((issue) => issue.path).toSorted()).toEqual([
      "foo",
      "listen_port",
      "sniff",
      "tls.enabled",
      "transport.type",
      "users",
    ]);
  });
});
