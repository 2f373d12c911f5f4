// A panel that is not to be trusted: what its fragments ask of a node's host does not happen, on any engine, and the
// rest of the plan is served.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planKey, type PlanObject } from "../../../src/protocol/plan.ts";
import { processesOf } from "../../e2e/processes.ts";
import { AgentProgram } from "../agent-program.ts";
import { enginesHere } from "../engines-here.ts";
import { dial as dialAgent, makePanelIdentity } from "../panel.ts";
import { fixedPair } from "./fixed-pair.ts";
import { canConnect, inbound, ports, user } from "./rig.ts";

const engines = await enginesHere();
/** Files that a plan names, with what an engine would take. */
const FILES = {
  "c.pem": fixedPair.certificate,
  "k.pem": fixedPair.key,
  hosts: "192.0.2.1 a.test\n",
  "rules.json": '{"version":1,"rules":[]}',
};

let directory: string;
let named: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-fragments-"));
  named = join(directory, "named");
  mkdirSync(named);
  for (const [name, content] of Object.entries({ ...FILES, control: "x" })) {
    writeFileSync(join(named, name), content);
    // Read first an hour before it was written: the next reading is remembered.
    utimesSync(join(named, name), 1e9, 1e9 + 3600);
  }
  writeFileSync(join(named, "program"), `#!/bin/sh\ntouch ${join(named, "ran")}\nsleep 60\n`);
  chmodSync(join(named, "program"), 0o755);
});
afterEach(async () => {
  for (const { pid } of processesOf(directory)) process.kill(pid, "SIGKILL");
  await expect.poll(() => processesOf(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});

const wasRead = (name: string): boolean => statSync(join(named, name)).atimeMs !== 1e12;
const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});

/** Everything at once, and what the node is to say of each. */
function attack(port: () => number): [PlanObject, string][] {
  const file = (name: string): string => join(named, name);
  const tls = { enabled: true, server_name: "w.test", ...fixedPair };
  const at = (): Record<string, unknown> => ({ listen: "127.0.0.1", listen_port: port() });
  const server = { server: "192.0.2.1", server_port: 443 };
  const secret = { uuid: user(1).uuid };
  const paths = { enabled: true, certificate_path: file("c.pem"), key_path: file("k.pem") };
  const reality = (handshake: Record<string, unknown>): Record<string, unknown> => ({
    enabled: true,
    server_name: "w.test",
    reality: { enabled: true, handshake, private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc", short_id: [""] },
  });
  return [
    [inbound(11, "hysteria2", { ...at(), tls, masquerade: `file://${named}` }), "inbound in-11: `masquerade` "],
    [
      inbound(12, "hysteria2", { ...at(), tls, masquerade: { type: "file", directory: named } }),
      "inbound in-12: `masquerade.type` ",
    ],
    [inbound(13, "hysteria2", { ...at(), tls, masquerade: "https://127.0.0.1/" }), "inbound in-13: `masquerade` "],
    [inbound(14, "vless", { ...at(), tls: paths }), "inbound in-14: `tls.certificate_path`, `tls.key_path` "],
    [
      inbound(15, "vless", { ...at(), tls: { ...tls, ech: { enabled: true, key_path: file("k.pem") } } }),
      "inbound in-15: `tls.ech.key_path` ",
    ],
    [
      inbound(16, "vless", { ...at(), bind_interface: "lo", netns: file("k.pem") }),
      "inbound in-16: `bind_interface`, `netns` ",
    ],
    [
      inbound(17, "trojan", { ...at(), fallback: { server: file("socket"), server_port: 1 } }),
      "inbound in-17: `fallback.server` ",
    ],
    [
      inbound(18, "trojan", { ...at(), fallback: { server: "@socket", server_port: 1 } }),
      "inbound in-18: `fallback.server` ",
    ],
    [
      inbound(19, "trojan", { ...at(), fallback: { server: "127.0.0.1", server_port: 1 } }),
      "inbound in-19: `fallback.server` ",
    ],
    [
      inbound(20, "vless", { ...at(), tls: reality({ ...server, server: "localhost" }) }),
      "inbound in-20: `tls.reality.handshake.server` ",
    ],
    [
      inbound(21, "vless", { ...at(), tls: reality({ ...server, bind_interface: "lo" }) }),
      "inbound in-21: `tls.reality.handshake.bind_interface` ",
    ],
    [inbound(22, "vless", { ...at(), listen: file("socket") }), "inbound in-22: `listen` "],
    [inbound(23, "tun", { interface_name: "tun9", address: ["10.9.9.1/30"] }), "inbound in-23: type `tun` "],
    [out("tor", "tor", { executable_path: file("program"), extra_args: ["x"] }), "outbound tor: type `tor` "],
    [
      out("ssh", "ssh", { ...server, user: "root", private_key_path: file("k.pem") }),
      "outbound ssh: `private_key_path` ",
    ],
    [
      out("tls", "vless", { ...server, ...secret, tls: { enabled: true, certificate_path: file("c.pem") } }),
      "outbound tls: `tls.certificate_path` ",
    ],
    [
      out("bound", "direct", { bind_interface: "lo", routing_mark: 7 }),
      "outbound bound: `bind_interface`, `routing_mark` ",
    ],
    [out("env", "socks", { ...server, server: "env:HOME" }), "outbound env: `server` "],
    [out("wg", "wireguard", { system: true, name: "wg9", address: ["10.9.9.2/32"] }), "outbound wg: `system`, `name` "],
    [
      out("log", "vless", {
        ...server,
        ...secret,
        transport: {
          type: "xhttp",
          extra: { downloadSettings: { security: "tls", tlsSettings: { masterKeyLog: file("keys") } } },
        },
      }),
      "outbound log: `transport.extra.downloadSettings.tlsSettings.masterKeyLog` ",
    ],
    [
      out("plugin", "shadowsocks", {
        ...server,
        method: "aes-128-gcm",
        password: "x",
        plugin: "v2ray-plugin",
        plugin_opts: `cert=${file("c.pem")}`,
      }),
      "outbound plugin: `plugin_opts` ",
    ],
    [
      {
        kind: "route",
        route: {
          rules: [
            { process_path: "/bin/sh", outbound: "direct" },
            { ip_cidr: "ext:../../etc/passwd:x", outbound: "direct" },
          ],
          rule_set: [{ tag: "l", type: "local", format: "source", path: file("rules.json") }],
          default_interface: "lo",
        },
      },
      "route: `rule_set.0.type` ",
    ],
    [
      {
        kind: "core",
        core: {
          dns: {
            servers: [
              { tag: "h", type: "hosts", path: [file("hosts")] },
              { tag: "d", type: "dhcp", interface: "lo" },
            ],
          },
          log: { output: file("log") },
          ntp: { enabled: true, server: "192.0.2.1", write_to_system: true },
          experimental: { cache_file: { enabled: true, path: file("cache.db") } },
        },
      },
      "core: `dns.servers.0.path` ",
    ],
  ];
}

describe.each(engines)("%s", (kind) => {
  // rule pool.fragment.6
  test("what a fragment asks of the host does not happen; the node says so, and serves the rest", async () => {
    const panel = await makePanelIdentity("panel");
    writeFileSync(join(directory, "trust.pem"), panel.trust);
    const agent = await AgentProgram.start({ directory, engine: kind });
    const link = await dialAgent(agent.port, panel.client);
    await link.hello(1);
    const free = await ports(30);
    const [good = 0, ...others] = free;
    const items = attack(() => others.shift() ?? 0);
    const wanted = [
      inbound(1, "vless", { listen: "127.0.0.1", listen_port: good }),
      out("direct", "direct"),
      ...items.map(([item]) => item),
    ];
    const put = Object.fromEntries(wanted.map((one) => [planKey(one), one]));
    const result = await link.peer.call("state.apply", {
      revision: 1,
      objects: { put, drop: [] },
      users: { put: [user(7)] },
    });

    expect(result.engine.state).toBe("running");
    expect(await canConnect(good)).toBe(true);
    for (const [item, start] of items)
      expect
        .soft(
          result.warnings.filter((warning) => warning.startsWith(start)),
          planKey(item),
        )
        .toEqual([expect.stringMatching(/ is left out$/)]);
    for (const path of [
      "rules.0",
      "rules.1",
      "default_interface",
      "dns.servers.1",
      "log.output",
      "ntp.write_to_system",
      "experimental",
    ])
      expect
        .soft(
          result.warnings.filter((warning) => warning.endsWith(`; \`${path}\` is left out`)),
          path,
        )
        .toHaveLength(1);

    readFileSync(join(named, "control"));
    expect(wasRead("control"), "the file system remembers who reads").toBe(true);
    expect(Object.keys(FILES).filter(wasRead)).toEqual([]);
    for (const name of ["ran", "socket", "log", "keys", "cache.db"])
      expect(existsSync(join(named, name)), name).toBe(false);
    const held = free.slice(1, 1 + free.length - 1 - others.length);
    expect(held.length).toBeGreaterThan(10);
    for (const port of held) {
      expect(await canConnect(port), `port ${port}`).toBe(false);
      const socket = createSocket("udp4").bind(port, "127.0.0.1");
      await once(socket, "listening");
      socket.close();
    }
    await link.close();
    expect((await agent.stop()).code).toBe(0);
  });
});
