// The lists of what configuration may say to a host: what reaches files, programs, sockets and interfaces is named by
// its path, what only carries traffic is not.
import { describe, expect, test } from "vitest";
import {
  type Collection,
  forbiddenPaths,
  privateTargetPaths,
  targetsOf,
  typesOf,
  withoutSecrets,
  withStoredSecrets,
} from "../../src/dialect/index.ts";

type Json = Record<string, unknown>;

describe("forbidden", () => {
  test.each<[Collection, string, Json, string[]]>([
    ["inbounds", "hysteria2", { masquerade: "file:///" }, ["masquerade"]],
    ["inbounds", "hysteria2", { masquerade: "FILE:///etc" }, ["masquerade"]],
    ["inbounds", "hysteria2", { masquerade: { type: "file", directory: "/" } }, ["masquerade.type"]],
    ["inbounds", "hysteria2", { masquerade: "http://site.test" }, ["masquerade"]],
    ["inbounds", "hysteria2", { masquerade: { type: "proxy", url: "http://site.test" } }, ["masquerade.url"]],
    [
      "inbounds",
      "vless",
      { tls: { certificate_path: "/c", key_path: "/k" } },
      ["tls.certificate_path", "tls.key_path"],
    ],
    ["inbounds", "vless", { tls: { Certificate_Path: "/c" } }, ["tls.Certificate_Path"]],
    ["inbounds", "vless", { tls: { acme: { domain: "a.test", data_directory: "/" } } }, ["tls.acme"]],
    ["inbounds", "vless", { tls: { ech: { enabled: true, key_path: "/k" } } }, ["tls.ech.key_path"]],
    ["inbounds", "vless", { tls: { client_certificate_path: ["/c"] } }, ["tls.client_certificate_path"]],
    ["inbounds", "vless", { listen: "/run/x.sock" }, ["listen"]],
    ["inbounds", "vless", { listen: "fe80::1%eth0" }, ["listen"]],
    [
      "inbounds",
      "vless",
      { bind_interface: "eth0", netns: "/run/netns/a", routing_mark: 1 },
      ["bind_interface", "netns", "routing_mark"],
    ],
    ["inbounds", "trojan", { fallback: { server: "/run/x.sock", server_port: 1 } }, ["fallback.server"]],
    [
      "inbounds",
      "trojan",
      { fallback_for_alpn: { "h2.x": { server: "@x", server_port: 1 } } },
      ["fallback_for_alpn.h2.x.server"],
    ],
    [
      "inbounds",
      "trojan",
      { tls: { reality: { handshake: { server: "w.test", netns: "a" } } } },
      ["tls.reality.handshake.netns"],
    ],
    ["inbounds", "mixed", { set_system_proxy: true }, ["set_system_proxy"]],
    ["inbounds", "shadowtls", { wildcard_sni: "all" }, ["wildcard_sni"]],
    ["inbounds", "vless", { transport: { type: "kcp" } }, ["transport.type"]],
    ["inbounds", "vless", { transport: { type: "ws", path: { file: "/" } } }, ["transport.path"]],
    [
      "inbounds",
      "vless",
      { transport: { type: "xhttp", extra: { secretKeyFile: "/k" } } },
      ["transport.extra.secretKeyFile"],
    ],
    [
      "inbounds",
      "vless",
      {
        transport: {
          type: "xhttp",
          extra: { downloadSettings: { sockopt: {}, tlsSettings: { certificates: [], masterKeyLog: "/l" } } },
        },
      },
      [
        "transport.extra.downloadSettings.sockopt",
        "transport.extra.downloadSettings.tlsSettings.certificates",
        "transport.extra.downloadSettings.tlsSettings.masterKeyLog",
      ],
    ],
    [
      "inbounds",
      "vless",
      JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as Json,
      ["__proto__", "constructor"],
    ],
    ["inbounds", "vless", { tls: ["x"] }, ["tls"]],
    ...["tun", "tproxy", "redirect", "constructor"].map((type): [Collection, string, Json, string[]] => [
      "inbounds",
      type,
      {},
      ["type"],
    ]),
    ["outbounds", "tor", { executable_path: "/bin/sh", extra_args: ["-c", "id"] }, ["type"]],
    ["outbounds", "direct", { protect_path: "/s", network_type: ["wifi"] }, ["protect_path", "network_type"]],
    ["outbounds", "ssh", { server: "a.test", private_key_path: "/root/.ssh/id" }, ["private_key_path"]],
    ["outbounds", "shadowsocks", { plugin: "/bin/sh" }, ["plugin"]],
    ["outbounds", "shadowsocks", { plugin: "v2ray-plugin", plugin_opts: "tls;cert=/etc/shadow" }, ["plugin_opts"]],
    ["outbounds", "shadowsocks", { plugin: "v2ray-plugin", plugin_opts: "tls;c\\ert=/etc/shadow" }, ["plugin_opts"]],
    [
      "outbounds",
      "vless",
      { tls: { client_key_path: "/k", ech: { config_path: "/c" } } },
      ["tls.client_key_path", "tls.ech.config_path"],
    ],
    ["outbounds", "urltest", { outbounds: ["a"], url: "file:///etc/passwd" }, ["url"]],
    ["outbounds", "wireguard", { system: true, name: "wg0" }, ["system", "name"]],
    ["endpoints", "wireguard", { peers: [{ address: "unix:/s" }] }, ["peers.0.address"]],
    [
      "endpoints",
      "tailscale",
      { state_directory: "/", system_interface: true },
      ["state_directory", "system_interface"],
    ],
    ["rulesets", "local", { path: "/etc/passwd" }, ["type"]],
    ["rulesets", "remote", { url: "https://a.test/r", path: "/x" }, ["path"]],
    [
      "rulesets",
      "inline",
      { rules: [{ type: "logical", mode: "and", rules: [{ process_path: "/x" }] }] },
      ["rules.0.rules.0.process_path"],
    ],
    [
      "route",
      "",
      { rules: [{ process_name: "x", user: "root", action: "route", outbound: "a" }] },
      ["rules.0.process_name", "rules.0.user"],
    ],
    [
      "route",
      "",
      { rules: [{ type: "logical", rules: [{ type: "logical", rules: [{ wifi_ssid: "x" }] }] }] },
      ["rules.0.rules.0.rules.0.wifi_ssid"],
    ],
    ["route", "", { rules: [{ ip_cidr: ["ext:secret.dat:x"] }] }, ["rules.0.ip_cidr.0"]],
    [
      "route",
      "",
      { rules: [{ action: "direct", bind_interface: "eth0" }] },
      ["rules.0.action", "rules.0.bind_interface"],
    ],
    ["route", "", { rule_set: [{ tag: "a", type: "local", path: "/x" }] }, ["rule_set.0.type"]],
    [
      "route",
      "",
      { default_mark: 1, default_interface: "eth0", find_process: true },
      ["default_mark", "default_interface", "find_process"],
    ],
    [
      "core",
      "",
      { log: { output: "/etc/cron.d/x" }, ntp: { write_to_system: true } },
      ["log.output", "ntp.write_to_system"],
    ],
    ["core", "", { experimental: { cache_file: { path: "/x" } } }, ["experimental"]],
    ["core", "", { dns: { servers: [{ type: "hosts", path: "/etc/shadow" }] } }, ["dns.servers.0.path"]],
    [
      "core",
      "",
      { dns: { servers: [{ type: "dhcp", interface: "eth0" }, { type: "resolved" }] } },
      ["dns.servers.0.type", "dns.servers.1.type"],
    ],
    ["core", "", { dns: { rules: [{ process_name: "x" }] } }, ["dns.rules.0.process_name"]],
    ["clientConfig", "", { tls: { certificate_path: "/c" }, command: "x" }, ["tls.certificate_path", "command"]],
    ["clientTls", "", { client_key_path: "/k" }, ["client_key_path"]],
  ])("%s %s %j", (collection, type, fragment, paths) => {
    expect(forbiddenPaths(collection, type, fragment)).toEqual(paths);
  });

  test("rules that are nested without end are forbidden where it gets too deep", () => {
    let rule: Json = { port: 80 };
    for (let depth = 0; depth < 5000; depth++) rule = { type: "logical", mode: "and", rules: [rule] };
    expect(forbiddenPaths("route", "", { rules: [rule] }).map((path) => path.split(".").length)).toEqual([33, 33, 33]);
  });

  test("a fragment that is no object is forbidden whole", () => {
    expect(forbiddenPaths("route", "", ["rules"])).toEqual([""]);
  });
});

test.each<[Collection, string, Json]>([
  [
    "inbounds",
    "vless",
    { type: "vless", tag: "a", listen: "127.0.0.1", listen_port: 1, tls: null, multiplex: { brutal: { up_mbps: 1 } } },
  ],
  [
    "inbounds",
    "vless",
    { tls: { enabled: true, certificate: ["-----BEGIN CERTIFICATE-----"], key: ["-----BEGIN PRIVATE KEY-----"] } },
  ],
  [
    "inbounds",
    "hysteria2",
    { masquerade: { type: "string", content: "hello", headers: { "content-type": ["text/plain"] } } },
  ],
  [
    "inbounds",
    "vless",
    {
      transport: { type: "xhttp", extra: { xmux: { maxConcurrency: "1-2" }, downloadSettings: { address: "d.test" } } },
    },
  ],
  [
    "outbounds",
    "direct",
    { inet4_bind_address: "10.0.0.5", domain_resolver: { server: "dns", strategy: "ipv4_only" } },
  ],
  ["outbounds", "socks", { server: "127.0.0.1", server_port: 40_000, username: "a", password: "b" }],
  ["outbounds", "shadowsocks", { plugin: "obfs-local", plugin_opts: "obfs=http;obfs-host=a.test" }],
  [
    "route",
    "",
    { rules: [{ ip_cidr: "10.0.0.0/8", auth_user: ["1.1"], outbound: "a" }, { action: "sniff" }], final: "a" },
  ],
  [
    "core",
    "",
    {
      dns: {
        servers: [
          { type: "https", tag: "d", server: "1.1.1.1", path: "/dns-query" },
          { type: "local", tag: "l" },
        ],
      },
    },
  ],
  [
    "clientConfig",
    "",
    { server: "cdn.test", server_port: 443, tls: { insecure: true, reality: { public_key: "x", spider_x: "/" } } },
  ],
])("lawful: %s %s %j", (collection, type, fragment) => {
  expect(forbiddenPaths(collection, type, fragment)).toEqual([]);
  expect(privateTargetPaths(collection, type, fragment)).toEqual([]);
});

test("an empty fragment of every type is lawful", () => {
  for (const collection of ["inbounds", "outbounds", "endpoints", "rulesets"] as const) {
    expect(typesOf(collection).flatMap((type) => forbiddenPaths(collection, type, {}))).toEqual([]);
  }
});

describe("targets", () => {
  const at = (server: unknown): [Collection, string, Json] => [
    "inbounds",
    "trojan",
    { fallback: { server, server_port: 80 } },
  ];
  // rule pool.fragment.3
  test.each([
    ..."127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1. ::1 [::1] ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1".split(
      " ",
    ),
    ..."localhost LOCALHOST localhost. a.localhost localhost.localdomain ip6-loopback 10.0.0.1 192.168.1 169.254.169.254 fd00::1 0".split(
      " ",
    ),
    "①②⑦.0.0.1",
    "",
  ])("%s is private", (server) => {
    expect(privateTargetPaths(...at(server))).toEqual(["fallback.server"]);
  });

  test.each("1.1.1.1 a.test a.test. 2606:4700::1111 [2606:4700::1111] localhost.test xn--e1afmkfd.test".split(" "))(
    "%s is not",
    (server) => {
      expect(privateTargetPaths(...at(server))).toEqual([]);
    },
  );

  test.each<[Collection, string, Json, string]>([
    ["inbounds", "trojan", { fallback_for_alpn: { h2: { server: "127.0.0.1" } } }, "fallback_for_alpn.h2.server"],
    ["inbounds", "vless", { tls: { reality: { handshake: { server: "127.0.0.1" } } } }, "tls.reality.handshake.server"],
    ["inbounds", "shadowtls", { handshake: { server: "127.0.0.1" } }, "handshake.server"],
    [
      "inbounds",
      "shadowtls",
      { handshake_for_server_name: { "a.test": { server: "127.0.0.1" } } },
      "handshake_for_server_name.a.test.server",
    ],
    ["inbounds", "direct", { override_address: "127.0.0.1" }, "override_address"],
    ["inbounds", "hysteria2", { masquerade: "https://127.1/" }, "masquerade"],
    ["inbounds", "hysteria2", { masquerade: { type: "proxy", url: "https://[::1]/" } }, "masquerade.url"],
    ["outbounds", "urltest", { url: "http://127.0.0.1:9/" }, "url"],
    ["route", "", { rules: [{ action: "route-options", override_address: "127.0.0.1" }] }, "rules.0.override_address"],
    ["route", "", { rule_set: [{ type: "remote", tag: "a", url: "http://localhost/" }] }, "rule_set.0.url"],
    ["core", "", { dns: { servers: [{ type: "udp", server: "127.0.0.53" }] } }, "dns.servers.0.server"],
    [
      "core",
      "",
      { dns: { servers: [{ type: "hosts", predefined: { "a.test": ["1.1.1.1", "127.0.0.1"] } }] } },
      "dns.servers.0.predefined.a.test.1",
    ],
    [
      "core",
      "",
      { dns: { rules: [{ action: "predefined", answer: ["a.test. IN A 127.0.0.1"] }] } },
      "dns.rules.0.answer.0",
    ],
    ["core", "", { ntp: { server: "127.0.0.1" } }, "ntp.server"],
  ])("%s %s %j", (collection, type, fragment, path) => {
    expect(privateTargetPaths(collection, type, fragment)).toEqual([path]);
    expect(targetsOf(collection, type, fragment).map((target) => target.path)).toContain(path);
  });
});

describe("secrets", () => {
  test("read as empty, and an empty one keeps the stored one", () => {
    const stored = {
      listen_port: 443,
      tls: {
        enabled: true,
        key: ["-----BEGIN"],
        reality: { private_key: "p", short_id: ["ab"], handshake: { server: "w.test" } },
      },
    };
    const read = withoutSecrets("inbounds", "vless", stored);
    expect(read).toEqual({
      listen_port: 443,
      tls: { enabled: true, key: [], reality: { private_key: "", short_id: ["ab"], handshake: { server: "w.test" } } },
    });
    expect(withStoredSecrets("inbounds", "vless", { ...read, listen_port: 444 }, stored)).toEqual({
      ...stored,
      listen_port: 444,
    });
    expect(withStoredSecrets("inbounds", "vless", { tls: { reality: { private_key: "new" } } }, stored)).toEqual({
      tls: { reality: { private_key: "new" } },
    });
    expect(stored.tls.key).toEqual(["-----BEGIN"]);
  });

  test.each<[Collection, string, Json, Json]>([
    ["inbounds", "shadowsocks", { method: "m", password: "p" }, { method: "m", password: "" }],
    [
      "inbounds",
      "hysteria2",
      { obfs: { type: "salamander", password: "p" } },
      { obfs: { type: "salamander", password: "" } },
    ],
    ["outbounds", "vless", { server: "a.test", uuid: "u" }, { server: "a.test", uuid: "" }],
    [
      "outbounds",
      "ssh",
      { private_key: ["k"], password: "p", user: "a" },
      { private_key: [], password: "", user: "a" },
    ],
    [
      "outbounds",
      "http",
      { headers: { "Proxy-Authorization": "x", "User-Agent": "y" } },
      { headers: { "Proxy-Authorization": "", "User-Agent": "y" } },
    ],
    [
      "endpoints",
      "wireguard",
      { private_key: "k", peers: [{ public_key: "a", pre_shared_key: "s" }] },
      { private_key: "", peers: [{ public_key: "a", pre_shared_key: "" }] },
    ],
    ["inbounds", "vless", { tls: { acme: { external_account: { mac_key: "s" } } } }, { tls: { acme: "" } }],
    ["outbounds", "tor", { executable_path: "/x" }, {}],
  ])("%s %s %j", (collection, type, fragment, read) => {
    expect(withoutSecrets(collection, type, fragment)).toEqual(read);
  });
});
