// The singbox format: exact outbounds and a document whose references hold.
import { expect, test } from "vitest";
import { z } from "zod";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { coreVersion } from "../../../src/subscriptions/documents/cores.ts";
import { placeholderEntry } from "../../../src/subscriptions/documents/placeholder.ts";
import { singBoxOutbound } from "../../../src/subscriptions/documents/singbox-outbound.ts";
import { renderSingBox } from "../../../src/subscriptions/documents/singbox.ts";
import { untoldParts } from "../../../src/subscriptions/documents/omitted-parts.ts";
import { inbound, node, reality, selfSigned, tls, user } from "./fixtures.ts";

const uuid = user.uuid;
const password = user.password;

function outbound(type: string, config: Record<string, unknown>, rest: Parameters<typeof inbound>[2] = {}): unknown {
  const [entry] = entriesOf(user, [inbound(type, config, rest)]);
  return entry && singBoxOutbound(entry);
}

const utls = { enabled: true, fingerprint: "chrome" };
const overTls = { tls: { enabled: true, server_name: "a.test", utls } };

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["vless", {}, { uuid, packet_encoding: "xudp" }],
  ["vless", { tls }, { uuid, flow: "xtls-rprx-vision", packet_encoding: "xudp", ...overTls }],
  [
    "vless",
    { tls: { ...tls, reality } },
    {
      uuid,
      flow: "xtls-rprx-vision",
      packet_encoding: "xudp",
      tls: {
        ...overTls.tls,
        reality: {
          enabled: true,
          public_key: "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0",
          short_id: "0123456789abcdef",
        },
      },
    },
  ],
  ["vmess", { tls }, { uuid, security: "aes-128-gcm", alter_id: 0, packet_encoding: "xudp", ...overTls }],
  [
    "trojan",
    { tls, transport: { type: "grpc", service_name: "g" } },
    { password, ...overTls, transport: { type: "grpc", service_name: "g" } },
  ],
  [
    "trojan",
    {
      transport: {
        type: "ws",
        path: "/w",
        headers: { Host: "h.test" },
        max_early_data: 2048,
        early_data_header_name: "Sec-WebSocket-Protocol",
      },
    },
    {
      password,
      transport: {
        type: "ws",
        path: "/w",
        headers: { Host: "h.test" },
        max_early_data: 2048,
        early_data_header_name: "Sec-WebSocket-Protocol",
      },
    },
  ],
  [
    "trojan",
    { transport: { type: "httpupgrade", path: "/u", host: "h.test" } },
    { password, transport: { type: "httpupgrade", path: "/u", host: "h.test" } },
  ],
  [
    "trojan",
    { tls, transport: { type: "http", host: ["h.test"] } },
    { password, ...overTls, transport: { type: "http", path: "/", host: ["h.test"] } },
  ],
  ["trojan", { tls, transport: { type: "quic" } }, { password, ...overTls, transport: { type: "quic" } }],
  ["shadowsocks", { method: "aes-256-gcm" }, { method: "aes-256-gcm", password }],
  [
    "shadowsocks",
    { method: "2022-blake3-aes-128-gcm", password: user.ss16 },
    { method: "2022-blake3-aes-128-gcm", password: `${user.ss16}:${user.ss16}` },
  ],
  [
    "hysteria2",
    { tls, obfs: { type: "salamander", password: "obfs" } },
    {
      password,
      obfs: { type: "salamander", password: "obfs" },
      tls: { enabled: true, server_name: "a.test", alpn: ["h3"] },
    },
  ],
  [
    "tuic",
    { tls, congestion_control: "bbr" },
    {
      uuid,
      password,
      udp_relay_mode: "native",
      congestion_control: "bbr",
      tls: { enabled: true, server_name: "a.test", alpn: ["h3"] },
    },
  ],
  ["anytls", { tls }, { password, ...overTls }],
  ["socks", {}, { version: "5", username: uuid, password }],
  ["http", { tls }, { username: uuid, password, ...overTls }],
])("%s %j", (type, config, expected) => {
  expect(outbound(type, config)).toEqual({ type, tag: "in de1", server: "de1.test", server_port: 443, ...expected });
});

test.each<[string, Record<string, unknown>]>([
  ["vless", { transport: { type: "xhttp" } }],
  ["socks", { tls }],
])("left out: %s %j", (type, config) => {
  expect(entriesOf(user, [inbound(type, config)])).toHaveLength(1);
  expect(outbound(type, config)).toBeUndefined();
});

test("a self-signed certificate: trusted by itself where it covers the name, else not verified", () => {
  const signed = { nodes: [{ ...node, certificate: selfSigned }] };
  const covered = outbound("trojan", { tls: { enabled: true } }, signed);
  expect(covered).toMatchObject({
    tls: { server_name: "de1.test", certificate: ["-----BEGIN CERTIFICATE-----", "QUJD", "-----END CERTIFICATE-----"] },
  });
  expect(covered).not.toHaveProperty("tls.insecure");
  const other = outbound("trojan", { tls }, signed);
  expect(other).toMatchObject({ tls: { insecure: true } });
  expect(other).not.toHaveProperty("tls.certificate");
});

test("keys that only sing-box knows come from the client template", () => {
  expect(outbound("trojan", { tls }, { client: { tls: { fragment: true, ech: { enabled: true } } } })).toMatchObject({
    tls: { fragment: true, ech: { enabled: true } },
  });
});

const Document = z.object({
  outbounds: z.array(
    z.object({
      type: z.string(),
      tag: z.string(),
      outbounds: z.array(z.string()).optional(),
      default: z.string().optional(),
    }),
  ),
  route: z.object({ final: z.string() }),
});

test.each([
  [
    "several",
    entriesOf(user, [inbound("vless", { tls }), inbound("trojan"), inbound("vless", { transport: { type: "xhttp" } })]),
    ["auto", "in de1", "in de1 2", "direct"],
  ],
  ["the placeholder", [placeholderEntry("Expired")], ["auto", "Expired", "direct"]],
  ["no", [], ["direct"]],
])("with %s entries every tag is unique and every reference holds", (_name, entries, choices) => {
  const { outbounds, route } = Document.parse(JSON.parse(renderSingBox(entries)));
  const tags = outbounds.map((item) => item.tag);
  expect(new Set(tags).size).toBe(tags.length);
  expect(tags).toContain(route.final);
  expect(outbounds.find((item) => item.type === "selector")).toMatchObject({
    tag: "proxy",
    outbounds: choices,
    default: choices[0],
  });
  for (const group of outbounds) for (const member of group.outbounds ?? []) expect(tags).toContain(member);
});

// rule subscriptions.format.8
test("older cores get the dialect that they read", () => {
  const entries = entriesOf(user, [
    inbound("trojan", { tls }, { client: { tls: { record_fragment: true, ech: { enabled: true } } } }),
    inbound("anytls", { tls }),
  ]);
  const Old = z.looseObject({
    dns: z.looseObject({ servers: z.array(z.looseObject({})) }),
    inbounds: z.array(z.looseObject({})),
    outbounds: z.array(z.looseObject({ type: z.string() })),
    route: z.looseObject({ rules: z.array(z.looseObject({})) }),
  });
  const at = (userAgent: string) => Old.parse(JSON.parse(renderSingBox(entries, coreVersion(userAgent))));
  const types = ({ outbounds }: z.output<typeof Old>) => outbounds.map(({ type }) => type);
  const current = at("SFA/1.13.2 (600; sing-box 1.13.2; language en_US)");
  expect(current).toEqual(at("Karing/1.0"));
  expect(types(current)).toContain("anytls");
  expect(current.route).toHaveProperty("default_domain_resolver");

  const old = at("SFA/1.11.15 (534; sing-box 1.11.15; language en_US)");
  expect(types(old)).not.toContain("anytls");
  expect(old.outbounds.find(({ type }) => type === "trojan")).toMatchObject({ tls: { ech: { enabled: true } } });
  expect(JSON.stringify(old)).not.toContain("record_fragment");
  expect(old.dns.servers[0]).toEqual({ tag: "dns-local", address: "local", detour: "direct" });
  expect(old.route).not.toHaveProperty("default_domain_resolver");
  expect(old.route.rules[0]).toEqual({ action: "sniff" });

  const older = at("SFI/1.9.3");
  expect(older.inbounds[0]).toMatchObject({ inet4_address: "172.19.0.1/30", sniff: true });
  expect(older.inbounds[0]).not.toHaveProperty("address");
  expect(older.route.rules[0]).toEqual({ protocol: "dns", outbound: "dns-out" });
  expect(types(older)).toContain("dns");
  expect(at("sing-box 1.2")).toEqual(at("sing-box 1.8"));
  expect(at(`sing-box ${"9".repeat(50)}.${"9".repeat(50)}`)).toEqual(current);
});

// rules subscriptions.format.8, subscriptions.preview.3
test("a server whose name is not to be said has no fingerprint in cores that cannot verify it by one", () => {
  const [quiet] = entriesOf(user, [inbound("trojan", { tls }, { client: { tls: { disable_sni: true } } })]);
  const [blind] = entriesOf(user, [
    inbound("trojan", { tls }, { client: { tls: { disable_sni: true, insecure: true } } }),
  ]);
  if (!quiet || !blind) throw new Error("no entry");
  const old = coreVersion("SFA/1.8.14");
  expect(singBoxOutbound(quiet, old)).toMatchObject({ tls: { disable_sni: true } });
  expect(singBoxOutbound(quiet, old)).not.toHaveProperty("tls.utls");
  expect(untoldParts("singbox", quiet, old)).toEqual(["clientConfig.tls.utls"]);
  for (const [entry, core] of [
    [blind, old],
    [quiet, undefined],
  ] as const) {
    expect(singBoxOutbound(entry, core)).toMatchObject({ tls: { disable_sni: true, utls } });
    expect(untoldParts("singbox", entry, core)).toEqual([]);
  }
});

// rule subscriptions.format.11
test("a client template never makes a core refuse the document", () => {
  const certificate_public_key_sha256 = [Buffer.alloc(32, 1).toString("base64")];
  const template = { disable_sni: true, ech: { enabled: true }, certificate_public_key_sha256 };
  const nodes = [{ ...node, certificate: selfSigned }];
  const pinned = outbound("trojan", { tls: { enabled: true } }, { nodes, client: { tls: template } });
  expect(pinned).toMatchObject({ tls: template });
  // It says itself how the server is known.
  for (const key of ["certificate", "insecure"]) expect(pinned).not.toHaveProperty(`tls.${key}`);
  const borrowed = outbound("vless", { tls: { ...tls, reality } }, { client: { tls: template } });
  expect(borrowed).toMatchObject({ tls: { certificate_public_key_sha256 } });
  for (const key of ["disable_sni", "ech"]) expect(borrowed).not.toHaveProperty(`tls.${key}`);
});
