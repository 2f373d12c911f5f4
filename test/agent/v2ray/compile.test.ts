// Plans as v2ray configurations: what is served looks exactly so, what is not is named.
import { describe, expect, test } from "vitest";
import type { PlanObject, PlanUser } from "../../../src/protocol/plan.ts";
import { screenUsers } from "../../../src/agent/engines/v2ray/accounts.ts";
import {
  compile,
  engineConfig,
  inboundConfig,
  populate,
  populationWarnings,
} from "../../../src/agent/engines/v2ray/compile.ts";
import { engineTags } from "../../../src/agent/engines/process/dialect.ts";
import { fixedPair, goldenText } from "../engines/fixed-pair.ts";
import { inbound, structure, user, users } from "../engines/rig.ts";
import { sentences } from "../sentences.ts";

function compiled(objects: PlanObject[], people: PlanUser[] = [user(7)], privateTargets: "block" | "allow" = "block") {
  const everybody = users(...people);
  const screening = screenUsers(everybody);
  const plan = compile(structure(...objects), { privateTargets, apiPorts: [4002, 4001] });
  const populated = plan.inbounds.flatMap((one) => populate(one, everybody, screening) ?? []);
  const config = engineConfig(
    plan,
    populated.map((one) => inboundConfig(one, { ...one.inbound, tag: engineTags(one.inbound.id)[0] })),
    { grpc: "127.0.0.1:4001", ports: [4001] },
  );
  return {
    plan,
    config,
    populated,
    warnings: sentences([...plan.warnings, ...populationWarnings(plan, everybody), ...screening.warnings]),
  };
}

const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});
const route = (value: Record<string, unknown>): PlanObject => ({ kind: "route", route: value });
const pem = { enabled: true, ...fixedPair, server_name: "w.test" };
const golden = goldenText;

describe("served plans", () => {
  test("every protocol and transport", async () => {
    const { config, warnings } = compiled(
      [
        inbound(1, "vless", { listen: "::", listen_port: 443 }),
        inbound(2, "vless", {
          listen: "192.0.2.1",
          listen_port: 444,
          tls: pem,
          transport: { type: "ws", path: "/a", headers: { Host: "x.test" } },
        }),
        inbound(3, "vmess", {
          listen_port: 445,
          tls: { ...pem, alpn: ["h2"] },
          transport: { type: "http", host: ["x.test"], path: "/h" },
        }),
        inbound(4, "trojan", { listen_port: 446, tls: pem, fallback: { server: "127.0.0.1", server_port: 80 } }),
        inbound(5, "shadowsocks", { listen_port: 447, method: "chacha20-ietf-poly1305", password: "unused" }),
        inbound(6, "socks", { listen_port: 448 }),
        inbound(7, "http", { listen_port: 449, tls: pem }),
      ],
      [user(9), user(7)],
    );
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/protocols.txt");
  });

  test("outbounds and routes", async () => {
    const { config, warnings } = compiled([
      inbound(1, "vless", { listen_port: 443 }),
      out("direct", "direct"),
      out("ads", "block"),
      out("up", "socks", { server: "192.0.2.7", server_port: 1080, username: "u", password: "p" }),
      out("far", "vless", {
        server: "far.test",
        server_port: 443,
        uuid: user(1).uuid,
        tls: { enabled: true, server_name: "far.test" },
      }),
      out("pick", "selector", { outbounds: ["up", "direct"] }),
      route({
        final: "pick",
        rule_set: [
          {
            tag: "local",
            type: "inline",
            rules: [{ domain_suffix: ["lan.test", ".sub.test"] }, { ip_cidr: "198.51.100.0/24" }],
          },
        ],
        rules: [
          { action: "sniff" },
          { domain: ["a.test"], domain_keyword: "ads", ip_cidr: ["203.0.113.0/24"], outbound: "ads" },
          {
            inbound: "in-1",
            auth_user: ["7.1"],
            network: "tcp",
            port: [80, 443],
            port_range: ["1000:2000", "4000:"],
            outbound: "direct",
          },
          { rule_set: "local", action: "reject" },
          {
            type: "logical",
            mode: "or",
            rules: [{ protocol: "bittorrent" }, { source_ip_cidr: "10.9.0.0/16" }],
            outbound: "far",
          },
        ],
      }),
    ]);
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/routes.txt");
  });

  test("private targets allowed: the engine's own interface stays closed", () => {
    const { config } = compiled([inbound(1, "vless", { listen_port: 443 })], [user(7)], "allow");
    expect(config["routing"]).toMatchObject({
      domainStrategy: "IPOnDemand",
      rules: [
        { inboundTag: ["signalbox.api"], outboundTag: "signalbox.api.out" },
        { ip: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"], port: "4001,4002", outboundTag: "block" },
      ],
    });
  });

  test("an http inbound without users is not opened at all: without accounts it would be open to everybody", () => {
    const { populated } = compiled(
      [
        inbound(1, "http", { listen_port: 8080 }),
        inbound(2, "socks", { listen_port: 8081 }),
        inbound(3, "vless", { listen_port: 8082 }),
      ],
      [],
    );
    expect(populated.map(({ inbound: { tag } }) => tag)).toEqual(["in-3"]);
  });
});

describe("what v2ray cannot serve", () => {
  test.for<[string, Record<string, unknown>, string]>([
    [
      "vless",
      { tls: { enabled: true, reality: { enabled: true } } },
      "v2ray does not serve REALITY; Xray and sing-box do",
    ],
    [
      "vless",
      { transport: { type: "grpc", service_name: "s" } },
      "v2ray does not serve transport grpc; Xray and sing-box do",
    ],
    [
      "vmess",
      { transport: { type: "httpupgrade" } },
      "v2ray does not serve transport httpupgrade; Xray and sing-box do",
    ],
    ["vless", { transport: { type: "xhttp" } }, "v2ray does not serve transport xhttp; Xray does"],
    ["vless", { transport: { type: "pigeon" } }, "v2ray does not serve transport pigeon"],
    ["vless", { transport: { type: "http" } }, "v2ray does not serve transport http without TLS; sing-box does"],
    ["hysteria2", {}, "v2ray does not serve type hysteria2; Xray and sing-box do"],
    ["tuic", {}, "v2ray does not serve type tuic; sing-box does"],
    [
      "shadowsocks",
      { method: "2022-blake3-aes-128-gcm" },
      "v2ray does not serve shadowsocks method 2022-blake3-aes-128-gcm; Xray and sing-box do",
    ],
    ["vless", { tls: { enabled: true } }, "TLS is enabled, but there is no certificate and key"],
    ["vless", { tls: { enabled: true, certificate: "x", key: "y" } }, "`tls.certificate` and `tls.key` must be PEM"],
    [
      "vless",
      { tls: { enabled: true, min_version: "1.3", ...fixedPair } },
      "v2ray does not serve `tls.min_version` 1.3; Xray and sing-box do",
    ],
    [
      "vless",
      { tls: { enabled: true, security: "reality" } },
      "v2ray does not serve `tls.security`, `security`; sing-box does",
    ],
    ["vless", { detour: "other" }, "v2ray does not serve `detour`; sing-box does"],
    ["socks", { transport: { type: "ws" } }, "v2ray does not serve socks over transport ws"],
    ["vless", { listen_port: 0 }, "`listen_port`: "],
  ])("%s %j", ([type, config, warning]) => {
    const { plan } = compiled([
      inbound(1, type, { listen_port: 443, ...config }),
      inbound(2, "vless", { listen_port: 444 }),
    ]);
    const text = sentences(plan.warnings).find((line) => line.startsWith("inbound in-1: "));
    expect(text).toContain(warning.replace("`tls.security`, ", ""));
    expect(plan.inbounds.map((one) => one.tag)).toEqual(["in-2"]);
  });

  test("two inbounds on one port: the second is left out", () => {
    const { plan } = compiled([inbound(1, "vless", { listen_port: 443 }), inbound(2, "vmess", { listen_port: 443 })]);
    expect(plan.inbounds.map((one) => one.id)).toEqual([1]);
    expect(sentences(plan.warnings)).toEqual(["inbound in-2: port 443 is already used by inbound in-1"]);
  });

  test("users with unusable or shared secrets, limits and flows", () => {
    const people = [
      user(1),
      user(2, { uuid: "no" }),
      user(3, { uuid: user(1).uuid.toUpperCase() }),
      user(4, { password: "", speedLimit: 5 }),
      user(5, { flow: "xtls-rprx-vision" }),
    ];
    const { populated, warnings } = compiled(
      [
        inbound(1, "vless", { listen_port: 1 }),
        inbound(2, "trojan", { listen_port: 2 }),
        inbound(3, "vless", { listen_port: 3, multiplex: { enabled: true } }),
        inbound(4, "vless", { listen_port: 4, tls: pem }),
      ],
      people,
    );
    expect(populated.map(({ accounts }) => [...accounts.keys()])).toEqual([
      ["1.1", "4.1", "5.1"],
      ["1.2", "2.2", "3.2", "5.2"],
      ["1.3", "4.3", "5.3"],
      ["1.4", "4.4", "5.4"],
    ]);
    expect(warnings).toEqual([
      "inbound in-3: v2ray has no multiplexing that clients of this dialect use, so clients must leave it off; sing-box serves it",
      "inbound in-4: v2ray does not serve the flow of some users, who must connect without it; Xray and sing-box serve it",
      "users 2, 3: the uuid is none or is another user's; not served on vless, vmess, socks and http inbounds",
      "user 4: the password is empty or is another user's; not served on trojan inbounds",
    ]);
  });

  test("traffic meant for an outbound that is not served never leaves another way", () => {
    const { config, plan } = compiled([
      inbound(1, "vless", { listen_port: 443 }),
      out("wg", "wireguard"),
      route({
        final: "wg",
        rules: [
          { domain: "a.test", outbound: "wg" },
          { ip_cidr: "10.0.0.0/8", invert: true, outbound: "direct" },
        ],
      }),
    ]);
    expect(config["outbounds"]).toMatchObject([{ protocol: "blackhole" }, { protocol: "freedom" }]);
    expect(config["routing"]).toMatchObject({ rules: [{}, {}, {}, { domain: ["full:a.test"], outboundTag: "block" }] });
    expect(sentences(plan.warnings)).toEqual([
      "outbound wg: v2ray does not serve outbound type wireguard; Xray and sing-box do",
      'route rule 1: the outbound "wg" is not served; what the rule matches is refused',
      "route rule 2: v2ray does not serve `invert`; sing-box does; the rule is left out",
      'route: the outbound "wg" named by `final` is not served; what no rule matches is refused',
    ]);
  });
});
