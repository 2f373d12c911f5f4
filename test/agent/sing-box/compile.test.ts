// Plans as sing-box configurations: what is served looks exactly so and passes the engine's own check, what is not is
// named.
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/agent/engines/sing-box/compile.ts";
import { singBoxDialect } from "../../../src/agent/engines/sing-box/dialect.ts";
import { engineTags } from "../../../src/agent/engines/process/dialect.ts";
import { planKey, type PlanInbound, type PlanObject, type PlanUser } from "../../../src/protocol/plan.ts";
import { findSingBox, PAIR } from "./installed.ts";
import { sentences } from "../sentences.ts";

const installed = await findSingBox();
const TAGS = ["with_v2ray_api", "with_clash_api", "with_quic", "with_utls", "with_gvisor", "with_wireguard"];
const dialect = singBoxDialect(TAGS);

function user(id: number, changes: Partial<PlanUser> = {}): PlanUser {
  return {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
    password: `password-${id}`,
    ss16: Buffer.alloc(16, id).toString("base64"),
    ss32: Buffer.alloc(32, id).toString("base64"),
    flow: "",
    speedLimit: 0,
    ipLimit: 0,
    ...changes,
  };
}
const inbound = (id: number, type: string, config: Record<string, unknown>): PlanInbound => ({
  kind: "inbound",
  id,
  tag: `in-${id}`,
  type,
  config,
});
const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});
const route = (value: Record<string, unknown>): PlanObject => ({ kind: "route", route: value });
const tls = { enabled: true, server_name: "w.test", certificate: [PAIR.certificate], key: [PAIR.key] };
const reality = {
  enabled: true,
  server_name: "w.test",
  reality: {
    enabled: true,
    handshake: { server: "w.test", server_port: 443 },
    private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
    short_id: ["0123456789abcdef"],
  },
};
const golden = (value: unknown): string =>
  `${JSON.stringify(value, null, 2)}\n`
    .replaceAll(JSON.stringify(PAIR.certificate), '"<certificate>"')
    .replaceAll(JSON.stringify(PAIR.key), '"<key>"');

async function compiled(
  objects: PlanObject[],
  people: PlanUser[] = [user(7)],
  privateTargets: "block" | "allow" = "block",
) {
  const everybody = new Map(people.map((one) => [one.id, one]));
  const screening = dialect.screen(everybody);
  const plan = dialect.compile(Object.fromEntries(objects.map((object) => [planKey(object), object])), {
    privateTargets,
    apiPorts: [4002, 4001],
    packetMark: 91,
  });
  const populated = plan.inbounds.flatMap((one) => dialect.populate(one, everybody, screening) ?? []);
  const config = dialect.config(
    plan,
    populated.map((one) =>
      dialect.inboundConfig(one, {
        tag: engineTags(one.inbound.id)[0],
        listen: one.inbound.listen,
        port: one.inbound.port,
      }),
    ),
    { grpc: "127.0.0.1:4001", clash: { port: 4002, secret: "s" }, ports: [4001, 4002] },
  );
  const objection = installed ? await dialect.objection(config) : undefined;
  return {
    plan,
    config,
    objection,
    populated,
    warnings: sentences([...plan.warnings, ...dialect.populationWarnings(plan, everybody), ...screening.warnings]),
  };
}

describe("served plans", () => {
  test("every protocol and transport", async () => {
    const { config, warnings, objection, plan } = await compiled(
      [
        inbound(1, "vless", { listen: "::", listen_port: 443, tls: reality }),
        inbound(2, "vless", {
          listen: "192.0.2.1",
          listen_port: 444,
          tls,
          transport: { type: "ws", path: "/a", headers: { Host: "x.test" } },
        }),
        inbound(3, "vless", { listen_port: 445, tls, transport: { type: "grpc", service_name: "s" } }),
        inbound(4, "vmess", { listen_port: 446, transport: { type: "http", host: ["x.test"], path: "/h" } }),
        inbound(5, "trojan", { listen_port: 447, tls, fallback: { server: "127.0.0.1", server_port: 80 } }),
        inbound(6, "shadowsocks", { listen_port: 448, method: "chacha20-ietf-poly1305", listen: "192.0.2.1" }),
        inbound(7, "shadowsocks", {
          listen_port: 449,
          method: "2022-blake3-aes-128-gcm",
          password: Buffer.alloc(16, 1).toString("base64"),
          network: "tcp",
        }),
        inbound(8, "shadowsocks", {
          listen_port: 450,
          method: "2022-blake3-aes-256-gcm",
          password: Buffer.alloc(32, 1).toString("base64"),
          network: "tcp",
        }),
        inbound(9, "hysteria2", {
          listen_port: 443,
          tls,
          obfs: { type: "salamander", password: "o" },
          masquerade: "https://x.test",
        }),
        inbound(10, "tuic", { listen_port: 444, tls, congestion_control: "bbr" }),
        inbound(11, "anytls", { listen_port: 451, tls }),
        inbound(12, "naive", { listen_port: 452, tls }),
        inbound(13, "shadowtls", {
          listen_port: 453,
          version: 3,
          handshake: { server: "w.test", server_port: 443 },
          detour: "in-7",
        }),
        inbound(14, "socks", { listen_port: 454 }),
        inbound(15, "http", { listen_port: 455, tls }),
        inbound(16, "mixed", { listen_port: 456 }),
        inbound(17, "vmess", {
          listen_port: 457,
          tls,
          transport: { type: "httpupgrade", path: "/u" },
          multiplex: { enabled: true },
        }),
      ],
      [user(9, { flow: "xtls-rprx-vision" }), user(7)],
    );
    expect(objection).toBeUndefined();
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/protocols.txt");
    expect(plan.inbounds.filter((one) => one.networks.includes("udp")).map((one) => one.tag)).toEqual([
      "in-6",
      "in-9",
      "in-10",
      "in-12",
    ]);
  });

  test("outbounds, routes and names", async () => {
    const { config, warnings, objection } = await compiled([
      inbound(1, "vless", { listen_port: 443 }),
      out("direct", "direct"),
      out("ads", "block"),
      out("up", "socks", { server: "192.0.2.7", server_port: 1080, username: "u", password: "p" }),
      out("far", "vless", {
        server: "far.test",
        server_port: 443,
        uuid: user(1).uuid,
        detour: "up",
        tls: { enabled: true, server_name: "far.test" },
      }),
      out("wg", "wireguard", {
        private_key: Buffer.alloc(32, 1).toString("base64"),
        address: ["10.9.0.2/32"],
        peers: [
          {
            address: "192.0.2.8",
            port: 51820,
            public_key: Buffer.alloc(32, 2).toString("base64"),
            allowed_ips: ["0.0.0.0/0"],
          },
        ],
      }),
      out("pick", "selector", { outbounds: ["up", "direct"], default: "direct" }),
      out("best", "urltest", { outbounds: ["far", "wg"] }),
      {
        kind: "core",
        core: {
          dns: {
            servers: [{ tag: "out", type: "udp", server: "192.0.2.53" }],
            rules: [{ domain_suffix: "lan.test", server: "out" }],
          },
          log: { level: "debug" },
        },
      },
      route({
        final: "pick",
        rule_set: [{ tag: "local", rules: [{ domain_suffix: ["lan.test"] }, { ip_cidr: "198.51.100.0/24" }] }],
        rules: [
          { action: "sniff" },
          { domain: ["a.test"], ip_cidr: ["203.0.113.0/24"], outbound: "ads" },
          { inbound: "in-1", auth_user: ["7.1"], network: "tcp", port: [80, 443], outbound: "direct" },
          { rule_set: "local", action: "reject", method: "drop" },
          { type: "logical", mode: "and", rules: [{ protocol: "bittorrent" }, { inbound: "in-9" }], outbound: "best" },
          { ip_cidr: "203.0.113.9/32", outbound: "wg" },
        ],
      }),
    ]);
    expect(objection).toBeUndefined();
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/routes.txt");
  });

  test("private targets allowed: the engine's own interfaces stay closed", async () => {
    const { config, plan } = await compiled([inbound(1, "vless", { listen_port: 443 })], [user(7)], "allow");
    expect(plan.guards).toBe(2);
    expect(config["route"]).toMatchObject({
      rules: [
        { action: "resolve" },
        {
          ip_cidr: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128", "::ffff:127.0.0.0/104", "::ffff:0.0.0.0/104"],
          port: [4001, 4002],
          outbound: "block",
        },
      ],
      final: "direct",
    });
  });

  test("with the kernel's guard, direct outbounds mark what they send instead of keeping to one target", () => {
    const options = { privateTargets: "block", apiPorts: [4001], packetMark: 91 } as const;
    const objects = [
      out("direct", "direct"),
      out("own", "direct", { tcp_fast_open: true }),
      out("lan", "direct", { inet4_bind_address: "192.0.2.9" }),
      out("up", "socks", { server: "10.0.0.9", server_port: 1080, detour: "lan" }),
      route({
        rules: [
          { port: 1, outbound: "own" },
          { port: 2, outbound: "lan" },
          { port: 3, outbound: "up" },
          { port: 4, outbound: "direct" },
        ],
      }),
    ];
    const plan = dialect.compile(Object.fromEntries(objects.map((object) => [planKey(object), object])), options);
    expect(plan.frame["outbounds"]).toEqual([
      { type: "direct", tag: "direct", routing_mark: 91 },
      { type: "direct", tag: "own", tcp_fast_open: true, routing_mark: 91 },
      { type: "direct", tag: "lan", inet4_bind_address: "192.0.2.9" },
      { type: "socks", tag: "up", server: "10.0.0.9", server_port: 1080, detour: "lan" },
      { type: "block", tag: "block" },
    ]);
    expect(plan.frame["route"]).toMatchObject({ final: "direct" });
    const rules = Object.entries(plan.frame["route"] ?? {}).flatMap(([key, value]): unknown[] =>
      key === "rules" && Array.isArray(value) ? value : [],
    );
    expect(rules.slice(plan.guards)).toEqual([
      { port: 1, outbound: "own" },
      { port: 2, outbound: "lan", udp_connect: true },
      // Through "lan", which leaves from here: kept to one target like it.
      { port: 3, outbound: "up", udp_connect: true },
      { port: 4, outbound: "direct" },
    ]);
  });

  test("without it they keep to one target, and a warning says so", () => {
    const objects = [out("direct", "direct")];
    const plan = dialect.compile(Object.fromEntries(objects.map((object) => [planKey(object), object])), {
      privateTargets: "block",
      apiPorts: [],
    });
    expect(plan.frame["route"]).toMatchObject({
      rules: expect.arrayContaining([{ network: "udp", outbound: "direct", udp_connect: true }]),
    });
    expect(sentences(plan.warnings)).toEqual([
      "route: over UDP a client's socket reaches its first target alone; the port map, with which it reaches others, needs nft and CAP_NET_ADMIN",
    ]);
  });

  test("what would be open to everybody without users is not opened", async () => {
    const { populated, objection } = await compiled(
      [
        inbound(1, "http", { listen_port: 8080 }),
        inbound(2, "shadowsocks", {
          listen_port: 8081,
          method: "2022-blake3-aes-128-gcm",
          password: Buffer.alloc(16).toString("base64"),
        }),
        inbound(3, "naive", { listen_port: 8082, tls }),
        inbound(4, "vless", { listen_port: 8083 }),
      ],
      [],
    );
    expect(populated.map(({ inbound: { tag } }) => tag)).toEqual(["in-4"]);
    expect(objection).toBeUndefined();
  });

  test("one port may serve two networks, but not the same one twice", async () => {
    const { plan } = await compiled([
      inbound(1, "vless", { listen_port: 443 }),
      inbound(2, "hysteria2", { listen_port: 443, tls }),
      inbound(3, "trojan", { listen_port: 443, tls, listen: "192.0.2.1" }),
    ]);
    expect(plan.inbounds.map((one) => one.tag)).toEqual(["in-1", "in-2"]);
    expect(sentences(plan.warnings)).toContain("inbound in-3: port 443 is already used by inbound in-1");
  });

  test("a changed secret changes the digest, another order of users does not", async () => {
    const digest = async (...people: PlanUser[]): Promise<string | undefined> =>
      (await compiled([inbound(1, "vless", { listen_port: 443 })], people)).populated[0]?.digest;
    expect(await digest(user(1), user(2))).toBe(await digest(user(2), user(1)));
    expect(await digest(user(1))).not.toBe(await digest(user(1, { uuid: user(3).uuid })));
  });
});

describe("what sing-box cannot serve is named, and the rest runs", () => {
  test.for<[string, Record<string, unknown>, string]>([
    ["vless", { transport: { type: "xhttp" } }, "sing-box does not serve transport xhttp; Xray does"],
    ["vless", { wat: 1 }, "sing-box does not serve `wat`"],
    ["vless", { tls: { ...tls, wat: 1 } }, "sing-box does not serve `tls.wat`"],
    ["vless", { transport: { type: "ws", host: "x" } }, "sing-box does not serve `transport.host`"],
    [
      "trojan",
      { fallback: { server: "w.test" } },
      "`fallback.server_port`: Invalid input: expected number, received undefined",
    ],
    ["socks", { tls }, "sing-box does not serve `tls`"],
    ["vless", { sniff: true }, '`sniff` is of an older dialect: use a route rule with action "sniff"'],
    ["vless", { users: [] }, "`users` is the panel's own"],
    ["vless", { tls: { enabled: true, acme: {} } }, "`tls.acme` is the panel's own"],
    ["vless", { tls: { enabled: true } }, "TLS is enabled, but there is no certificate and key"],
    ["vless", { tls: { enabled: true, certificate: "x", key: "y" } }, "`tls.certificate` must be PEM"],
    ["vless", { listen_port: undefined }, "`listen_port`: Invalid input: expected number, received undefined"],
    ["vmess", { transport: { type: "quic" } }, "transport quic needs TLS"],
    ["hysteria2", {}, "hysteria2 needs TLS"],
    ["tuic", { tls: reality }, "REALITY does not exist over QUIC"],
    [
      "shadowsocks",
      { method: "2022-blake3-aes-128-gcm", password: "short" },
      "`password` must be the key of 2022-blake3-aes-128-gcm: base64 of 16 bytes",
    ],
    ["shadowsocks", { method: "rc4" }, "sing-box does not serve shadowsocks method rc4"],
    [
      "shadowsocks",
      { method: "2022-blake3-chacha20-poly1305" },
      "`method` 2022-blake3-chacha20-poly1305 knows no users of its own, so nobody could be counted or switched off",
    ],
    ["shadowtls", { version: 3 }, "`detour`: shadowtls carries the connections of another inbound, which is missing"],
    ["tun", {}, "type tun knows no users of its own, so nobody could be counted or switched off"],
    ["pigeon", {}, "sing-box does not serve type pigeon"],
    ["vless", { detour: "in-9" }, '`detour`: "in-9" is not served'],
  ])("%s %o", async ([type, config, warning]) => {
    const { plan, warnings } = await compiled([
      inbound(1, type, { listen_port: 443, ...config }),
      inbound(2, "vless", { listen_port: 444 }),
    ]);
    expect(plan.inbounds.map((one) => one.tag)).toEqual(["in-2"]);
    expect(warnings).toContain(`inbound in-1: ${warning}`);
  });

  test("what the build has not got", () => {
    const bare = compile(
      Object.fromEntries(
        [
          inbound(1, "hysteria2", { listen_port: 1, tls }),
          inbound(2, "vless", { listen_port: 2, tls: reality }),
          inbound(3, "vless", { listen_port: 3 }),
        ].map((one) => [planKey(one), one]),
      ),
      { privateTargets: "block", apiPorts: [], packetMark: 91 },
      new Set(["with_v2ray_api"]),
    );
    expect(bare.inbounds.map((one) => one.tag)).toEqual(["in-3"]);
    expect(sentences(bare.warnings)).toEqual([
      "inbound in-1: hysteria2 needs a sing-box built with the tag with_quic",
      "inbound in-2: REALITY needs a sing-box built with the tag with_utls",
    ]);
  });

  test("nothing takes another way than was meant", async () => {
    const { config, warnings, objection } = await compiled([
      out("direct", "direct"),
      out("gone", "vless", { server: "x.test", server_port: 1, uuid: "no" }),
      out("through", "socks", { server: "192.0.2.1", server_port: 1080, detour: "gone" }),
      out("pick", "selector", { outbounds: ["gone", "direct"] }),
      out("round", "selector", { outbounds: ["about"] }),
      out("about", "selector", { outbounds: ["round"] }),
      route({
        final: "through",
        rules: [
          { domain: "a.test", outbound: "round" },
          { geoip: "cn", outbound: "direct" },
          { rule_set: "no", outbound: "direct" },
        ],
      }),
    ]);
    expect(warnings).toEqual([
      "outbound gone: `uuid`: must be a uuid",
      "outbound round: it leads back to itself",
      'outbound through: `detour`: "gone" is not served',
      "outbound about: `outbounds`: none of them is served",
      'outbound pick: its choice "gone" is not served; what goes there is refused',
      'route rule 1: the outbound "round" is not served; what the rule matches is refused',
      "route rule 2: `geoip` is of an older dialect: use a rule set; the rule is left out",
      'route rule 3: `rule_set`: there is no "no"; the rule is left out',
      'route: the outbound "through" named by `final` is not served; what no rule matches is refused',
    ]);
    expect(config["outbounds"]).toEqual([
      { type: "direct", tag: "direct", routing_mark: 91 },
      { type: "selector", tag: "pick", outbounds: ["direct", "block"], default: "block" },
      { type: "block", tag: "block" },
    ]);
    expect(config["route"]).toMatchObject({ final: "block" });
    expect(objection).toBeUndefined();
  });

  test("a broken dns block is left out whole, never half", async () => {
    const { config, warnings } = await compiled([
      {
        kind: "core",
        core: {
          dns: { servers: [{ tag: "a", type: "udp", server: "192.0.2.1" }], rules: [{ domain: "x", server: "b" }] },
        },
      },
    ]);
    expect(warnings).toEqual([
      'core: dns: `dns.rules.0.server`: there is no "b"; names are resolved by the system\'s resolver',
    ]);
    expect(config["dns"]).toEqual({ servers: [{ type: "local", tag: "signalbox.dns" }] });
  });

  test("users who cannot be told apart or lack a secret", async () => {
    const { populated, warnings } = await compiled(
      [inbound(1, "vless", { listen_port: 1 }), inbound(2, "trojan", { listen_port: 2 })],
      [user(1), user(2, { uuid: user(1).uuid.toUpperCase() }), user(3, { password: "" }), user(4, { uuid: "x" })],
    );
    expect(populated.map((one) => [...one.accounts.keys()])).toEqual([
      ["1.1", "3.1"],
      ["1.2", "2.2", "4.2"],
    ]);
    expect(warnings).toEqual([
      "users 2, 4: the uuid is missing, malformed or another user's; not served on vless, vmess, tuic, socks, http, mixed and naive inbounds",
      "user 3: the password is missing, malformed or another user's; not served on trojan, shadowsocks, hysteria2, tuic, anytls, shadowtls, socks, http, mixed and naive inbounds",
    ]);
  });
});
