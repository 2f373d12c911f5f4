// Configuration over HTTP: what could reach a host is refused by the name of its field, private targets too, and
// secrets are for those who may write them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestPanel } from "../accounts/panel.ts";
import { dialects } from "../database.ts";

const privateKey = "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc";
const tls = { enabled: true, server_name: "a.test" };
const reality = (server: string) => ({
  ...tls,
  reality: { enabled: true, handshake: { server, server_port: 443 }, private_key: privateKey },
});

describe.each(dialects)("configuration on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    panel.narrowed("reader", ["pool:read", "templates:read"]);
    panel.narrowed("writer", ["pool:read", "pool:write"]);
    panel.narrowed("templater", ["templates:read", "templates:write"]);
  });
  afterAll(() => panel.dispose());

  const refused = async (path: string, body: object, token = "root") => {
    const { status, body: answer } = await panel.call("POST", path, body, token);
    return [status, answer.code, answer.field];
  };

  // rule pool.fragment.1
  test.each<[string, Record<string, unknown>, string]>([
    ["hysteria2", { listen_port: 443, tls, masquerade: "file:///" }, "config.masquerade"],
    ["hysteria2", { listen_port: 443, tls, masquerade: { type: "file", directory: "/" } }, "config.masquerade.type"],
    ["hysteria2", { listen_port: 443, tls, masquerade: "http://site.test" }, "config.masquerade"],
    [
      "vless",
      { listen_port: 443, tls: { ...tls, certificate_path: "/c", key_path: "/k" } },
      "config.tls.certificate_path",
    ],
    ["vless", { listen_port: 443, tls: { ...tls, acme: { domain: "a.test" } } }, "config.tls.acme"],
    ["vless", { listen_port: 443, bind_interface: "eth0" }, "config.bind_interface"],
    [
      "trojan",
      { listen_port: 443, tls, fallback: { server: "/run/docker.sock", server_port: 80 } },
      "config.fallback.server",
    ],
    ["direct", { listen_port: 443, experimental: {} }, "config.experimental"],
    ["tun", { auto_route: true }, "type"],
  ])("an inbound %s %j", async (type, config, field) => {
    expect(await refused("/inbounds", { tag: "x", type, config }, "writer")).toEqual([400, "forbidden_key", field]);
  });

  // rule pool.fragment.1
  test.each<[string, Record<string, unknown>, string]>([
    ["tor", { executable_path: "/bin/sh", extra_args: ["-c", "id"] }, "type"],
    ["direct", { netns: "/run/netns/x" }, "config.netns"],
    ["direct", { domain_strategy: "ipv4_only" }, "config.domain_strategy"],
    ["ssh", { server: "a.test", private_key_path: "/root/.ssh/id_rsa" }, "config.private_key_path"],
  ])("an outbound %s %j", async (type, config, field) => {
    expect(await refused("/outbounds", { tag: "x", type, config }, "writer")).toEqual([400, "forbidden_key", field]);
  });

  // rule pool.inbound.6
  test.each<[string, object]>([
    ["clientConfig.tls.server_name", { clientConfig: { tls: { server_name: `${"a".repeat(253)}b` } } }],
    ["clientConfig.server", { clientConfig: { server: "a".repeat(254) } }],
    ["clientConfig.tls.alpn.0", { clientConfig: { tls: { alpn: ["x".repeat(4097)] } } }],
    ["config.tls.server_name", { config: { listen_port: 1, tls: { ...tls, server_name: "a".repeat(800_000) } } }],
    ["config.transport.path", { config: { listen_port: 1, transport: { type: "ws", path: `/${"a".repeat(4096)}` } } }],
    [
      "config.transport.headers.Host",
      { config: { listen_port: 1, transport: { type: "ws", headers: { Host: "a".repeat(254) } } } },
    ],
    [
      "config.transport.service_name",
      { config: { listen_port: 1, transport: { type: "grpc", service_name: "a".repeat(4097) } } },
    ],
  ])("a text that every link would have is not endless: %s", async (field, fields) => {
    const body = { tag: "long", type: "vless", config: { listen_port: 1 }, ...fields };
    expect(await refused("/inbounds", body, "writer")).toEqual([400, "validation", field]);
  });

  // rules pool.inbound.5, pool.fragment.1
  test("what clients are told, routes and core blocks", async () => {
    const clientConfig = { tls: { certificate_path: "/c" } };
    expect(await refused("/inbounds", { tag: "x", type: "vless", config: {}, clientConfig })).toEqual([
      400,
      "forbidden_key",
      "clientConfig.tls.certificate_path",
    ]);
    const route = { rules: [{ process_name: "sshd", outbound: "out" }] };
    expect(await refused("/templates", { name: "x", route })).toEqual([
      400,
      "forbidden_key",
      "route.rules.0.process_name",
    ]);
    const core = { log: { output: "/etc/cron.d/x" } };
    expect(await refused("/templates", { name: "x", core }, "templater")).toEqual([
      400,
      "forbidden_key",
      "core.log.output",
    ]);
    expect(await refused("/templates", { name: "x", core: { experimental: {} } })).toEqual([
      400,
      "forbidden_key",
      "core.experimental",
    ]);
  });

  // rule pool.fragment.3
  test.each<[string, object, string]>([
    [
      "/inbounds",
      { tag: "x", type: "trojan", config: { listen_port: 1, tls, fallback: { server: "127.1", server_port: 80 } } },
      "config.fallback.server",
    ],
    [
      "/inbounds",
      { tag: "x", type: "vless", config: { listen_port: 1, tls: reality("0x7f000001") } },
      "config.tls.reality.handshake.server",
    ],
    [
      "/inbounds",
      { tag: "x", type: "direct", config: { listen_port: 1, override_address: "::ffff:127.0.0.1" } },
      "config.override_address",
    ],
    [
      "/inbounds",
      { tag: "x", type: "hysteria2", config: { listen_port: 1, tls, masquerade: "https://localhost./" } },
      "config.masquerade",
    ],
    [
      "/templates",
      { name: "x", core: { dns: { servers: [{ type: "udp", tag: "d", server: "10.0.0.1" }] } } },
      "core.dns.servers.0.server",
    ],
    [
      "/templates",
      { name: "x", route: { rule_set: [{ type: "remote", tag: "r", url: "http://192.168.0.1/" }] } },
      "route.rule_set.0.url",
    ],
  ])("a private target: %s %j", async (path, body, field) => {
    expect(await refused(path, body)).toEqual([400, "validation", field]);
  });

  // rule pool.fragment.4
  test("secrets are for those who may replace them; an empty one keeps the stored one", async () => {
    const config = { listen_port: 443, tls: reality("site.test") };
    const { id } = await panel.ok("POST", "/inbounds", { tag: "secret", type: "vless", config }, "writer");
    const out = await panel.ok("POST", "/outbounds", {
      tag: "s",
      type: "socks",
      config: { server: "a.test", server_port: 1, password: "p" },
    });
    const template = await panel.ok(
      "POST",
      "/templates",
      { name: "carries", inboundIds: [id], outboundIds: [out.id] },
      "templater",
    );
    const answers = [
      template,
      await panel.ok("GET", `/templates/${template.id}`, undefined, "reader"),
      await panel.ok("GET", "/templates", undefined, "reader"),
      await panel.ok("GET", `/inbounds/${id}`, undefined, "reader"),
      await panel.ok("GET", "/inbounds", undefined, "reader"),
      await panel.ok("GET", `/outbounds/${out.id}`, undefined, "reader"),
      await panel.ok("GET", "/outbounds", undefined, "reader"),
      await panel.ok("PUT", `/templates/${template.id}`, { remark: "r" }, "templater"),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain(privateKey);
      expect(JSON.stringify(answer)).not.toContain('"password":"p"');
    }
    const read = await panel.ok("GET", `/inbounds/${id}`, undefined, "reader");
    expect(read.config.tls.reality).toMatchObject({ private_key: "", handshake: { server: "site.test" } });
    const written = await panel.ok(
      "PUT",
      `/inbounds/${id}`,
      { config: { ...read.config, listen_port: 444 } },
      "writer",
    );
    expect(written.config).toEqual({ ...config, listen_port: 444 });
    expect(
      (await panel.ok("PUT", `/outbounds/${out.id}`, { config: { server: "b.test", server_port: 1, password: "" } }))
        .config,
    ).toEqual({
      server: "b.test",
      server_port: 1,
      password: "p",
    });
  });
});
