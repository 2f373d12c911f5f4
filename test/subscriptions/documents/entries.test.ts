// Which entries a user gets, where they lead, and what they are called.
import { describe, expect, test } from "vitest";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { omissionOf } from "../../../src/subscriptions/documents/limits.ts";
import { linkOf } from "../../../src/subscriptions/documents/share-links.ts";
import { clashProxy } from "../../../src/subscriptions/documents/clash-proxy.ts";
import { singBoxOutbound } from "../../../src/subscriptions/documents/singbox-outbound.ts";
import { xrayOutbound } from "../../../src/subscriptions/documents/xray-outbound.ts";
import type { ServedFront } from "../../../src/subscriptions/documents/model.ts";
import { inbound, node, reality, selfSigned, tls, user } from "./fixtures.ts";

const front: ServedFront = {
  id: 5,
  name: "cf",
  remark: "",
  domain: "cdn.test",
  address: "",
  port: 0,
  sni: "",
  path: "",
  enabled: true,
};
const ws = { transport: { type: "ws", path: "/a", headers: { Host: "a.test" } } };

describe("addresses", () => {
  // rule subscriptions.entry.1
  test("one entry for each link address, labels in the names", () => {
    const nodes = [
      { ...node, linkAddress: "a.test, MCI|203.0.113.7 ,v6|[2001:db8::1]" },
      { ...node, name: "fr1", remark: "Paris", address: "fr1.test" },
    ];
    expect(entriesOf(user, [inbound("vless", {}, { nodes })]).map(({ name, server }) => [name, server])).toEqual([
      ["in de1", "a.test"],
      ["in de1 MCI", "203.0.113.7"],
      ["in de1 v6", "2001:db8::1"],
      ["in Paris", "fr1.test"],
    ]);
  });

  test("international names become ASCII", () => {
    const [entry] = entriesOf(user, [inbound("vless", {}, { nodes: [{ ...node, address: "bücher.test" }] })]);
    expect(entry?.server).toBe("xn--bcher-kva.test");
  });

  // rule subscriptions.entry.1
  test("clientConfig overrides server and port, and copies on several nodes are one", () => {
    const nodes = [node, { ...node, name: "fr1", address: "fr1.test" }];
    const entries = entriesOf(user, [
      inbound("vless", {}, { nodes, client: { server: "lb.test", server_port: 8443 } }),
    ]);
    expect(entries.map(({ name, server, port }) => [name, server, port])).toEqual([["in", "lb.test", 8443]]);
  });

  test("nothing for an inbound without a port, a node, or a type that clients know", () => {
    const noPort = inbound("shadowsocks", { listen_port: undefined, method: "aes-256-gcm" });
    expect(
      entriesOf(user, [noPort, inbound("vless", {}, { nodes: [] }), inbound("direct"), inbound("shadowtls")]),
    ).toEqual([]);
  });
});

describe("names", () => {
  // rule subscriptions.entry.2
  test("the user's remark comes first and variables are filled", () => {
    const remark = "{protocol}-{transport}-{security} @{node} {days_left}";
    const entries = entriesOf({ ...user, remark: "Ali" }, [
      inbound("trojan", { tls, ...ws }, { remark, nodes: [{ ...node, linkAddress: "x|a.test" }] }),
    ]);
    expect(entries.map((entry) => entry.name)).toEqual(["Ali trojan-ws-tls @de1 {days_left} x"]);
  });

  // rule subscriptions.entry.2
  test("repeated, reserved and odd names", () => {
    const named = (remark: string, port: number) =>
      inbound("socks", { listen_port: port }, { remark, nodes: [{ ...node, name: "" }] });
    const entries = entriesOf(user, [
      named("DE", 1),
      named("de", 2),
      named("DE", 3),
      named("Direct", 4),
      named("a\nb\u0000c", 5),
      named("\ud800x", 6),
    ]);
    expect(entries.map((entry) => entry.name)).toEqual(["DE", "de 2", "DE 3", "Direct 2", "a b c", "\ufffdx"]);
  });
});

describe("credentials and flow", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["vless", {}, { uuid: user.uuid, password: "", flow: "" }],
    ["vless", { tls }, { flow: "xtls-rprx-vision" }],
    ["vless", { tls: { ...tls, reality } }, { flow: "xtls-rprx-vision" }],
    ["vless", { tls, ...ws }, { flow: "" }],
    ["trojan", { tls }, { uuid: "", password: user.password, flow: "" }],
    ["vmess", {}, { uuid: user.uuid, password: "" }],
    [
      "tuic",
      { tls, congestion_control: "bbr" },
      { uuid: user.uuid, password: user.password, congestionControl: "bbr" },
    ],
    [
      "hysteria2",
      { tls, obfs: { type: "salamander", password: "obfs" } },
      { password: user.password, obfsPassword: "obfs" },
    ],
    ["socks", {}, { uuid: user.uuid, password: user.password }],
    ["mixed", {}, { protocol: "socks" }],
    ["shadowsocks", { method: "aes-256-gcm", password: "server" }, { method: "aes-256-gcm", password: user.password }],
    [
      "shadowsocks",
      { method: "2022-blake3-aes-128-gcm", password: user.ss16 },
      { password: `${user.ss16}:${user.ss16}` },
    ],
    [
      "shadowsocks",
      { method: "2022-blake3-aes-256-gcm", password: user.ss32 },
      { password: `${user.ss32}:${user.ss32}` },
    ],
  ])("%s %j", (type, config, expected) => {
    expect(entriesOf(user, [inbound(type, config)])).toMatchObject([expected]);
  });

  // rule subscriptions.entry.3
  test("no flow where the engine or the user has none", () => {
    expect(entriesOf(user, [inbound("vless", { tls }, { nodes: [{ ...node, vision: false }] })])[0]?.flow).toBe("");
    expect(entriesOf({ ...user, flow: "" }, [inbound("vless", { tls })])[0]?.flow).toBe("");
  });

  // rule subscriptions.entry.3
  test("a client is told the flow that lets UDP to port 443 through; where the program knows it under one name, by that", () => {
    const flow = "xtls-rprx-vision-udp443";
    const [entry] = entriesOf({ ...user, flow }, [inbound("vless", { tls })]);
    if (!entry) throw new Error("no entry");
    expect(entry.flow).toBe(flow);
    expect(linkOf(entry)).toContain(`flow=${flow}&`);
    expect(JSON.stringify(xrayOutbound(entry, "proxy"))).toContain(`"flow":"${flow}"`);
    expect(singBoxOutbound(entry)).toMatchObject({ flow: "xtls-rprx-vision" });
    expect(
      entriesOf({ ...user, flow }, [inbound("vless", { tls }, { nodes: [{ ...node, vision: false }] })])[0]?.flow,
    ).toBe("");
  });
});

describe("TLS", () => {
  const tlsOf = (config: Record<string, unknown>, rest: Parameters<typeof inbound>[2] = {}) =>
    entriesOf(user, [inbound("trojan", config, rest)])[0]?.tls;

  // rule subscriptions.entry.4
  test("a public certificate is verified", () => {
    expect(tlsOf({ tls })).toMatchObject({
      serverName: "a.test",
      insecure: false,
      pinSha256: "",
      certificatePem: "",
      fingerprint: "chrome",
    });
  });
  // rule subscriptions.entry.4
  test("a self-signed one is pinned; its PEM helps only where it covers the name asked for", () => {
    const nodes = [{ ...node, certificate: selfSigned }];
    expect(tlsOf({ tls: { enabled: true } }, { nodes })).toMatchObject({
      serverName: "de1.test",
      insecure: true,
      pinSha256: selfSigned.sha256,
      certificatePem: selfSigned.pem,
    });
    expect(tlsOf({ tls }, { nodes })).toMatchObject({
      serverName: "a.test",
      insecure: true,
      pinSha256: selfSigned.sha256,
      certificatePem: "",
    });
  });
  test("without a name of its own: the address if covered, else the certificate's name, never an IP", () => {
    const at = (address: string, names: string[]) =>
      tlsOf({ tls: { enabled: true } }, { nodes: [{ ...node, address, certificate: { ...selfSigned, names } }] });
    expect(at("de1.test", ["*.test"])?.serverName).toBe("de1.test");
    expect(at("de1.test", ["other.test"])?.serverName).toBe("other.test");
    expect(at("203.0.113.7", ["203.0.113.7"])).toMatchObject({ serverName: "", certificatePem: selfSigned.pem });
    expect(at("2001:db8::1", ["2001:DB8:0:0:0:0:0:1"])).toMatchObject({
      serverName: "",
      certificatePem: selfSigned.pem,
    });
    expect(at("203.0.113.7", ["n.test"])?.serverName).toBe("n.test");
  });
  test("templates: the inbound's wins over the certificate's", () => {
    const certificate = {
      ...selfSigned,
      client: { server_name: "c.test", utls: { enabled: true, fingerprint: "firefox" } },
    };
    const client = { tls: { server_name: "i.test", alpn: ["h2"], ech: { enabled: true } } };
    expect(tlsOf({ tls }, { nodes: [{ ...node, certificate }], client })).toMatchObject({
      serverName: "i.test",
      fingerprint: "firefox",
      alpn: ["h2"],
      singBoxOnly: { ech: { enabled: true } },
    });
    expect(tlsOf({ tls }, { client: { tls: { insecure: true } } })).toMatchObject({
      insecure: true,
      pinSha256: "",
      certificatePem: "",
    });
    expect(
      tlsOf({ tls }, { nodes: [{ ...node, certificate: selfSigned }], client: { tls: { insecure: false } } }),
    ).toMatchObject({
      insecure: false,
      pinSha256: "",
    });
  });
  // rule subscriptions.entry.11
  test("a client template says whether there is TLS where a proxy in front of the node ends or adds it", () => {
    const client = { server: "cdn.test", server_port: 443, tls: { enabled: true } };
    expect(tlsOf(ws, { client })).toEqual({
      serverName: "cdn.test",
      alpn: ["http/1.1"],
      fingerprint: "chrome",
      insecure: false,
      pinSha256: "",
      certificatePem: "",
      reality: undefined,
      singBoxOnly: {},
    });
    const alpnOf = (type: string) => tlsOf({ transport: { type } }, { client })?.alpn;
    expect(["grpc", "http", "xhttp", "httpupgrade"].map(alpnOf)).toEqual([
      ["h2"],
      ["h2"],
      ["h2", "http/1.1"],
      ["http/1.1"],
    ]);
    const more = {
      server_name: "sni.test",
      insecure: true,
      fragment: true,
      utls: { enabled: true, fingerprint: "edge" },
    };
    expect(tlsOf({}, { client: { tls: { ...more, enabled: true } } })).toMatchObject({
      serverName: "sni.test",
      alpn: [],
      fingerprint: "edge",
      insecure: true,
      singBoxOnly: { fragment: true },
    });
    // Without `enabled`, or where the protocol or REALITY leaves no choice, it is as the inbound has it.
    expect(tlsOf(ws, { client: { tls: more } })).toBeUndefined();
    expect(entriesOf(user, [inbound("socks", {}, { client })])[0]?.tls).toBeUndefined();
    const off = { client: { tls: { enabled: false } } };
    expect(tlsOf({ tls: { enabled: true, reality } }, off)?.reality).toBeDefined();
    expect(entriesOf(user, [inbound("hysteria2", { tls }, off)])[0]?.tls).toBeDefined();
    const [bare] = entriesOf(user, [inbound("vless", { tls }, off)]);
    expect([bare?.tls, bare?.flow]).toEqual([undefined, ""]);
    expect(entriesOf(user, [inbound("vless", {}, { client })])[0]?.flow).toBe("");
  });
  test("ws offers http/1.1 alone", () => {
    expect(tlsOf({ tls: { ...tls, alpn: ["h2", "http/1.1"] }, ...ws })?.alpn).toEqual(["http/1.1"]);
    expect(tlsOf({ tls: { ...tls, alpn: ["h2", "http/1.1"] } })?.alpn).toEqual(["h2", "http/1.1"]);
    expect(tlsOf({ tls: { ...tls, alpn: ["http/1.1"] }, transport: { type: "grpc" } })?.alpn).toEqual(["h2"]);
  });
  test("REALITY", () => {
    expect(tlsOf({ tls: { enabled: true, reality } })).toMatchObject({
      serverName: "w.test",
      fingerprint: "chrome",
      insecure: false,
      reality: { publicKey: "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0", shortId: "0123456789abcdef", spiderX: "" },
    });
  });
});

// rule subscriptions.entry.12
test.each([
  [["", "2351e1"], "2351e1"],
  [["2351e1", ""], "2351e1"],
  [[""], ""],
  [[], ""],
])("of short ids %j every format says %j", (short_id, told) => {
  const [entry] = entriesOf(user, [inbound("vless", { tls: { enabled: true, reality: { ...reality, short_id } } })]);
  expect(entry).toBeDefined();
  if (!entry) return;
  expect([
    new URL(linkOf(entry) ?? "").searchParams.get("sid") ?? "",
    clashProxy(entry)?.["reality-opts"],
    singBoxOutbound(entry)?.["tls"],
    xrayOutbound(entry, "x")?.["streamSettings"],
  ]).toMatchObject([
    told,
    { "short-id": told },
    { reality: { short_id: told } },
    { realitySettings: { shortId: told } },
  ]);
});

describe("fronts", () => {
  // rule subscriptions.entry.5
  test("an entry beside the direct ones, with public TLS on the front's domain", () => {
    const fronts = [
      front,
      { ...front, name: "ip", address: "203.0.113.9", port: 8443, sni: "sni.test", path: "/b" },
      { ...front, name: "plain", port: 80 },
    ];
    const entries = entriesOf(user, [inbound("vless", ws, { fronts })]);
    expect(
      entries.map(({ name, server, port, tls: entryTls, transport }) => ({
        name,
        server,
        port,
        sni: entryTls?.serverName,
        transport,
      })),
    ).toMatchObject([
      { name: "in de1", server: "de1.test", port: 443, sni: undefined, transport: { host: "a.test", path: "/a" } },
      { name: "in cf", server: "cdn.test", port: 443, sni: "cdn.test", transport: { host: "cdn.test", path: "/a" } },
      {
        name: "in ip",
        server: "203.0.113.9",
        port: 8443,
        sni: "sni.test",
        transport: { host: "cdn.test", path: "/b" },
      },
      { name: "in plain", server: "cdn.test", port: 80, sni: undefined },
    ]);
  });
  // rule subscriptions.entry.5
  test("gRPC names the front's domain where it is not the name in TLS, in the formats that have a word for it", () => {
    const said = (more: Partial<ServedFront>, type = "vless") => {
      const fronts = [{ ...front, ...more }];
      const grpc = { transport: { type: "grpc", service_name: "g" } };
      const [entry] = entriesOf(user, [inbound(type, grpc, { fronts, frontedOnly: true })]);
      if (!entry) throw new Error("the front gives an entry");
      const link = linkOf(entry) ?? "";
      return {
        link: new URL(link).searchParams.get("authority"),
        packed:
          type === "vmess" && (JSON.parse(Buffer.from(link.slice(8), "base64").toString()) as { host: string }).host,
        xray: xrayOutbound(entry, "x")?.["streamSettings"],
        singbox: omissionOf("singbox", entry),
        clash: omissionOf("clash", entry),
      };
    };
    const left = { code: "combination", what: "grpc + Host" };
    const other = { singbox: left, clash: left };
    const authority = { grpcSettings: { serviceName: "g", authority: "cdn.test" } };
    expect(said({ sni: "sni.test" })).toMatchObject({ link: "cdn.test", xray: authority, ...other });
    expect(said({ sni: "sni.test" }, "vmess")).toMatchObject({ packed: "cdn.test", ...other });
    // Without TLS they name the server.
    expect(said({ address: "203.0.113.9", port: 80 })).toMatchObject({ xray: authority, ...other });
    const usual = { link: null, xray: { grpcSettings: { serviceName: "g" } }, singbox: undefined, clash: undefined };
    expect(said({ address: "203.0.113.9" })).toMatchObject(usual);
    expect(said({ port: 80 })).toMatchObject(usual);
  });

  // rule subscriptions.entry.5
  test("frontedOnly drops direct entries only where a front rendered", () => {
    const names = (config: Record<string, unknown>) =>
      entriesOf(user, [inbound("vless", config, { fronts: [front], frontedOnly: true })]).map((entry) => entry.name);
    expect(names(ws)).toEqual(["in cf"]);
    expect(names({ tls })).toEqual(["in de1"]);
    expect(names({ tls: { ...tls, reality }, transport: { type: "grpc" } })).toEqual(["in de1"]);
  });
});

// rule subscriptions.entry.2
test("a remark names the account and the inbound's tag; what it does not know stays", () => {
  const [entry] = entriesOf(user, [inbound("vless", {}, { remark: "{name}/{user} via {inbound} {nonsense}" })]);
  expect(entry?.name).toBe("ali/ali via in {nonsense} de1");
});

// rule subscriptions.entry.9
test("a template of the panel names entries; what looks like a variable in a value is none", () => {
  const figures = { left: "1 GiB", used: "2 GiB", total: "3 GiB", days: "4", expires: "2030-01-02" };
  const naming = (template: string) => ({ template, figure: (name: keyof typeof figures) => figures[name] });
  const named = (template: string, remark = "{inbound} {days}", own = "") =>
    entriesOf({ ...user, name: "{left}", remark: own, naming: naming(template) }, [
      inbound("trojan", { tls }, { remark, nodes: [{ ...node, linkAddress: "x|a.test" }] }),
      inbound("vless", { tls }, { id: 2, tag: "two", remark, nodes: [node] }),
    ]).map(({ name }) => name);
  expect(named("{node} · {days} d")).toEqual(["de1 · 4 d", "de1 · 4 d 2"]);
  expect(named("{inbound}/{tag} {label} {left} of {total}, {used}, {expires}")).toEqual([
    "in 4/in x 1 GiB of 3 GiB, 2 GiB, 2030-01-02",
    "two 4/two  1 GiB of 3 GiB, 2 GiB, 2030-01-02",
  ]);
  expect(named("{tag}", "", "VIP")).toEqual(["VIP in", "VIP two"]);
  expect(named("{tag} {remark}", "", "VIP")).toEqual(["in VIP", "two VIP"]);
  expect(named("{name} {constructor} {__proto__}")[0]).toBe("{left} {constructor} {__proto__}");
  expect(named("{label}")).toEqual(["x", "entry"]);
  expect(named("x".repeat(300))[0]).toHaveLength(200);
  expect(named("", "{left} {tag}")[0]).toBe("1 GiB {tag} de1 x");
});

// rule subscriptions.entry.10
describe("many connections in one", () => {
  const padded = { multiplex: { enabled: true, padding: true } };
  const only = (config: Record<string, unknown>, rest: Parameters<typeof inbound>[2] = {}) => {
    const entries = entriesOf(user, [inbound("vless", config, rest)]);
    expect(entries).toHaveLength(1);
    const [entry] = entries;
    if (!entry) throw new Error("no entry");
    return { clash: clashProxy(entry)?.["smux"], singbox: singBoxOutbound(entry)?.["multiplex"], entry };
  };

  test("sing-box and mihomo are told, links and Xray have no word for it", () => {
    const { entry, ...told } = only({ ...ws, ...padded });
    expect(told).toEqual({ clash: { enabled: true, padding: true }, singbox: { enabled: true, padding: true } });
    const { entry: plain } = only(ws);
    expect([linkOf(entry), xrayOutbound(entry, "x")]).toEqual([linkOf(plain), xrayOutbound(plain, "x")]);
    expect(only({ ...ws, multiplex: { enabled: true } }).singbox).toEqual({ enabled: true });
    expect(only({ ...ws, multiplex: { enabled: false, padding: true } }).singbox).toBeUndefined();
  });

  test("not on a node whose engine does not do it, and not beside a flow", () => {
    const nodes = [{ ...node, multiplex: false }];
    expect(only({ ...ws, ...padded }, { nodes }).singbox).toBeUndefined();
    const { entry, singbox } = only({ tls, ...padded });
    expect([entry.flow, singbox]).toEqual(["xtls-rprx-vision", undefined]);
    expect(only({ tls, ...padded }, { nodes: [{ ...node, vision: false }] }).singbox).toEqual({
      enabled: true,
      padding: true,
    });
  });

  test("behind a front every node has to do it", () => {
    const fronted = (nodes: Parameters<typeof inbound>[2]) =>
      only({ ...ws, ...padded }, { fronts: [front], frontedOnly: true, ...nodes }).singbox;
    expect(fronted({ nodes: [node, { ...node, id: 2 }] })).toEqual({ enabled: true, padding: true });
    expect(fronted({ nodes: [node, { ...node, id: 2, multiplex: false }] })).toBeUndefined();
  });
});
