// The xray format: exact outbounds, and whole configurations under a real core's own check.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { placeholderEntry } from "../../../src/subscriptions/documents/placeholder.ts";
import { xrayOutbound } from "../../../src/subscriptions/documents/xray-outbound.ts";
import { renderXray } from "../../../src/subscriptions/documents/xray.ts";
import { inbound, node, reality, selfSigned, tls, user } from "./fixtures.ts";

const V2RAY = "/usr/bin/v2ray";
const id = user.uuid;
const address = "de1.test";
const port = 443;
const signed = { nodes: [{ ...node, certificate: selfSigned }] };
const server = { address, port, password: user.password };
const plainTcp = { network: "tcp", security: "none" };

function outbound(type: string, config: Record<string, unknown>, rest: Parameters<typeof inbound>[2] = {}): unknown {
  const [entry] = entriesOf(user, [inbound(type, config, rest)]);
  return entry && xrayOutbound(entry, "proxy");
}

const Tls = z.object({ streamSettings: z.object({ tlsSettings: z.object({ certificates: z.array(z.unknown()) }) }) });
const overTls = { security: "tls", tlsSettings: { serverName: "a.test", fingerprint: "chrome" } };
const vnext = (extra: Record<string, unknown>) => ({
  settings: { vnext: [{ address, port, users: [{ id, ...extra }] }] },
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["vless", {}, { ...vnext({ encryption: "none" }), streamSettings: plainTcp }],
  [
    "vless",
    { tls },
    { ...vnext({ encryption: "none", flow: "xtls-rprx-vision" }), streamSettings: { network: "tcp", ...overTls } },
  ],
  [
    "vless",
    { tls: { ...tls, reality } },
    {
      streamSettings: {
        network: "tcp",
        security: "reality",
        realitySettings: {
          serverName: "a.test",
          fingerprint: "chrome",
          publicKey: "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0",
          shortId: "0123456789abcdef",
          spiderX: "",
        },
      },
    },
  ],
  [
    "vmess",
    { tls, transport: { type: "ws", path: "/w", headers: { Host: "h.test" } } },
    {
      ...vnext({ alterId: 0, security: "aes-128-gcm" }),
      streamSettings: { network: "ws", wsSettings: { path: "/w", host: "h.test" }, ...overTls },
    },
  ],
  [
    "vmess",
    { transport: { type: "grpc", service_name: "g" } },
    { streamSettings: { network: "grpc", grpcSettings: { serviceName: "g" }, security: "none" } },
  ],
  [
    "trojan",
    { transport: { type: "httpupgrade", path: "/u" } },
    {
      settings: { servers: [server] },
      streamSettings: { network: "httpupgrade", httpupgradeSettings: { path: "/u" }, security: "none" },
    },
  ],
  [
    "vless",
    { transport: { type: "xhttp", path: "/x", host: "h.test", mode: "stream-up" } },
    {
      streamSettings: {
        network: "xhttp",
        xhttpSettings: { path: "/x", host: "h.test", mode: "stream-up" },
        security: "none",
      },
    },
  ],
  [
    "shadowsocks",
    { method: "aes-256-gcm" },
    { settings: { servers: [{ ...server, method: "aes-256-gcm" }] }, streamSettings: plainTcp },
  ],
  [
    "shadowsocks",
    { method: "2022-blake3-aes-256-gcm", password: user.ss32 },
    {
      settings: {
        servers: [{ address, port, password: `${user.ss32}:${user.ss32}`, method: "2022-blake3-aes-256-gcm" }],
      },
    },
  ],
  ["socks", {}, { settings: { servers: [{ address, port, users: [{ user: id, pass: user.password }] }] } }],
  [
    "http",
    { tls: { ...tls, alpn: ["h2"] } },
    {
      streamSettings: {
        network: "tcp",
        security: "tls",
        tlsSettings: { serverName: "a.test", alpn: ["http/1.1"], fingerprint: "chrome" },
      },
    },
  ],
  [
    "hysteria2",
    { tls, obfs: { type: "salamander", password: "obfs" } },
    {
      protocol: "hysteria",
      settings: { version: 2, address, port },
      streamSettings: {
        network: "hysteria",
        security: "tls",
        tlsSettings: { serverName: "a.test", alpn: ["h3"] },
        hysteriaSettings: { version: 2, auth: user.password },
        finalmask: { udp: [{ type: "salamander", settings: { password: "obfs" } }] },
      },
    },
  ],
])("%s %j", (type, config, expected) => {
  expect(outbound(type, config)).toMatchObject({ tag: "proxy", protocol: type, ...expected });
});

test.each<[string, Record<string, unknown>]>([
  ["tuic", { tls }],
  ["anytls", { tls }],
  ["vless", { tls, transport: { type: "quic" } }],
  ["vmess", { tls, transport: { type: "http" } }],
  ["trojan", { tls: { ...tls, reality }, transport: { type: "ws" } }],
])("left out: %s %j", (type, config) => {
  expect(entriesOf(user, [inbound(type, config)])).toHaveLength(1);
  expect(outbound(type, config)).toBeUndefined();
  expect(renderXray(entriesOf(user, [inbound(type, config)]))).toBe("[]");
});

test("a self-signed certificate is pinned, and never `allowInsecure`, which current cores refuse", () => {
  expect(outbound("trojan", { tls }, signed)).toMatchObject({
    streamSettings: { tlsSettings: { pinnedPeerCertSha256: selfSigned.sha256 } },
  });
  // An authority for cores that know no pin, where the name that is asked for is in it.
  const { certificates } = Tls.parse(outbound("trojan", { tls: { enabled: true } }, signed)).streamSettings.tlsSettings;
  expect(certificates).toEqual([{ usage: "verify", certificate: selfSigned.pem.trim().split("\n") }]);
  const all = ["vless", "vmess", "trojan", "hysteria2", "http"].map((type) =>
    inbound(type, { tls }, { ...signed, client: { tls: { insecure: true } } }),
  );
  expect(renderXray(entriesOf(user, all))).not.toContain("allowInsecure");
});

describe("under a core's own check", () => {
  const ready = existsSync(V2RAY);
  if (!ready) console.warn(`skipped: ${V2RAY} is not installed, generated configurations were not checked by a core`);

  /** Resolves when the core accepts the configuration; throws its words otherwise. */
  function check(configuration: unknown): void {
    const directory = mkdtempSync(join(tmpdir(), "xray-"));
    try {
      const file = join(directory, "config.json");
      writeFileSync(file, JSON.stringify(configuration));
      expect(execFileSync(V2RAY, ["-test", "-config", file], { encoding: "utf8" })).toContain("Configuration OK");
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  test("a core is there in CI", () => {
    expect(ready || process.env["CI"] !== "true").toBe(true);
  });

  test.skipIf(!ready)(
    "vless, trojan, vmess over tcp and ws, plain and TLS; shadowsocks, socks, http; the placeholder",
    () => {
      const layers = [
        {},
        { tls },
        { transport: { type: "ws", path: "/w", headers: { Host: "h.test" } } },
        { tls, transport: { type: "ws", path: "/w" } },
      ];
      const plain = { ...user, flow: "" };
      const served = ["vless", "trojan", "vmess"].flatMap((type) =>
        layers.map((layer) => inbound(type, layer, signed)),
      );
      const others = [inbound("shadowsocks", { method: "aes-256-gcm" }), inbound("socks"), inbound("http", { tls })];
      const configurations: unknown = JSON.parse(
        renderXray([...entriesOf(plain, [...served, ...others]), placeholderEntry("Expired")]),
      );
      if (!Array.isArray(configurations)) throw new Error("not an array");
      expect(configurations).toHaveLength(16);
      for (const configuration of configurations) check(configuration);
    },
  );

  // rule subscriptions.format.14
  test.skipIf(!ready)("a single server is what the core takes as it comes: one object", () => {
    const single: unknown = JSON.parse(renderXray(entriesOf({ ...user, flow: "" }, [inbound("vless", {}, signed)])));
    expect(Array.isArray(single)).toBe(false);
    check(single);
  });

  test.skipIf(!ready)("the check does refuse what is wrong", () => {
    expect(() => check({ outbounds: [{ protocol: "nonsense" }] })).toThrow(/nonsense|Command failed/);
  });
});
