// Every protocol through a real sing-box and a real client: the bytes arrive, over TCP and UDP, and stand under their
// user.
import { afterAll, beforeAll, expect, test } from "vitest";
import { singBoxFactory } from "../../../src/agent/engines/sing-box/index.ts";
import type { PlanInbound } from "../../../src/protocol/plan.ts";
import {
  type Client,
  type ClientOutbound,
  dial,
  findEngine,
  inbound,
  ports,
  type Rig,
  startRig,
  startTarget,
  structure,
  type Target,
  transfer,
  until,
  user as someone,
  users,
} from "../engines/rig.ts";
import { associate, startEcho, startSingBoxClient } from "./client.ts";
import { PAIR } from "./installed.ts";

const info = await findEngine(singBoxFactory);

const VISION = "xtls-rprx-vision";
const who = someone(7, {
  ss16: Buffer.alloc(16, 7).toString("base64"),
  ss32: Buffer.alloc(32, 7).toString("base64"),
  flow: VISION,
});
const tls = { enabled: true, server_name: "node.test", certificate: [PAIR.certificate], key: [PAIR.key] };
const quic = { ...tls, alpn: ["h3"] };
const clientTls = { enabled: true, server_name: "node.test", insecure: true };
const clientQuic = { ...clientTls, alpn: ["h3"] };
const psk16 = Buffer.alloc(16, 1).toString("base64");
const psk32 = Buffer.alloc(32, 1).toString("base64");

interface Case {
  readonly name: string;
  readonly type: string;
  readonly server: Record<string, unknown>;
  readonly client: ClientOutbound;
  /** Carries datagrams too. */
  readonly udp: boolean;
}
const { uuid, password } = who;
const login = { username: uuid, password };
const v = (name: string, server: Record<string, unknown>, client: ClientOutbound): Case => ({
  name,
  type: "vless",
  server,
  client: { type: "vless", uuid, ...client },
  udp: true,
});
const ws = { transport: { type: "ws", path: "/a" } };
const grpc = { transport: { type: "grpc", service_name: "s" } };
const CASES: readonly Case[] = [
  v("vless", {}, {}),
  v("vless vision tls", { tls }, { tls: clientTls, flow: VISION }),
  v("vless ws tls", { tls, ...ws }, { tls: clientTls, ...ws }),
  v("vless grpc tls", { tls, ...grpc }, { tls: clientTls, ...grpc }),
  v("vless http", { transport: { type: "http", path: "/h" } }, { transport: { type: "http", path: "/h" } }),
  v("vless multiplex", { multiplex: { enabled: true } }, { multiplex: { enabled: true } }),
  { name: "vmess", type: "vmess", server: {}, client: { type: "vmess", uuid, security: "aes-128-gcm" }, udp: true },
  {
    name: "trojan tls",
    type: "trojan",
    server: { tls },
    client: { type: "trojan", password, tls: clientTls },
    udp: true,
  },
  {
    name: "shadowsocks",
    type: "shadowsocks",
    server: { method: "aes-256-gcm" },
    client: { type: "shadowsocks", method: "aes-256-gcm", password },
    udp: true,
  },
  {
    name: "shadowsocks 2022 128",
    type: "shadowsocks",
    server: { method: "2022-blake3-aes-128-gcm", password: psk16 },
    client: { type: "shadowsocks", method: "2022-blake3-aes-128-gcm", password: `${psk16}:${who.ss16}` },
    udp: true,
  },
  {
    name: "shadowsocks 2022 256",
    type: "shadowsocks",
    server: { method: "2022-blake3-aes-256-gcm", password: psk32 },
    client: { type: "shadowsocks", method: "2022-blake3-aes-256-gcm", password: `${psk32}:${who.ss32}` },
    udp: true,
  },
  {
    name: "hysteria2",
    type: "hysteria2",
    server: { tls: quic, obfs: { type: "salamander", password: "o" } },
    client: { type: "hysteria2", password, tls: clientQuic, obfs: { type: "salamander", password: "o" } },
    udp: true,
  },
  {
    name: "tuic",
    type: "tuic",
    server: { tls: quic },
    client: { type: "tuic", uuid, password, tls: clientQuic },
    udp: true,
  },
  { name: "anytls", type: "anytls", server: { tls }, client: { type: "anytls", password, tls: clientTls }, udp: false },
];
/** Their users log in by a name of their own; sing-box counts them together, so each has a run of its own. */
const NAMED: readonly Case[] = [
  { name: "socks", type: "socks", server: {}, client: { type: "socks", ...login }, udp: true },
  { name: "http tls", type: "http", server: { tls }, client: { type: "http", ...login, tls: clientTls }, udp: false },
  { name: "mixed", type: "mixed", server: {}, client: { type: "socks", ...login }, udp: true },
];

async function counted(rig: Rig, name: string): Promise<{ up: number; down: number }> {
  return (await rig.driver.counters()).users.get(name) ?? { up: 0, down: 0 };
}

/** Sends 100 kB, fetches 300 kB and two datagrams; what is counted is that and no more than the few bytes of asking. */
async function carries(rig: Rig, target: Target, proxyPort: number, name: string, udp: boolean): Promise<void> {
  const socket = await dial(proxyPort, "127.0.0.1", target.port);
  expect(await transfer(socket, 300_000, 100_000)).toBe(300_000);
  socket.destroy();
  if (udp) {
    const echo = await startEcho();
    const datagrams = await associate(proxyPort);
    expect(await datagrams.ask("127.0.0.1", echo.port, "x".repeat(1000))).toBe("x".repeat(1000));
    datagrams.close();
    echo.close();
  }
  const extra = udp ? 1000 : 0;
  await until("all is counted", async () => {
    const { up, down } = await counted(rig, name);
    return up >= 100_000 + extra && down >= 300_000 + extra;
  });
  const { up, down } = await counted(rig, name);
  expect(up).toBeLessThan(100_000 + extra + 200);
  expect(down).toBeGreaterThanOrEqual(300_000 + extra);
  expect(down).toBeLessThan(300_000 + extra + 200);
}

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

test.runIf(info)("every protocol and transport", async () => {
  if (!info) return;
  const rig = await startRig(singBoxFactory, info, "allow");
  let client: Client | undefined;
  try {
    const listen = await ports(CASES.length);
    const inbounds: PlanInbound[] = CASES.map(({ type, server }, index) =>
      inbound(index + 1, type, { listen: "127.0.0.1", listen_port: listen[index], ...server }),
    );
    await rig.driver.apply({ structure: structure(...inbounds), users: users(who) });
    client = await startSingBoxClient(CASES.map((one, index) => ({ ...one.client, server_port: listen[index] })));
    for (const [index, { name, udp }] of CASES.entries()) {
      const at = client.ports[index] ?? 0;
      await carries(rig, target, at, `7.${index + 1}`, udp).catch((error: unknown) => {
        throw new Error(`${name} does not carry: ${String(error)}`, { cause: error });
      });
    }
    // What the engine says of its connections comes by its log.
    const seen = async () =>
      (await rig.driver.addresses(7)).map(({ inboundId, address }) => `${CASES[inboundId - 1]?.name} ${address}`);
    for (const name of ["vless", "hysteria2", "tuic", "anytls", "vless multiplex"])
      await expect.poll(seen, { timeout: 20_000 }).toContain(`${name} 127.0.0.1`);
  } finally {
    await client?.end();
    await rig.end();
  }
});

test.runIf(info).for(NAMED)("$name: the login is the user", async ({ type, server, client: outbound, udp }) => {
  if (!info) return;
  const rig = await startRig(singBoxFactory, info, "allow");
  let client: Client | undefined;
  try {
    const [port = 0] = await ports(1);
    await rig.driver.apply({
      structure: structure(inbound(1, type, { listen: "127.0.0.1", listen_port: port, ...server })),
      users: users(who),
    });
    client = await startSingBoxClient([{ ...outbound, server_port: port }]);
    await carries(rig, target, client.ports[0] ?? 0, "7.1", udp);
  } finally {
    await client?.end();
    await rig.end();
  }
});
