// Every protocol and transport that Xray serves, with its own client's side written by hand, and that client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo } from "node:net";
import { createServer } from "node:tls";
import type { PlanUser } from "../../../src/protocol/plan.ts";
import { canConnect, type Client, ports, until } from "../engines/rig.ts";
import type { Pair } from "../../certificate.ts";
import { keys } from "./plans.ts";

type Json = Record<string, unknown>;

/** What lanes are made with: a certificate and a site whose handshake REALITY borrows. */
export interface Scenery {
  readonly pair: Pair;
  readonly sitePort: number;
}

export interface Lane {
  readonly name: string;
  readonly type: string;
  /** Besides `listen_port`. */
  server(scenery: Scenery): Json;
  /** An Xray outbound without its tag. */
  client(who: PlanUser, port: number, scenery: Scenery): Json;
}

const PRIVATE_KEY = "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc";
const PUBLIC_KEY = "jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0";
export const VISION = "xtls-rprx-vision";

const serverTls = ({ pair }: Scenery): Json => ({
  enabled: true,
  server_name: "w.test",
  certificate: pair.certificate,
  key: pair.key,
});
const serverReality = ({ sitePort }: Scenery): Json => ({
  enabled: true,
  server_name: "w.test",
  reality: {
    enabled: true,
    handshake: { server: "127.0.0.1", server_port: sitePort },
    private_key: PRIVATE_KEY,
    short_id: ["0123456789abcdef"],
  },
});
const clientTls = ({ pair }: Scenery, alpn?: readonly string[]): Json => ({
  security: "tls",
  tlsSettings: {
    serverName: "w.test",
    ...(alpn && { alpn }),
    disableSystemRoot: true,
    certificates: [{ usage: "verify", certificate: pair.certificate.split("\n") }],
  },
});
const clientReality: Json = {
  security: "reality",
  realitySettings: { serverName: "w.test", publicKey: PUBLIC_KEY, shortId: "0123456789abcdef", fingerprint: "chrome" },
};
const vnext = (port: number, user: Json): Json => ({ vnext: [{ address: "127.0.0.1", port, users: [user] }] });
const servers = (port: number, user: Json): Json => ({ servers: [{ address: "127.0.0.1", port, ...user }] });
const vless = (who: PlanUser, port: number, stream: Json, flow = ""): Json => ({
  protocol: "vless",
  settings: vnext(port, { id: who.uuid, encryption: "none", ...(flow !== "" && { flow }) }),
  streamSettings: stream,
});
const shadowsocks = (port: number, method: string, password: string): Json => ({
  protocol: "shadowsocks",
  settings: servers(port, { method, password }),
});
const hysteria = (who: PlanUser, port: number, scenery: Scenery, more: Json = {}): Json => ({
  protocol: "hysteria",
  settings: { version: 2, address: "127.0.0.1", port },
  streamSettings: {
    network: "hysteria",
    ...clientTls(scenery, ["h3"]),
    hysteriaSettings: { version: 2, auth: who.password },
    ...more,
  },
});
const login = (protocol: "socks" | "http", who: PlanUser, port: number, stream: Json = {}): Json => ({
  protocol,
  settings: servers(port, { users: [{ user: who.uuid, pass: who.password }] }),
  streamSettings: stream,
});

export const LANES: readonly Lane[] = [
  { name: "vless", type: "vless", server: () => ({}), client: (who, port) => vless(who, port, { network: "raw" }) },
  {
    name: "vless tls vision",
    type: "vless",
    server: (scenery) => ({ tls: serverTls(scenery) }),
    client: (who, port, scenery) => vless(who, port, { network: "raw", ...clientTls(scenery) }, VISION),
  },
  {
    name: "vless reality vision",
    type: "vless",
    server: (scenery) => ({ tls: serverReality(scenery) }),
    client: (who, port) => vless(who, port, { network: "raw", ...clientReality }, VISION),
  },
  {
    name: "vless ws tls",
    type: "vless",
    server: (scenery) => ({
      tls: serverTls(scenery),
      transport: { type: "ws", path: "/a", headers: { Host: "x.test" } },
    }),
    client: (who, port, scenery) =>
      vless(who, port, { network: "ws", wsSettings: { path: "/a", host: "front.test" }, ...clientTls(scenery) }),
  },
  {
    name: "vmess ws early data",
    type: "vmess",
    server: () => ({
      transport: { type: "ws", path: "/a", max_early_data: 2048, early_data_header_name: "Sec-WebSocket-Protocol" },
    }),
    client: (who, port) => ({
      protocol: "vmess",
      settings: vnext(port, { id: who.uuid, security: "aes-128-gcm" }),
      streamSettings: { network: "ws", wsSettings: { path: "/a?ed=2048" } },
    }),
  },
  {
    name: "vless grpc tls",
    type: "vless",
    server: (scenery) => ({ tls: serverTls(scenery), transport: { type: "grpc", service_name: "s" } }),
    client: (who, port, scenery) =>
      vless(who, port, { network: "grpc", grpcSettings: { serviceName: "s" }, ...clientTls(scenery) }),
  },
  {
    name: "trojan grpc reality",
    type: "trojan",
    server: (scenery) => ({ tls: serverReality(scenery), transport: { type: "grpc", service_name: "s" } }),
    client: (who, port) => ({
      protocol: "trojan",
      settings: servers(port, { password: who.password }),
      streamSettings: { network: "grpc", grpcSettings: { serviceName: "s" }, ...clientReality },
    }),
  },
  {
    name: "vless httpupgrade",
    type: "vless",
    server: () => ({ transport: { type: "httpupgrade", path: "/u", host: "x.test" } }),
    client: (who, port) =>
      vless(who, port, { network: "httpupgrade", httpupgradeSettings: { path: "/u", host: "x.test" } }),
  },
  {
    name: "vless xhttp tls",
    type: "vless",
    server: (scenery) => ({
      tls: serverTls(scenery),
      transport: { type: "xhttp", path: "/x", mode: "auto", extra: { xPaddingBytes: "100-200" } },
    }),
    client: (who, port, scenery) =>
      vless(who, port, {
        network: "xhttp",
        xhttpSettings: { path: "/x", extra: { xPaddingBytes: "100-200" } },
        ...clientTls(scenery, ["h2"]),
      }),
  },
  {
    name: "vless xhttp h3",
    type: "vless",
    server: (scenery) => ({ tls: { ...serverTls(scenery), alpn: ["h3"] }, transport: { type: "xhttp", path: "/x" } }),
    client: (who, port, scenery) =>
      vless(who, port, { network: "xhttp", xhttpSettings: { path: "/x" }, ...clientTls(scenery, ["h3"]) }),
  },
  {
    name: "vless xhttp reality",
    type: "vless",
    server: (scenery) => ({
      tls: serverReality(scenery),
      transport: { type: "xhttp", path: "/x", mode: "stream-one" },
    }),
    client: (who, port) =>
      vless(who, port, { network: "xhttp", xhttpSettings: { path: "/x", mode: "stream-one" }, ...clientReality }),
  },
  {
    name: "vmess",
    type: "vmess",
    server: () => ({}),
    client: (who, port) => ({
      protocol: "vmess",
      settings: vnext(port, { id: who.uuid, security: "chacha20-poly1305" }),
    }),
  },
  {
    name: "trojan tls",
    type: "trojan",
    server: (scenery) => ({ tls: serverTls(scenery) }),
    client: (who, port, scenery) => ({
      protocol: "trojan",
      settings: servers(port, { password: who.password }),
      streamSettings: clientTls(scenery),
    }),
  },
  {
    name: "shadowsocks aes",
    type: "shadowsocks",
    server: () => ({ method: "aes-128-gcm", password: "unused" }),
    client: (who, port) => shadowsocks(port, "aes-128-gcm", who.password),
  },
  {
    name: "shadowsocks chacha20",
    type: "shadowsocks",
    server: () => ({ method: "chacha20-ietf-poly1305", password: "unused" }),
    client: (who, port) => shadowsocks(port, "chacha20-poly1305", who.password),
  },
  {
    name: "shadowsocks 2022 128",
    type: "shadowsocks",
    server: () => ({ method: "2022-blake3-aes-128-gcm", password: keys[16] }),
    client: (who, port) => shadowsocks(port, "2022-blake3-aes-128-gcm", `${keys[16]}:${who.ss16}`),
  },
  {
    name: "shadowsocks 2022 256",
    type: "shadowsocks",
    server: () => ({ method: "2022-blake3-aes-256-gcm", password: keys[32] }),
    client: (who, port) => shadowsocks(port, "2022-blake3-aes-256-gcm", `${keys[32]}:${who.ss32}`),
  },
  {
    name: "hysteria2",
    type: "hysteria2",
    server: (scenery) => ({ tls: serverTls(scenery), masquerade: { type: "string", content: "nothing here" } }),
    client: (who, port, scenery) => hysteria(who, port, scenery),
  },
  {
    name: "hysteria2 salamander",
    type: "hysteria2",
    server: (scenery) => ({
      tls: serverTls(scenery),
      obfs: { type: "salamander", password: "obfuscation" },
      up_mbps: 900,
      down_mbps: 900,
    }),
    client: (who, port, scenery) =>
      hysteria(who, port, scenery, {
        finalmask: { udp: [{ type: "salamander", settings: { password: "obfuscation" } }] },
      }),
  },
  { name: "socks", type: "socks", server: () => ({}), client: (who, port) => login("socks", who, port) },
  {
    name: "http tls",
    type: "http",
    server: (scenery) => ({ tls: serverTls(scenery) }),
    client: (who, port, scenery) => login("http", who, port, { network: "raw", ...clientTls(scenery) }),
  },
  { name: "mixed", type: "mixed", server: () => ({}), client: (who, port) => login("http", who, port) },
];

/** A site that speaks TLS 1.3, whose handshake REALITY servers borrow. */
export async function startSite(pair: Pair): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(
    { key: pair.key, cert: pair.certificate, minVersion: "TLSv1.3", ALPNProtocols: ["h2", "http/1.1"] },
    (socket) => {
      socket.on("error", () => undefined);
      socket.end();
    },
  );
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** A real Xray client: a SOCKS port without login for each outbound, in order. */
export async function startXrayClient(outbounds: readonly Json[]): Promise<Client> {
  const socks = await ports(outbounds.length);
  const config = {
    log: { loglevel: "error", access: "none" },
    inbounds: socks.map((port, index) => ({
      tag: `s${index}`,
      listen: "127.0.0.1",
      port,
      protocol: "socks",
      settings: { auth: "noauth", udp: true },
    })),
    outbounds: outbounds.map((outbound, index) => ({ ...outbound, tag: `o${index}` })),
    routing: {
      rules: outbounds.map((_, index) => ({ type: "field", inboundTag: [`s${index}`], outboundTag: `o${index}` })),
    },
  };
  const child = spawn("xray", ["run", "-c", "stdin:"], { stdio: ["pipe", "pipe", "ignore"] });
  const exited = once(child, "exit");
  let words = "";
  child.stdout.on("data", (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-4000)));
  child.stdin.end(JSON.stringify(config));
  await until("the client listens", async () => {
    if (child.exitCode !== null) throw new Error(`the client ended: ${words}`);
    return (await Promise.all(socks.map(canConnect))).every(Boolean);
  });
  return {
    ports: socks,
    end: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
