// What the tests of process engines stand on: a real driver in a directory of its own, a real v2ray client, and a
// target that counts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  DriverContext,
  DriverFactory,
  EngineDriver,
  EngineInfo,
  EngineStatus,
} from "../../../src/agent/engines/contract/driver.ts";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { afterQuiet, startStopwatch } from "../../stopwatch.ts";
import {
  type PlanInbound,
  type PlanObject,
  planKey,
  type PlanUser,
  type Structure,
} from "../../../src/protocol/plan.ts";

/** How long a proxy may take to grant a connection, and a target to answer, on a quiet machine. */
const DIAL_MS = 10_000;
const REACH_MS = 3000;
/** A connection on which nothing came for so long stands still. */
const STILL_MS = 20_000;

/** An engine as it is installed here. Without it the tests are skipped aloud, but in CI they fail. */
export async function findEngine(factory: DriverFactory): Promise<EngineInfo | undefined> {
  const info = await factory.probe();
  if (!info && process.env["CI"] === "true") throw new Error(`${factory.kind} is not installed: CI must have it`);
  if (!info) console.warn(`SKIPPED: ${factory.kind} is not installed`);
  return info;
}

export async function findV2ray(): Promise<EngineInfo | undefined> {
  return findEngine(v2rayFactory);
}

/** A key of so many bytes that only this user has. */
function secretOf(id: number, bytes: number): string {
  const key = Buffer.alloc(bytes, 7);
  key.writeUInt32BE(id);
  return key.toString("base64");
}

export function user(id: number, changes: Partial<PlanUser> = {}): PlanUser {
  return {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
    password: `password-${id}`,
    ss16: secretOf(id, 16),
    ss32: secretOf(id, 32),
    flow: "",
    speedLimit: 0,
    ipLimit: 0,
    ...changes,
  };
}

export function users(...list: PlanUser[]): Map<number, PlanUser> {
  return new Map(list.map((one) => [one.id, one]));
}

export function structure(...objects: PlanObject[]): Structure {
  return Object.fromEntries(objects.map((object) => [planKey(object), object]));
}

export function inbound(id: number, type: string, config: Record<string, unknown>): PlanInbound {
  return { kind: "inbound", id, tag: `in-${id}`, type, config };
}

export interface Rig {
  readonly driver: EngineDriver;
  readonly directory: string;
  readonly statuses: EngineStatus[];
  end(): Promise<void>;
}

export function contextOf(
  directory: string,
  privateTargets: "block" | "allow",
  statuses: EngineStatus[] = [],
): DriverContext {
  return {
    directory,
    privateTargets,
    log: (level, message, fields) => {
      if (level === "error") console.error(message, fields);
    },
    onStatus: (status) => statuses.push(status),
    now: () => Date.now(),
  };
}

/** A driver that has found nothing to adopt. */
export async function startRig(
  factory: DriverFactory,
  info: EngineInfo,
  privateTargets: "block" | "allow" = "allow",
): Promise<Rig> {
  const directory = mkdtempSync(join(tmpdir(), `signalbox-${factory.kind}-`));
  const statuses: EngineStatus[] = [];
  const driver = factory.create(info, contextOf(directory, privateTargets, statuses));
  await driver.adopt();
  const end = async (): Promise<void> => {
    await driver.close("stop");
    rmSync(directory, { recursive: true, force: true });
  };
  return { driver, directory, statuses, end };
}

export const ports = quietPorts;

export interface Target {
  readonly port: number;
  /** Connections that are open now. */
  open(): number;
  close(): void;
}

/**
 * Answers `send N after M` with N bytes once M more have come, and `drip` with 1 kB every 10 ms for as long as the
 * connection lives; swallows everything else.
 */
export async function startTarget(): Promise<Target> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (chunk) => {
      const [line = ""] = chunk.toString("latin1").split("\n");
      const [word, count, , more] = line.split(" ");
      if (word === "send") {
        let missing = Number(more) - (chunk.length - line.length - 1);
        const answer = (): boolean => missing <= 0 && socket.write(Buffer.alloc(Number(count), 120));
        if (missing <= 0) return void answer();
        socket.on("data", (next) => {
          if (missing <= 0) return;
          missing -= next.length;
          answer();
        });
      }
      if (word !== "drip") return;
      const timer = setInterval(() => socket.write(Buffer.alloc(1024, 46)), 10);
      socket.on("close", () => clearInterval(timer));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** How a client reaches one inbound, as a v2ray outbound. */
export type ClientOutbound = Record<string, unknown>;

export interface Client {
  /** SOCKS ports, one for each outbound, in order. */
  readonly ports: readonly number[];
  end(): Promise<void>;
}

/** A real v2ray client: a SOCKS port without login for each outbound. */
export async function startClient(outbounds: readonly ClientOutbound[]): Promise<Client> {
  const socks = await quietPorts(outbounds.length);
  const config = {
    log: { loglevel: "error", access: "none" },
    inbounds: socks.map((port, index) => ({
      tag: `s${index}`,
      listen: "127.0.0.1",
      port,
      protocol: "socks",
      settings: { auth: "noauth" },
    })),
    outbounds: outbounds.map((outbound, index) => ({ ...outbound, tag: `o${index}` })),
    routing: {
      rules: outbounds.map((_, index) => ({ type: "field", inboundTag: [`s${index}`], outboundTag: `o${index}` })),
    },
  };
  const child = spawn("v2ray", ["-config", "stdin:"], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(JSON.stringify(config));
  await until("the client listens", async () => (await Promise.all(socks.map(canConnect))).every(Boolean));
  return {
    ports: socks,
    end: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

export async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const giveUp = afterQuiet(REACH_MS, () => socket.destroy(new Error("nobody answers")));
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).then((ok) => {
    giveUp();
    socket.destroy();
    return ok === true;
  });
}

/** Waits until `check` holds, looking every 20 ms; fails with what was awaited after the `ms` of a quiet machine. */
export async function until(what: string, check: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const elapsed = startStopwatch();
  while (!(await check())) {
    if (elapsed() > ms) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A connection through a SOCKS5 proxy; rejects when it is not granted, or when nobody answers. */
export async function dial(
  proxyPort: number,
  host: string,
  port: number,
  login?: { user: string; password: string },
  proxyHost = "127.0.0.1",
): Promise<Socket> {
  const socket = connect(proxyPort, proxyHost);
  const giveUp = afterQuiet(DIAL_MS, () => socket.destroy(new Error("the proxy does not answer")));
  socket.once("close", giveUp);
  const refused = new Promise<never>((_, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the proxy closed the connection")));
  });
  refused.catch(() => undefined);
  const ask = async (bytes: Buffer): Promise<Buffer> => {
    const answer = once(socket, "data").then(([data]: Buffer[]) => data ?? Buffer.alloc(0));
    socket.write(bytes);
    return Promise.race([answer, refused]);
  };
  await Promise.race([once(socket, "connect"), refused]);
  const method = login ? 2 : 0;
  if ((await ask(Buffer.from([5, 1, method])))[1] !== method) throw new Error("the proxy refused the login method");
  if (login) {
    const field = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
    if ((await ask(Buffer.concat([Buffer.from([1]), field(login.user), field(login.password)])))[1] !== 0)
      throw new Error("the proxy refused the login");
  }
  const answer = await ask(
    Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(host), Buffer.from([port >> 8, port & 255])]),
  );
  if (answer[1] !== 0) throw new Error(`the proxy refused the target with ${answer[1]}`);
  socket.on("error", () => undefined);
  giveUp();
  return socket;
}

/** The two IPv6 forms that tests use as addresses, since v2ray takes no colons in names; all else as a name. */
function socksAddress(host: string): Buffer {
  if (host === "::1") return Buffer.from([4, ...Array.from({ length: 15 }, () => 0), 1]);
  if (host.startsWith("::ffff:"))
    return Buffer.from([4, ...Array.from({ length: 10 }, () => 0), 255, 255, ...host.slice(7).split(".").map(Number)]);
  return Buffer.concat([Buffer.from([3, host.length]), Buffer.from(host)]);
}

/**
 * Sends `up` bytes and then fetches `down`, so that all have arrived on either side; resolves to the bytes that came,
 * also when the connection ended before or stood still.
 */
export async function transfer(socket: Socket, down: number, up: number): Promise<number> {
  let received = 0;
  let giveUp = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    const patience = (): (() => void) => afterQuiet(STILL_MS, resolve);
    giveUp = patience();
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      giveUp();
      if (received >= down) resolve();
      else giveUp = patience();
    });
    socket.once("close", () => resolve());
  });
  socket.write(`send ${down} after ${up}\n`);
  if (up > 0) socket.write(Buffer.alloc(up, 122));
  await done;
  giveUp();
  return received;
}

/** Fetches a few bytes from a target through a proxy. Rejects with what was missing. */
export async function reach(
  proxyPort: number,
  host: string,
  port: number,
  login?: { user: string; password: string },
): Promise<void> {
  const socket = await dial(proxyPort, host, port, login);
  const giveUp = afterQuiet(REACH_MS, () => socket.destroy());
  const received = await transfer(socket, 10, 0);
  giveUp();
  socket.destroy();
  if (received < 10) throw new Error(`the connection ended after ${received} of 10 bytes`);
}

/** Whether a target can be reached: a few bytes come back within the time. */
export async function reaches(...way: Parameters<typeof reach>): Promise<boolean> {
  return reach(...way).then(
    () => true,
    () => false,
  );
}

/** A download that never ends by itself. `bytes`: how much has come. */
export interface Drip {
  readonly bytes: () => number;
  readonly open: () => boolean;
  close(): void;
}

export async function startDrip(
  proxyPort: number,
  port: number,
  login?: { user: string; password: string },
): Promise<Drip> {
  const socket = await dial(proxyPort, "127.0.0.1", port, login);
  let received = 0;
  let open = true;
  socket.on("data", (chunk: Buffer) => (received += chunk.length));
  socket.on("close", () => (open = false));
  socket.write("drip\n");
  try {
    await until("the download runs", () => received > 0 || !open, 10_000);
    if (received === 0) throw new Error("the download was cut before it ran");
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { bytes: () => received, open: () => open, close: () => socket.destroy() };
}

export function vlessOutbound(port: number, uuid: string, stream: Record<string, unknown> = {}): ClientOutbound {
  return {
    protocol: "vless",
    settings: { vnext: [{ address: "127.0.0.1", port, users: [{ id: uuid, encryption: "none" }] }] },
    streamSettings: stream,
  };
}

export const clientTls = { security: "tls", tlsSettings: { allowInsecure: true, serverName: "node.test" } };
