// What the embedded engine's tests share: a driver in a line, real targets on loopback, and v2ray as a real client.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import type { DesiredState, DriverContext, EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import { createEmbeddedFactory } from "../../../src/agent/engines/embedded/index.ts";
import type { EmbeddedOptions } from "../../../src/agent/engines/embedded/engine.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { planKey } from "../../../src/protocol/plan.ts";
import type { Fragment, PlanObject, PlanUser } from "../../../src/protocol/plan.ts";

export const V2RAY = "/usr/bin/v2ray";

/** Says why a test with v2ray is skipped; in CI that is a failure. */
export function v2rayIsHere(): boolean {
  if (existsSync(V2RAY)) return true;
  if (process.env["CI"] === "true") throw new Error(`${V2RAY} is missing: the client tests need it`);
  console.warn(`skipped: ${V2RAY} is not installed, so no real client could be run`);
  return false;
}

export function planUser(id: number, fields: Partial<PlanUser> = {}): PlanUser {
  const uuid = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
  return { id, uuid, password: `password-${id}`, ss16: "", ss32: "", flow: "", speedLimit: 0, ipLimit: 0, ...fields };
}

export function inbound(id: number, type: string, port: number, config: Fragment = {}): PlanObject {
  return { kind: "inbound", id, tag: `in-${id}`, type, config: { listen: "127.0.0.1", listen_port: port, ...config } };
}

export function desired(objects: readonly PlanObject[], users: readonly PlanUser[]): DesiredState {
  return {
    structure: Object.fromEntries(objects.map((object) => [planKey(object), object])),
    users: new Map(users.map((user) => [user.id, user])),
  };
}

export interface Running {
  readonly driver: EngineDriver;
  readonly statuses: string[];
}

/** A driver of its own; targets on loopback are open unless `privateTargets` says otherwise. */
export async function startEngine(
  options: Partial<EmbeddedOptions> & { privateTargets?: "block" | "allow"; ipLimitNewest?: () => boolean } = {},
): Promise<Running> {
  const { privateTargets = "allow", ipLimitNewest = () => false, ...rest } = options;
  const statuses: string[] = [];
  const context: DriverContext = {
    directory: tmpdir(),
    privateTargets,
    ipLimitNewest,
    log: () => {},
    onStatus: (status) => statuses.push(status.state),
    now: () => Date.now(),
  };
  const factory = createEmbeddedFactory(rest);
  const info = await factory.probe();
  if (!info) throw new Error("the embedded engine is always there");
  return { driver: factory.create(info, context), statuses };
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

/** A TCP target; `serve` gets each connection. */
export async function tcpTarget(serve: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Sends every byte back, and the end too. */
export function echoTarget(): Promise<{ port: number; close: () => void }> {
  return tcpTarget((socket) => socket.pipe(socket));
}

/** Sends without end, as fast as it is taken. */
export function endlessTarget(): Promise<{ port: number; close: () => void }> {
  const block = Buffer.alloc(64 * 1024, 7);
  return tcpTarget((socket) => {
    const more = () => {
      while (socket.writable && socket.write(block));
    };
    socket.on("drain", more);
    socket.resume();
    more();
  });
}

export async function udpEcho(): Promise<{ port: number; close: () => void }> {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => socket.send(message, from.port, from.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, close: () => socket.close() };
}

/** `halfOpen`: the socket goes on reading after its own end, and does not end with the other side. */
export async function tcpConnect(port: number, halfOpen = false, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: halfOpen, localAddress });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Resolves when the socket is closed, whether in order or by a reset. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

/** Reads exactly `size` bytes from a socket that nobody else reads. Rejects when it closes before. */
export function readBytes(socket: Socket, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const poll = () => {
      const got: unknown = socket.read(size);
      if (!Buffer.isBuffer(got)) return;
      if (got.length < size) return failed();
      settle();
      resolve(got);
    };
    const failed = () => {
      settle();
      reject(new Error(`closed before ${size} bytes came`));
    };
    const settle = () => {
      socket.off("readable", poll);
      socket.off("close", failed);
    };
    socket.on("readable", poll);
    socket.on("close", failed);
    poll();
  });
}

/** The head of a plain VLESS request to an IPv4 target. */
export function vlessHead(user: PlanUser, port: number, host = "127.0.0.1", command = 1): Buffer {
  const id = Buffer.from(user.uuid.replaceAll("-", ""), "hex");
  const address =
    host === "127.0.0.1"
      ? Buffer.from([1, 127, 0, 0, 1])
      : Buffer.concat([Buffer.from([2, host.length]), Buffer.from(host)]);
  return Buffer.concat([Buffer.from([0]), id, Buffer.from([0, command, port >> 8, port & 255]), address]);
}

/** Waits until `check` holds, at most the `ms` of a quiet machine. */
export async function until(check: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const elapsed = startStopwatch();
  while (!(await check())) {
    if (elapsed() > ms) throw new Error("it did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** v2ray as a client: for each outbound a SOCKS port on loopback that leads there. Resolves once the ports answer. */
export async function startV2ray(outbounds: readonly { port: number; outbound: object }[]): Promise<ChildProcess> {
  const config = {
    log: { loglevel: "warning" },
    inbounds: outbounds.map(({ port }) => ({
      tag: `s${port}`,
      listen: "127.0.0.1",
      port,
      protocol: "socks",
      settings: { auth: "noauth", udp: true, ip: "127.0.0.1" },
    })),
    outbounds: outbounds.map(({ port, outbound }) => ({ tag: `o${port}`, ...outbound })),
    routing: {
      rules: outbounds.map(({ port }) => ({ type: "field", inboundTag: [`s${port}`], outboundTag: `o${port}` })),
    },
  };
  const child = spawn(V2RAY, ["-config", "stdin:"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(config));
  child.stdout.resume();
  const last = outbounds.at(-1)?.port ?? 0;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`v2ray ended with ${child.exitCode}`);
    const socket = connect(last, "127.0.0.1");
    const result = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return result;
  });
  return child;
}

/** v2ray's side of an inbound of the engine under test. */
export function v2rayOutbound(
  protocol: string,
  port: number,
  user: PlanUser,
  stream: { ws?: boolean; tls?: boolean } = {},
): object {
  const settings =
    protocol === "vless"
      ? { vnext: [{ address: "127.0.0.1", port, users: [{ id: user.uuid, encryption: "none" }] }] }
      : protocol === "trojan"
        ? { servers: [{ address: "127.0.0.1", port, password: user.password }] }
        : { servers: [{ address: "127.0.0.1", port, users: [{ user: user.uuid, pass: user.password }] }] };
  return {
    protocol,
    settings,
    streamSettings: {
      network: stream.ws ? "ws" : "tcp",
      ...(stream.ws ? { wsSettings: { path: "/tunnel", headers: { Host: "front.test" } } } : {}),
      ...(stream.tls
        ? { security: "tls", tlsSettings: { allowInsecure: true, serverName: "node.test" } }
        : { security: "none" }),
    },
  };
}

/** Opens a connection through a SOCKS5 port without authentication. */
export async function throughSocks(socksPort: number, port: number, host = "127.0.0.1"): Promise<Socket> {
  const socket = await tcpConnect(socksPort);
  socket.write(Buffer.from([5, 1, 0]));
  await readBytes(socket, 2);
  socket.write(
    Buffer.concat([Buffer.from([5, 1, 0, 3, host.length]), Buffer.from(host), Buffer.from([port >> 8, port & 255])]),
  );
  const answer = await readBytes(socket, 10);
  if (answer[1] !== 0) throw new Error(`the SOCKS proxy answered ${answer[1]}`);
  return socket;
}
