// Ways of a real client to an engine, for tests that go over every protocol: the inbound in the stored dialect, and the
// client's outbound.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { EngineKind } from "../../../src/protocol/messages.ts";
import type { PlanInbound, PlanUser } from "../../../src/protocol/plan.ts";
import type { Pair } from "../../certificate.ts";
import { canConnect, type Client, inbound, until } from "./rig.ts";
import { quietPorts } from "../../quiet-ports.ts";

/** An outbound of a client, without tag and address. */
type Outbound = Record<string, unknown>;

export interface Lane {
  readonly name: string;
  readonly engines: readonly EngineKind[];
  /** `udp`: no socket of the client reaches the engine. */
  readonly over: "tcp" | "udp";
  /** Believed by engines that believe headers of anybody. */
  readonly header?: true;
  /** Engines whose server loses some per cent of the new connections there, quiet machine or not. */
  readonly lossy?: readonly EngineKind[];
  inbound(id: number, port: number, certificate: Pair): PlanInbound;
  /** The client's side, in sing-box's dialect. `headers`: what a forger adds. */
  outbound(who: PlanUser, headers: Record<string, string>): Outbound;
}

const clientTls = { enabled: true, server_name: "node.test", insecure: true };
const quicTls = { ...clientTls, alpn: ["h3"] };
const serverTls = ({ certificate, key }: Pair): Record<string, unknown> => ({
  enabled: true,
  server_name: "node.test",
  certificate: [certificate],
  key: [key],
});
const ALL: readonly EngineKind[] = ["v2ray", "xray", "sing-box"];
const NEWER: readonly EngineKind[] = ["xray", "sing-box"];
const SERVER_KEY = Buffer.alloc(16, 200).toString("base64");

/** Every protocol and transport whose connections differ to the kernel or to the engine's log. */
export const LANES: readonly Lane[] = [
  {
    name: "vless tcp",
    engines: ALL,
    over: "tcp",
    inbound: (id, port) => inbound(id, "vless", { listen: "127.0.0.1", listen_port: port }),
    outbound: ({ uuid }) => ({ type: "vless", uuid }),
  },
  {
    name: "vless ws",
    engines: ALL,
    over: "tcp",
    header: true,
    inbound: (id, port) =>
      inbound(id, "vless", { listen: "127.0.0.1", listen_port: port, transport: { type: "ws", path: "/a" } }),
    outbound: ({ uuid }, headers) => ({ type: "vless", uuid, transport: { type: "ws", path: "/a", headers } }),
  },
  {
    name: "vless httpupgrade",
    engines: NEWER,
    over: "tcp",
    header: true,
    lossy: ["sing-box"],
    inbound: (id, port) =>
      inbound(id, "vless", { listen: "127.0.0.1", listen_port: port, transport: { type: "httpupgrade", path: "/u" } }),
    outbound: ({ uuid }, headers) => ({ type: "vless", uuid, transport: { type: "httpupgrade", path: "/u", headers } }),
  },
  {
    name: "vless grpc",
    engines: NEWER,
    over: "tcp",
    inbound: (id, port) =>
      inbound(id, "vless", { listen: "127.0.0.1", listen_port: port, transport: { type: "grpc", service_name: "s" } }),
    outbound: ({ uuid }) => ({ type: "vless", uuid, transport: { type: "grpc", service_name: "s" } }),
  },
  {
    name: "vmess tcp",
    engines: ALL,
    over: "tcp",
    inbound: (id, port) => inbound(id, "vmess", { listen: "127.0.0.1", listen_port: port }),
    outbound: ({ uuid }) => ({ type: "vmess", uuid, security: "aes-128-gcm" }),
  },
  {
    name: "trojan tls",
    engines: ALL,
    over: "tcp",
    inbound: (id, port, pair) =>
      inbound(id, "trojan", { listen: "127.0.0.1", listen_port: port, tls: serverTls(pair) }),
    outbound: ({ password }) => ({ type: "trojan", password, tls: clientTls }),
  },
  {
    name: "shadowsocks 2022",
    engines: NEWER,
    over: "tcp",
    inbound: (id, port) =>
      inbound(id, "shadowsocks", {
        listen: "127.0.0.1",
        listen_port: port,
        method: "2022-blake3-aes-128-gcm",
        password: SERVER_KEY,
      }),
    outbound: ({ ss16 }) => ({
      type: "shadowsocks",
      method: "2022-blake3-aes-128-gcm",
      password: `${SERVER_KEY}:${ss16}`,
    }),
  },
  {
    name: "anytls",
    engines: ["sing-box"],
    over: "tcp",
    inbound: (id, port, pair) =>
      inbound(id, "anytls", { listen: "127.0.0.1", listen_port: port, tls: serverTls(pair) }),
    outbound: ({ password }) => ({ type: "anytls", password, tls: clientTls }),
  },
  {
    name: "hysteria2",
    engines: NEWER,
    over: "udp",
    inbound: (id, port, pair) =>
      inbound(id, "hysteria2", { listen: "127.0.0.1", listen_port: port, tls: serverTls(pair) }),
    outbound: ({ password }) => ({ type: "hysteria2", password, tls: quicTls }),
  },
  {
    name: "tuic",
    engines: ["sing-box"],
    over: "udp",
    inbound: (id, port, pair) =>
      inbound(id, "tuic", { listen: "127.0.0.1", listen_port: port, tls: { ...serverTls(pair), alpn: ["h3"] } }),
    outbound: ({ uuid, password }) => ({ type: "tuic", uuid, password, tls: quicTls }),
  },
];

/** One end of a client: who, over which lane, from which loopback address, and the headers he forges. */
export interface Seat {
  readonly lane: Lane;
  readonly port: number;
  readonly who: PlanUser;
  readonly from?: string;
  readonly headers?: Record<string, string>;
}

/** A real sing-box client with a SOCKS port for each seat, in order. */
export async function startSeats(seats: readonly Seat[]): Promise<Client> {
  const socks = await quietPorts(seats.length);
  const config = {
    log: { disabled: true },
    inbounds: socks.map((port, index) => ({ type: "socks", tag: `s${index}`, listen: "127.0.0.1", listen_port: port })),
    outbounds: seats.map(({ lane, port, who, from, headers }, index) => ({
      ...lane.outbound(who, headers ?? {}),
      tag: `o${index}`,
      server: "127.0.0.1",
      server_port: port,
      ...(from !== undefined && { inet4_bind_address: from }),
    })),
    route: { rules: seats.map((_, index) => ({ inbound: [`s${index}`], outbound: `o${index}` })) },
  };
  const child = spawn("sing-box", ["run", "-c", "stdin"], { stdio: ["pipe", "ignore", "pipe"] });
  const exited = once(child, "exit");
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  child.stdin.end(JSON.stringify(config));
  await until("the client listens", async () => {
    if (child.exitCode !== null) throw new Error(`the client ended: ${words}`);
    return (await Promise.all(socks.map(async (port) => canConnect(port)))).every(Boolean);
  });
  return {
    ports: socks,
    end: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
