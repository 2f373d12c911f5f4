// Plans as Xray configurations: what is served looks exactly so and Xray takes it, what is not is named.
import { describe, expect, test } from "vitest";
import type { PlanObject } from "../../../src/protocol/plan.ts";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import { findEngine, inbound, user } from "../engines/rig.ts";
import { checkable, compiled, core, dialect, golden, keys, out, pem, reality, route } from "./plans.ts";
import { sentences } from "../sentences.ts";

const installed = await findEngine(xrayFactory);

/** What the installed Xray has against it; nothing where there is none. */
async function objection(config: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  return installed ? dialect.objection(checkable(config)) : undefined;
}

describe("served plans", () => {
  test("every protocol", async () => {
    const { config, warnings } = compiled(
      [
        inbound(1, "vless", { listen: "::", listen_port: 443, tls: pem }),
        inbound(2, "vmess", { listen_port: 444 }),
        inbound(3, "trojan", {
          listen: "192.0.2.1",
          listen_port: 445,
          tls: { ...pem, alpn: ["h2", "http/1.1"], min_version: "1.2" },
          fallback: { server: "127.0.0.1", server_port: 80 },
          fallback_for_alpn: { h2: { server: "::1", server_port: 81 } },
        }),
        inbound(4, "shadowsocks", { listen_port: 446, method: "chacha20-ietf-poly1305", password: "unused" }),
        inbound(5, "shadowsocks", {
          listen_port: 447,
          method: "2022-blake3-aes-128-gcm",
          password: keys[16],
          network: "tcp",
        }),
        inbound(6, "shadowsocks", { listen_port: 448, method: "2022-blake3-aes-256-gcm", password: keys[32] }),
        inbound(7, "hysteria2", {
          listen_port: 443,
          tls: pem,
          obfs: { type: "salamander", password: "obfuscation" },
          masquerade: "https://w.test",
          up_mbps: 100,
          down_mbps: 50,
        }),
        inbound(8, "socks", { listen_port: 449 }),
        inbound(9, "http", { listen_port: 450, tls: { ...pem, alpn: ["h2"] } }),
        inbound(10, "mixed", { listen_port: 451 }),
        inbound(11, "direct", { listen_port: 53, network: "udp", override_address: "192.0.2.53", override_port: 53 }),
      ],
      [user(9, { flow: "xtls-rprx-vision" }), user(7, { speedLimit: 5 })],
    );
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/protocols.txt");
    expect(await objection(config)).toBeUndefined();
  });

  test("every transport", async () => {
    const { config, warnings } = compiled([
      inbound(1, "vless", { listen_port: 443, tls: reality }),
      inbound(2, "vless", {
        listen_port: 444,
        tls: pem,
        transport: { type: "ws", path: "/a", headers: { Host: "x.test" } },
      }),
      inbound(3, "vmess", {
        listen_port: 445,
        transport: {
          type: "ws",
          path: "a?b=1",
          max_early_data: 2048,
          early_data_header_name: "Sec-WebSocket-Protocol",
        },
      }),
      inbound(4, "trojan", { listen_port: 446, tls: reality, transport: { type: "grpc", service_name: "s" } }),
      inbound(5, "vless", {
        listen_port: 447,
        tls: pem,
        transport: { type: "httpupgrade", path: "/u", host: "x.test" },
      }),
      inbound(6, "vless", {
        listen_port: 448,
        tls: { ...pem, alpn: ["h2"] },
        transport: {
          type: "xhttp",
          path: "/x",
          host: "x.test",
          mode: "stream-up",
          extra: { xPaddingBytes: "100-1000" },
        },
        tcp_fast_open: true,
        tcp_keep_alive: "5m",
      }),
      inbound(7, "vless", { listen_port: 448, tls: { ...pem, alpn: ["h3"] }, transport: { type: "xhttp" } }),
      inbound(8, "vmess", { listen_port: 449, transport: { type: "ws", max_early_data: 2048 } }),
    ]);
    await expect(golden({ config, warnings })).toMatchFileSnapshot("golden/transports.txt");
    expect(await objection(config)).toBeUndefined();
  });

  // rule pool.front.5
  test("forwarding headers are believed where a front sets its own", async () => {
    const behind = (type: string, trustedHeaders?: string[]) => ({
      ...inbound(1, "vless", { listen_port: 443, ...(type !== "tcp" && { transport: { type } }) }),
      ...(trustedHeaders && { trustedHeaders }),
    });
    const sockopt = (one: ReturnType<typeof behind>) => {
      const { plan, config } = compiled([one]);
      const [{ streamSettings } = { streamSettings: {} }] = config["inbounds"] as { streamSettings: object }[];
      return [(streamSettings as { sockopt?: object }).sockopt, plan.inbounds[0]?.fronted];
    };
    const headers = ["cf-connecting-ip", "x-cdn"];
    expect(sockopt(behind("xhttp", headers))).toEqual([
      { tcpUserTimeout: 60_000, trustedXForwardedFor: headers },
      true,
    ]);
    expect(sockopt(behind("xhttp"))).toEqual([{ tcpUserTimeout: 60_000 }, false]);
    expect(sockopt(behind("tcp", headers))).toEqual([{ tcpUserTimeout: 60_000 }, false]);
    expect(await objection(compiled([behind("xhttp", headers)]).config)).toBeUndefined();
  });

  test("outbounds", async () => {
    const { config, warnings } = compiled([
      inbound(1, "vless", { listen_port: 443 }),
      out("direct", "direct", {
        domain_resolver: { server: "x", strategy: "prefer_ipv6" },
        inet4_bind_address: "192.0.2.9",
      }),
      out("ads", "block"),
      out("up", "socks", { server: "192.0.2.7", server_port: 1080, username: "u", password: "p" }),
      out("web", "http", {
        server: "192.0.2.7",
        server_port: 8080,
        tls: { enabled: true, server_name: "p.test" },
        detour: "pick",
      }),
      out("far", "vless", {
        server: "far.test",
        server_port: 443,
        uuid: user(1).uuid,
        flow: "xtls-rprx-vision",
        tls: {
          enabled: true,
          server_name: "far.test",
          reality: { enabled: true, public_key: "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0", short_id: "01" },
        },
      }),
      out("ws", "vmess", {
        server: "far.test",
        server_port: 443,
        uuid: user(1).uuid,
        security: "aes-128-gcm",
        tls: { enabled: true, utls: { enabled: true, fingerprint: "firefox" } },
        transport: { type: "ws", path: "/w", headers: { Host: "h.test", "X-A": "b" } },
      }),
      out("tr", "trojan", {
        server: "far.test",
        server_port: 443,
        password: "p",
        tls: { enabled: true },
        transport: { type: "grpc", service_name: "g" },
      }),
      out("ss", "shadowsocks", {
        server: "192.0.2.7",
        server_port: 1,
        method: "chacha20-ietf-poly1305",
        password: "p",
      }),
      out("ss22", "shadowsocks", {
        server: "192.0.2.7",
        server_port: 1,
        method: "2022-blake3-aes-128-gcm",
        password: keys[16],
      }),
      out("hy", "hysteria2", {
        server: "192.0.2.7",
        server_port: 443,
        password: "p",
        tls: { enabled: true, server_name: "far.test" },
        obfs: { type: "salamander", password: "obfuscation" },
      }),
      out("wg", "wireguard", {
        private_key: Buffer.alloc(32, 3).toString("base64"),
        address: ["10.9.0.2/32"],
        peers: [
          {
            address: "192.0.2.8",
            port: 51820,
            public_key: Buffer.alloc(32, 4).toString("base64"),
            allowed_ips: ["0.0.0.0/0"],
          },
        ],
      }),
      out("pick", "selector", { outbounds: ["up", "direct"] }),
      out("best", "urltest", { outbounds: ["far", "hy"], url: "https://probe.test/", interval: "1m" }),
      route({ final: "best" }),
    ]);
    await expect(
      golden({
        outbounds: config["outbounds"],
        routing: config["routing"],
        observatory: config["observatory"],
        warnings,
      }),
    ).toMatchFileSnapshot("golden/outbounds.txt");
    expect(await objection(config)).toBeUndefined();
  });

  test("routes, resolver and log", async () => {
    const { config, warnings } = compiled([
      inbound(1, "vless", { listen_port: 443 }),
      out("direct", "direct"),
      out("ads", "block"),
      out("up", "socks", { server: "192.0.2.7", server_port: 1080 }),
      core({
        log: { level: "debug", output: "x.log" },
        ntp: { enabled: true },
        dns: {
          servers: [
            { tag: "a", type: "udp", server: "192.0.2.1" },
            { tag: "b", type: "https", server: "192.0.2.2", detour: "up" },
            { tag: "c", type: "tls", server: "192.0.2.3" },
            { tag: "h", type: "hosts", predefined: { "pin.test": ["192.0.2.4"] } },
          ],
          rules: [{ domain_suffix: "lan.test", server: "b" }],
          final: "a",
          strategy: "ipv4_only",
        },
      }),
      route({
        final: "up",
        rule_set: [
          {
            tag: "local",
            type: "inline",
            rules: [{ domain_suffix: ["lan.test", ".sub.test"] }, { ip_cidr: "198.51.100.0/24" }],
          },
        ],
        rules: [
          { action: "sniff" },
          { protocol: "dns", action: "hijack-dns" },
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
            rules: [
              { protocol: "bittorrent" },
              { type: "logical", mode: "and", rules: [{ source_ip_cidr: "10.9.0.0/16" }, { port: 25 }] },
            ],
            outbound: "ads",
          },
          { domain_regex: "^x\\.", source_port: 5, outbound: "direct" },
        ],
      }),
    ]);
    const { dns, log, routing, outbounds } = config;
    await expect(golden({ log, dns, outbounds, routing, warnings })).toMatchFileSnapshot("golden/routes.txt");
    expect(await objection(config)).toBeUndefined();
  });

  test("private targets allowed: nothing is closed but an interface on loopback", () => {
    const { config } = compiled([inbound(1, "vless", { listen_port: 443 })], [user(7)], "allow");
    expect(config["routing"]).toMatchObject({ domainStrategy: "IPOnDemand", rules: [] });
    expect(config["outbounds"]).toMatchObject([
      { settings: { finalRules: [{ action: "allow" }] } },
      { protocol: "blackhole" },
    ]);
    const older = dialect.compile({}, { privateTargets: "allow", apiPorts: [4002, 4001] });
    expect(older.frame["routing"]).toMatchObject({ rules: [{ port: "4001,4002", outboundTag: "block" }] });
    expect(older.frame["outbounds"]).toMatchObject([
      { settings: { finalRules: [{ action: "block", port: "4001,4002" }, { action: "allow" }] } },
      {},
    ]);
  });

  test("an http inbound without users is not opened at all: without accounts it would be open to everybody", () => {
    const { populated } = compiled(
      [
        inbound(1, "http", { listen_port: 8080 }),
        inbound(2, "mixed", { listen_port: 8081 }),
        inbound(3, "vless", { listen_port: 8082 }),
        inbound(4, "shadowsocks", { listen_port: 8083, method: "2022-blake3-aes-128-gcm", password: keys[16] }),
      ],
      [],
    );
    expect(populated.map(({ inbound: { tag } }) => tag)).toEqual(["in-3", "in-4"]);
  });

  test("an older Xray: no Unix socket, headers are believed, sniffed names replace addresses", async () => {
    const { xrayDialect } = await import("../../../src/agent/engines/xray/dialect.ts");
    const older = xrayDialect("26.3.27");
    expect(older.abilities.apiPorts).toBe(1);
    const plan = older.compile(
      {
        i: inbound(1, "vless", { listen_port: 1, transport: { type: "ws" } }),
        r: route({ rules: [{ action: "sniff" }] }),
      },
      { privateTargets: "block", apiPorts: [] },
    );
    expect(plan.inbounds).toMatchObject([{ fronted: true, body: { sniffing: { routeOnly: false } } }]);
    expect(xrayDialect("27.1.0").abilities.apiPorts).toBe(0);
  });
});

describe("what Xray cannot serve", () => {
  test.for<[string, Record<string, unknown>, string]>([
    [
      "vless",
      { tls: reality, transport: { type: "ws" } },
      "Xray does not serve REALITY over transport ws; sing-box does",
    ],
    ["vless", { transport: { type: "http" } }, "Xray does not serve transport http; sing-box does"],
    ["vless", { transport: { type: "quic" } }, "Xray does not serve transport quic; sing-box does"],
    ["vless", { transport: { type: "pigeon" } }, "Xray does not serve transport pigeon"],
    [
      "vless",
      { transport: { type: "grpc", service_name: "/a/b" } },
      "`transport.service_name` that begins with a slash",
    ],
    ["tuic", {}, "Xray does not serve type tuic; sing-box does"],
    ["anytls", {}, "Xray does not serve type anytls; sing-box does"],
    ["toString", {}, "Xray does not serve type toString; sing-box does"],
    ["hysteria2", {}, "hysteria2 needs TLS"],
    ["hysteria2", { tls: reality }, "hysteria2 needs TLS"],
    ["hysteria2", { tls: pem, masquerade: "gopher://x" }, "`masquerade`: "],
    ["hysteria2", { tls: pem, obfs: { type: "xor", password: "x" } }, "`obfs.type`: "],
    [
      "hysteria2",
      { tls: pem, obfs: { type: "salamander", password: "abc" } },
      "`obfs.password`: must be of 4 bytes or more",
    ],
    ["shadowsocks", { method: "2022-blake3-chacha20-poly1305", password: keys[32] }, "knows no users of its own"],
    [
      "shadowsocks",
      { method: "2022-blake3-aes-128-gcm", password: keys[32] },
      "`password` must be the key of 2022-blake3-aes-128-gcm",
    ],
    [
      "shadowsocks",
      { method: "aes-192-gcm", password: "x" },
      "Xray does not serve shadowsocks method aes-192-gcm; sing-box does",
    ],
    [
      "shadowsocks",
      { method: "constructor", password: "x" },
      "Xray does not serve shadowsocks method constructor; sing-box does",
    ],
    ["vless", { tls: { enabled: true } }, "TLS is enabled, but there is no certificate and key"],
    ["vless", { tls: { enabled: true, certificate: "x", key: "y" } }, "`tls.certificate` and `tls.key` must be PEM"],
    [
      "vless",
      { tls: { ...pem, client_authentication: "require" } },
      "Xray does not serve `client_authentication`; sing-box does",
    ],
    ["vless", { tls: { ...pem, ech: { enabled: true } } }, "Xray does not serve ECH; sing-box does"],
    [
      "vless",
      { tls: { ...reality, reality: { ...reality.reality, private_key: "short" } } },
      "`private_key`: must be an X25519 key",
    ],
    [
      "vless",
      { tls: { ...reality, reality: { ...reality.reality, max_time_difference: "soon" } } },
      "`tls.reality.max_time_difference`",
    ],
    ["vless", { detour: "other" }, "Xray does not serve `detour`; sing-box does"],
    ["http", { tls: reality }, "Xray does not serve REALITY with http; sing-box does"],
    ["direct", {}, "`override_address` is missing"],
    ["vless", { listen_port: 0 }, "`listen_port`: "],
  ])("%s %j", ([type, config, warning]) => {
    const { plan } = compiled([
      inbound(1, type, { listen_port: 443, ...config }),
      inbound(2, "vless", { listen_port: 444 }),
    ]);
    const text = sentences(plan.warnings).find((line) => line.startsWith("inbound in-1: "));
    expect(text).toContain(warning);
    expect(plan.inbounds.map((one) => one.tag)).toEqual(["in-2"]);
  });

  test("two inbounds on one port: the second is left out, unless the one is UDP and the other TCP", () => {
    const { plan } = compiled([
      inbound(1, "vless", { listen_port: 443 }),
      inbound(2, "vmess", { listen_port: 443 }),
      inbound(3, "hysteria2", { listen_port: 443, tls: pem }),
      inbound(4, "shadowsocks", { listen_port: 443, method: "aes-128-gcm", password: "" }),
    ]);
    expect(plan.inbounds.map((one) => one.id)).toEqual([1, 3]);
    expect(sentences(plan.warnings)).toEqual([
      "inbound in-2: port 443 is already used by inbound in-1",
      "inbound in-4: port 443 is already used by inbound in-1",
    ]);
  });

  test("users with unusable or shared secrets", () => {
    const twin = user(1).uuid.replace("-4000-", "-4abc-");
    const people = [
      user(1),
      user(2, { uuid: "no" }),
      user(3, { uuid: twin }),
      user(4, { password: "" }),
      user(5, { flow: "xtls-rprx-vision", ss16: "short" }),
      user(6, { flow: "xtls-rprx-direct" }),
    ];
    const { populated, warnings } = compiled(
      [
        inbound(1, "vless", { listen_port: 1 }),
        inbound(2, "vmess", { listen_port: 2 }),
        inbound(3, "trojan", { listen_port: 3 }),
        inbound(4, "vless", { listen_port: 4, tls: pem }),
        inbound(5, "shadowsocks", { listen_port: 5, method: "2022-blake3-aes-128-gcm", password: keys[16] }),
      ],
      people,
    );
    expect(populated.map(({ accounts }) => [...accounts.keys()])).toEqual([
      ["1.1", "4.1", "5.1", "6.1"],
      ["1.2", "3.2", "4.2", "5.2", "6.2"],
      ["1.3", "2.3", "3.3", "5.3", "6.3"],
      ["1.4", "4.4", "5.4", "6.4"],
      ["1.5", "2.5", "3.5", "4.5", "6.5"],
    ]);
    expect(
      populated.flatMap(({ accounts }) =>
        [...accounts.values()].flatMap(({ email, account }) => ("flow" in account && account.flow ? [email] : [])),
      ),
    ).toEqual(["5.4"]);
    expect(warnings).toEqual([
      "user 5: the shadowsocks key is not base64 of 16 bytes; not served on in-5",
      "user 6: the flow is none that Xray serves; they must connect without it",
      "user 2: the uuid is none or is another user's; not served on vless, vmess, socks, http and mixed inbounds",
      "user 3: the uuid differs from another user's in its third group alone, which Xray does not look at; not served on vless inbounds",
      "user 4: the password is empty or is another user's; not served on trojan, shadowsocks and hysteria2 inbounds",
    ]);
  });

  test("many users on an older shadowsocks method: the newer ones are recommended", () => {
    const people = Array.from({ length: 201 }, (_, index) => user(index + 1));
    const { warnings } = compiled(
      [inbound(1, "shadowsocks", { listen_port: 1, method: "aes-128-gcm", password: "" })],
      people,
    );
    expect(warnings).toEqual([
      expect.stringContaining(
        "inbound in-1: every connection tries the keys of up to 201 users; the methods 2022-blake3-aes",
      ),
    ]);
  });

  test("traffic meant for an outbound that is not served never leaves another way", async () => {
    const objects: PlanObject[] = [
      inbound(1, "vless", { listen_port: 443 }),
      out("gone", "ssh", { server: "x.test" }),
      out("loose", "socks", { server: "192.0.2.7", server_port: 1, detour: "gone" }),
      out("ring", "socks", { server: "192.0.2.7", server_port: 1, detour: "ring" }),
      out("blind", "trojan", {
        server: "192.0.2.7",
        server_port: 1,
        password: "p",
        tls: { enabled: true, insecure: true },
      }),
      out("flow", "vless", { server: "192.0.2.7", server_port: 1, uuid: user(1).uuid, flow: "xtls-rprx-vision" }),
      route({
        final: "gone",
        rules: [
          { domain: "a.test", outbound: "loose" },
          { ip_cidr: "10.0.0.0/8", invert: true, outbound: "direct" },
          { rule_set: "remote", outbound: "direct" },
          { clash_mode: "global", outbound: "direct" },
          { outbound: "direct" },
        ],
      }),
    ];
    const { config, plan } = compiled(objects);
    expect(config["outbounds"]).toMatchObject([{ protocol: "blackhole" }]);
    expect(config["routing"]).toMatchObject({ rules: [{}, {}, { domain: ["full:a.test"], outboundTag: "block" }] });
    expect(sentences(plan.warnings)).toEqual([
      "outbound gone: Xray does not serve outbound type ssh; sing-box does",
      "outbound blind: Xray connects to no server whose certificate it cannot check: give it as `tls.certificate`; sing-box obeys `tls.insecure`",
      "outbound flow: `flow` works only with TLS or REALITY and without a transport",
      'outbound loose: `detour`: "gone" is not served',
      "outbound ring: it leads back to itself",
      'route rule 1: the outbound "loose" is not served; what the rule matches is refused',
      "route rule 2: Xray does not serve `invert`; sing-box does; the rule is left out",
      'route rule 3: Xray does not serve the rule set "remote", which is not inline; sing-box does; the rule is left out',
      "route rule 4: Xray does not serve `clash_mode`; sing-box does; the rule is left out",
      "route rule 5: the rule matches everything; `final` is the place for that; the rule is left out",
      'route: the outbound "gone" named by `final` is not served; what no rule matches is refused',
    ]);
    expect(await objection(config)).toBeUndefined();
  });
});
