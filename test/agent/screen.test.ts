// The items of a plan that an engine may see: each is judged alone. A refused one is named in the warning, the rest
// stays untouched.
import { describe, expect, test } from "vitest";
import { screen } from "../../src/agent/screen.ts";
import type { PlanObject } from "../../src/protocol/plan.ts";
import { planKey } from "../../src/protocol/plan.ts";

const inbound = (id: number, type: string, config: Record<string, unknown>): PlanObject => ({
  kind: "inbound",
  id,
  tag: `in-${id}`,
  type,
  config: { listen_port: 1000 + id, ...config },
});
const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});

function screened(objects: readonly PlanObject[], privateTargets: "block" | "allow" = "block") {
  const { structure, warnings } = screen(
    Object.fromEntries(objects.map((object) => [planKey(object), object])),
    privateTargets,
  );
  return { objects: Object.values(structure), warnings: warnings.map(({ detail }) => detail) };
}

const site = { server: "site.example", server_port: 443 };
const fine: PlanObject[] = [
  inbound(1, "vless", {
    tls: { enabled: true, certificate: ["pem"], key: ["pem"] },
    transport: { type: "ws", path: "/a" },
  }),
  inbound(2, "trojan", { fallback: site, detour: "in-1" }),
  inbound(3, "hysteria2", { masquerade: "https://site.example/", obfs: { type: "salamander", password: "secret" } }),
  out("direct", "direct", { inet4_bind_address: "192.0.2.9" }),
  out("up", "socks", { server: "10.0.0.9", server_port: 1080 }),
  out("wg", "wireguard", {
    address: ["10.9.0.2/32"],
    private_key: "k",
    peers: [{ address: "192.0.2.1", port: 1, public_key: "p" }],
  }),
  {
    kind: "route",
    route: { rules: [{ domain: "a.example", outbound: "up" }], rule_set: [{ tag: "s", rules: [] }], final: "direct" },
  },
  {
    kind: "core",
    core: { dns: { servers: [{ tag: "d", type: "https", server: "dns.example" }] }, log: { level: "warn" } },
  },
];

test("a plan without anything forbidden is what it was", () => {
  expect(screened(fine)).toEqual({ objects: fine, warnings: [] });
});

const nodes = "may not be set on nodes";
const closed = "leads to a private address, which is closed here";

describe("an inbound or outbound is left out whole", () => {
  test.for<[PlanObject, string]>([
    [inbound(9, "hysteria2", { masquerade: "file:///" }), `inbound in-9: \`masquerade\` ${nodes}`],
    [
      inbound(9, "hysteria2", { masquerade: { type: "file", directory: "/etc" } }),
      `inbound in-9: \`masquerade.type\` ${nodes}`,
    ],
    [inbound(9, "hysteria2", { masquerade: "https://127.1/" }), `inbound in-9: \`masquerade\` ${closed}`],
    [
      inbound(9, "vless", { tls: { certificate_path: "/c", key_path: "/k" } }),
      `inbound in-9: \`tls.certificate_path\`, \`tls.key_path\` ${nodes}`,
    ],
    [inbound(9, "vless", { tls: { ech: { key_path: "/k" } } }), `inbound in-9: \`tls.ech.key_path\` ${nodes}`],
    [
      inbound(9, "vless", { tls: { reality: { handshake: { ...site, netns: "n" } } } }),
      `inbound in-9: \`tls.reality.handshake.netns\` ${nodes}`,
    ],
    [
      inbound(9, "vless", { tls: { reality: { handshake: { ...site, server: "::1" } } } }),
      `inbound in-9: \`tls.reality.handshake.server\` ${closed}`,
    ],
    [
      inbound(9, "vless", { netns: "x", bind_interface: "eth0" }),
      `inbound in-9: \`netns\`, \`bind_interface\` ${nodes}`,
    ],
    [inbound(9, "vless", { listen: "/run/x.sock" }), `inbound in-9: \`listen\` ${nodes}`],
    [
      inbound(9, "trojan", { fallback: { ...site, server: "127.0.0.1" } }),
      `inbound in-9: \`fallback.server\` ${closed}`,
    ],
    [
      inbound(9, "trojan", { fallback: { ...site, server: "/run/x.sock" } }),
      `inbound in-9: \`fallback.server\` ${nodes}`,
    ],
    [inbound(9, "trojan", { fallback: { ...site, server: "@x" } }), `inbound in-9: \`fallback.server\` ${nodes}`],
    [inbound(9, "http", { set_system_proxy: true }), `inbound in-9: \`set_system_proxy\` ${nodes}`],
    [inbound(9, "tun", {}), "inbound in-9: type `tun` is for no node"],
    [
      inbound(9, "vless", {
        transport: { type: "xhttp", extra: { downloadSettings: { tlsSettings: { masterKeyLog: "/k" } } } },
      }),
      `inbound in-9: \`transport.extra.downloadSettings.tlsSettings.masterKeyLog\` ${nodes}`,
    ],
    [out("x", "tor", { executable_path: "/bin/sh" }), "outbound x: type `tor` is for no node"],
    [out("x", "ssh", { ...site, private_key_path: "/root/.ssh/id" }), `outbound x: \`private_key_path\` ${nodes}`],
    [out("x", "direct", { Bind_Interface: "eth0" }), `outbound x: \`Bind_Interface\` ${nodes}`],
    [out("x", "socks", { ...site, server: "env:HOME" }), `outbound x: \`server\` ${nodes}`],
    [out("x", "wireguard", { system: true, name: "wg0" }), `outbound x: \`system\`, \`name\` ${nodes}`],
    [out("x", "tailscale", { state_directory: "/" }), `outbound x: \`state_directory\` ${nodes}`],
    [out("x", "urltest", { outbounds: ["up"], url: "http://169.254.169.254/" }), `outbound x: \`url\` ${closed}`],
    [
      out("x", "socks", { ...site, ...Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((key) => [key, 1])) }),
      "and 2 more",
    ],
  ])("%j", ([object, warning]) => {
    const { objects, warnings } = screened([...fine, object]);
    expect(objects).toEqual(fine);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect(warnings[0]).toMatch(/; it is left out$/);
  });

  // rule pool.fragment.6
  test("where private targets are open, only what is forbidden", () => {
    const local = inbound(9, "trojan", { fallback: { ...site, server: "127.0.0.1" } });
    const socket = inbound(8, "trojan", { fallback: { ...site, server: "/run/x.sock" } });
    expect(screened([local, socket], "allow").objects).toEqual([local]);
  });
});

describe("of a route or core block only what does not pass", () => {
  // rule pool.fragment.7
  test("rules, rule sets and fields of a route", () => {
    const good = [
      { domain: "a.example", outbound: "up" },
      { type: "logical", mode: "and", rules: [{ port: 1 }], outbound: "up" },
    ];
    const set = { tag: "s", rules: [{ domain: "b.example" }] };
    const { objects, warnings } = screened([
      {
        kind: "route",
        route: {
          rules: [
            good[0],
            { process_path: "/bin/sh", outbound: "up" },
            good[1],
            { type: "logical", mode: "or", rules: [{ user: "root" }], outbound: "up" },
            { action: "route-options", override_address: "127.0.0.1" },
            [{ domain: "c.example", outbound: "up" }],
          ],
          rule_set: [
            { tag: "l", type: "local", path: "/etc/shadow" },
            set,
            { tag: "r", type: "remote", url: "http://10.0.0.1/s.json" },
          ],
          default_interface: "eth0",
          find_process: true,
          final: "up",
        },
      },
    ]);
    expect(objects).toEqual([{ kind: "route", route: { rules: good, rule_set: [set], final: "up" } }]);
    expect(warnings).toEqual([
      `route: \`rules.1.process_path\` ${nodes}; \`rules.1\` is left out`,
      `route: \`rules.3.rules.0.user\` ${nodes}; \`rules.3\` is left out`,
      `route: \`rules.5\` ${nodes}; \`rules.5\` is left out`,
      `route: \`rule_set.0.type\` ${nodes}; \`rule_set.0\` is left out`,
      `route: \`default_interface\` ${nodes}; \`default_interface\` is left out`,
      `route: \`find_process\` ${nodes}; \`find_process\` is left out`,
      `route: \`rules.4.override_address\` ${closed}; \`rules.4\` is left out`,
      `route: \`rule_set.2.url\` ${closed}; \`rule_set.2\` is left out`,
    ]);
  });

  // rule pool.fragment.7
  test("servers, rules and fields of dns, and log and ntp", () => {
    const server = { tag: "d", type: "udp", server: "192.0.2.53" };
    const { objects, warnings } = screened([
      {
        kind: "core",
        core: {
          dns: {
            servers: [
              { tag: "h", type: "hosts", path: "/etc/shadow" },
              server,
              { tag: "l", type: "udp", server: "127.0.0.53" },
            ],
            rules: [
              { user_id: 0, server: "d" },
              { domain: "a.example", server: "d" },
            ],
            fakeip: { enabled: true },
          },
          log: { output: "/etc/passwd" },
          ntp: { enabled: true, write_to_system: true, ...site },
          experimental: { cache_file: { path: "/etc/passwd" } },
        },
      },
    ]);
    const dns = { servers: [server], rules: [{ domain: "a.example", server: "d" }] };
    expect(objects).toEqual([{ kind: "core", core: { dns, log: {}, ntp: { enabled: true, ...site } } }]);
    expect(warnings.map((warning) => warning.replace(/^core: .*; /, ""))).toEqual(
      [
        "dns.servers.0",
        "dns.rules.0",
        "dns.fakeip",
        "log.output",
        "ntp.write_to_system",
        "experimental",
        "dns.servers.2",
      ].map((path) => `\`${path}\` is left out`),
    );
  });

  test("keys that look like paths do not hide anything", () => {
    const route = {
      "rules.0": [{ domain: "a.example" }],
      rules: [{ domain: "a.example", outbound: "up" }],
      "": { process_name: "x" },
    };
    expect(screened([{ kind: "route", route }]).objects).toEqual([{ kind: "route", route: { rules: route.rules } }]);
  });
});
