// Share links, letter by letter.
import { describe, expect, test } from "vitest";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { linkOf, renderBase64, renderLinks } from "../../../src/subscriptions/documents/share-links.ts";
import { untoldParts } from "../../../src/subscriptions/documents/omitted-parts.ts";
import { inbound, node, reality, selfSigned, tls, user } from "./fixtures.ts";

const uuid = user.uuid;
const signed = { nodes: [{ ...node, certificate: selfSigned }] };
const pbk = "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0";

function link(
  type: string,
  config: Record<string, unknown>,
  rest: Parameters<typeof inbound>[2] = {},
): string | undefined {
  const [entry] = entriesOf(user, [inbound(type, config, rest)]);
  if (!entry) throw new Error("no entry");
  return linkOf(entry);
}

test.each<[string, Record<string, unknown>, string | undefined]>([
  ["vless", {}, `vless://${uuid}@de1.test:443?encryption=none&security=none&type=tcp#in%20de1`],
  [
    "vless",
    { tls },
    `vless://${uuid}@de1.test:443?encryption=none&flow=xtls-rprx-vision&security=tls&sni=a.test&fp=chrome&type=tcp#in%20de1`,
  ],
  [
    "vless",
    { tls: { ...tls, reality } },
    `vless://${uuid}@de1.test:443?encryption=none&flow=xtls-rprx-vision&security=reality&sni=a.test&fp=chrome&pbk=${pbk}&sid=0123456789abcdef&type=tcp#in%20de1`,
  ],
  [
    "vless",
    { tls: { ...tls, reality }, transport: { type: "grpc", service_name: "s/1" } },
    `vless://${uuid}@de1.test:443?encryption=none&security=reality&sni=a.test&fp=chrome&pbk=${pbk}&sid=0123456789abcdef&type=grpc&serviceName=s%2F1&mode=gun#in%20de1`,
  ],
  [
    "vless",
    {
      transport: {
        type: "ws",
        path: "/a b",
        headers: { Host: "h.test" },
        max_early_data: 2048,
        early_data_header_name: "Sec-WebSocket-Protocol",
      },
    },
    `vless://${uuid}@de1.test:443?encryption=none&security=none&type=ws&path=%2Fa%20b%3Fed%3D2048&host=h.test#in%20de1`,
  ],
  [
    "vless",
    { transport: { type: "httpupgrade", path: "/u", host: "h.test" } },
    `vless://${uuid}@de1.test:443?encryption=none&security=none&type=httpupgrade&path=%2Fu&host=h.test#in%20de1`,
  ],
  [
    "vless",
    { tls: { ...tls, alpn: ["h2"] }, transport: { type: "http", path: "/h", host: ["a.test", "b.test"] } },
    `vless://${uuid}@de1.test:443?encryption=none&security=tls&sni=a.test&fp=chrome&alpn=h2&type=http&path=%2Fh&host=a.test%2Cb.test#in%20de1`,
  ],
  [
    "vless",
    { transport: { type: "xhttp", path: "/x", mode: "packet-up", extra: { xPaddingBytes: "1-2" } } },
    `vless://${uuid}@de1.test:443?encryption=none&security=none&type=xhttp&path=%2Fx&mode=packet-up&extra=%7B%22xPaddingBytes%22%3A%221-2%22%7D#in%20de1`,
  ],
  ["vless", { tls, transport: { type: "quic" } }, undefined],
  [
    "trojan",
    { tls: { ...tls, alpn: ["h2", "http/1.1"] } },
    "trojan://p%2Fw%2Bd%3D1@de1.test:443?security=tls&sni=a.test&fp=chrome&alpn=h2%2Chttp%2F1.1&type=tcp#in%20de1",
  ],
  [
    "trojan",
    { tls, transport: { type: "ws", path: "/w" } },
    "trojan://p%2Fw%2Bd%3D1@de1.test:443?security=tls&sni=a.test&fp=chrome&type=ws&path=%2Fw#in%20de1",
  ],
  [
    "trojan",
    { transport: { type: "grpc", service_name: "g" } },
    "trojan://p%2Fw%2Bd%3D1@de1.test:443?security=none&type=grpc&serviceName=g&mode=gun#in%20de1",
  ],
  [
    "shadowsocks",
    { method: "aes-256-gcm" },
    `ss://${Buffer.from("aes-256-gcm:p/w+d=1").toString("base64url")}@de1.test:443#in%20de1`,
  ],
  [
    "shadowsocks",
    { method: "2022-blake3-aes-128-gcm", password: user.ss16 },
    "ss://2022-blake3-aes-128-gcm:AgICAgICAgICAgICAgICAg%3D%3D:AgICAgICAgICAgICAgICAg%3D%3D@de1.test:443#in%20de1",
  ],
  [
    "hysteria2",
    { tls, obfs: { type: "salamander", password: "o b c" } },
    "hysteria2://p%2Fw%2Bd%3D1@de1.test:443/?obfs=salamander&obfs-password=o%20b%20c&sni=a.test#in%20de1",
  ],
  [
    "tuic",
    { tls, congestion_control: "bbr" },
    `tuic://${uuid}:p%2Fw%2Bd%3D1@de1.test:443?congestion_control=bbr&udp_relay_mode=native&sni=a.test&alpn=h3#in%20de1`,
  ],
  ["anytls", { tls }, "anytls://p%2Fw%2Bd%3D1@de1.test:443?sni=a.test&fp=chrome#in%20de1"],
  [
    "anytls",
    { tls: { ...tls, reality } },
    `anytls://p%2Fw%2Bd%3D1@de1.test:443?sni=a.test&fp=chrome&security=reality&pbk=${pbk}&sid=0123456789abcdef#in%20de1`,
  ],
  ["socks", {}, `socks5://${uuid}:p%2Fw%2Bd%3D1@de1.test:443#in%20de1`],
  ["socks", { tls }, undefined],
  ["http", {}, `http://${uuid}:p%2Fw%2Bd%3D1@de1.test:443#in%20de1`],
  ["http", { tls }, `https://${uuid}:p%2Fw%2Bd%3D1@de1.test:443?sni=a.test#in%20de1`],
])("%s %j", (type, config, expected) => {
  expect(link(type, config)).toBe(expected);
});

describe("a self-signed certificate", () => {
  const pin = selfSigned.sha256;
  test.each<[string, string]>([
    ["trojan", `allowInsecure=1&pcs=${pin}`],
    ["vless", `allowInsecure=1&pcs=${pin}`],
    ["hysteria2", `insecure=1&pinSHA256=${pin}`],
    ["tuic", "allow_insecure=1"],
    ["anytls", "insecure=1"],
    ["http", "allowInsecure=1"],
  ])("%s carries %s", (type, parameters) => {
    expect(link(type, { tls }, signed)).toContain(parameters);
    expect(link(type, { tls })).not.toMatch(/insecure|pcs|pin/i);
  });
});

describe("vmess", () => {
  const decoded = (config: Record<string, unknown>, rest = {}): unknown => {
    const text = link("vmess", config, rest) ?? "";
    expect(text).toMatch(/^vmess:\/\/[A-Za-z0-9+/]+=*$/);
    return JSON.parse(Buffer.from(text.slice(8), "base64").toString("utf8"));
  };
  const head = { v: "2", ps: "in de1", add: "de1.test", port: "443", id: uuid, aid: "0", scy: "aes-128-gcm" };
  const plain = { tls: "", sni: "", fp: "" };
  const overTls = { tls: "tls", sni: "a.test", fp: "chrome" };
  // rule subscriptions.format.12
  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{}, { net: "tcp", type: "none", host: "", path: "", ...plain }],
    [
      { transport: { type: "ws", path: "/w", headers: { Host: "h.test" } } },
      { net: "ws", type: "none", host: "h.test", path: "/w", ...plain },
    ],
    [
      { tls, transport: { type: "grpc", service_name: "g" } },
      { net: "grpc", type: "gun", host: "", path: "g", ...overTls },
    ],
    [
      { tls, transport: { type: "http", host: ["h.test"], path: "/h" } },
      { net: "h2", type: "none", host: "h.test", path: "/h", ...overTls },
    ],
    [
      { transport: { type: "httpupgrade", host: "h.test", path: "/u" } },
      { net: "httpupgrade", type: "none", host: "h.test", path: "/u", ...plain },
    ],
    [
      { transport: { type: "xhttp", path: "/x", mode: "auto" } },
      { net: "xhttp", type: "auto", mode: "auto", host: "", path: "/x", ...plain },
    ],
    [
      { tls: { ...tls, reality } },
      {
        net: "tcp",
        type: "none",
        host: "",
        path: "",
        ...overTls,
        tls: "reality",
        pbk,
        sid: "0123456789abcdef",
        spx: "",
      },
    ],
  ])("%j", (config, expected) => {
    expect(decoded(config)).toEqual({ ...head, ...expected });
  });
  // rule subscriptions.preview.3
  test("further options of xhttp have no place in it, as the preview says; in one of vless they have", () => {
    const options = { transport: { type: "xhttp", extra: { xPaddingBytes: "1-9", noSSEHeader: true } } };
    const untold = (type: string, format: "links" | "base64" | "xray") =>
      entriesOf(user, [inbound(type, options)]).flatMap((entry) => untoldParts(format, entry));
    const named = ["config.transport.extra.xPaddingBytes", "config.transport.extra.noSSEHeader"];
    expect([untold("vmess", "links"), untold("vmess", "base64")]).toEqual([named, named]);
    expect([untold("vless", "links"), untold("vmess", "xray")]).toEqual([[], []]);
  });
  test("self-signed", () => {
    expect(decoded({ tls }, signed)).toMatchObject({ allowInsecure: "1", pcs: selfSigned.sha256 });
  });
});

test("IPv6 in brackets, international names in punycode, remarks percent-encoded", () => {
  const nodes = [{ ...node, name: "🇩🇪 آلمان #1", linkAddress: "[2001:db8::1],bücher.test" }];
  const lines = renderLinks(entriesOf(user, [inbound("trojan", {}, { nodes })])).split("\n");
  expect(lines[0]).toBe(
    `trojan://p%2Fw%2Bd%3D1@[2001:db8::1]:443?security=none&type=tcp#${encodeURIComponent("in 🇩🇪 آلمان #1")}`,
  );
  expect(lines[1]).toContain("@xn--bcher-kva.test:443");
  const parsed = new URL(lines[0] ?? "");
  expect(decodeURIComponent(parsed.hash)).toBe("#in 🇩🇪 آلمان #1");
});

// rule subscriptions.format.5
test("base64 is the links in base64; what a link cannot carry is left out", () => {
  const entries = entriesOf(user, [
    inbound("vless"),
    inbound("vless", { tls, transport: { type: "quic" } }),
    inbound("trojan"),
  ]);
  expect(entries).toHaveLength(3);
  const links = renderLinks(entries);
  expect(links.split("\n")).toEqual([expect.stringMatching(/^vless:/), expect.stringMatching(/^trojan:/), ""]);
  expect(Buffer.from(renderBase64(entries), "base64").toString("utf8")).toBe(links);
  expect(renderLinks([])).toBe("");
});
