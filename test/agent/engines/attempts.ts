// What a proxy user can send: requests of several protocols written by hand, so that a target goes over the wire
// exactly as it is spelled.
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterQuiet } from "../../stopwatch.ts";
import type { PlanUser } from "../../../src/protocol/plan.ts";
import { literalBytes, type Notation } from "./notations.ts";

/** How long a refusal may take on a quiet machine. */
const PATIENCE_MS = 1500;

/** Sends `payload` to a target, and resolves when it is sent or refused; what arrives is the target's affair. */
export type Attempt = (target: Notation, port: number, payload: Buffer) => Promise<void>;

/** An attempt that also hears: everything that came back within the patience. */
export type Question = (target: Notation, port: number, payload: Buffer) => Promise<Buffer>;

const sized = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);
const number16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** SOCKS5's and trojan's form of an address. */
function socksAddress(target: Notation, port: number): Buffer {
  const bytes = literalBytes(target);
  const body =
    target.form === "name" ? [Buffer.from([3]), sized(bytes)] : [Buffer.from([target.form === "v4" ? 1 : 4]), bytes];
  return Buffer.concat([...body, number16(port)]);
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const giveUp = afterQuiet(PATIENCE_MS, () => socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  giveUp();
  return socket;
}

/** The next bytes; empty when the other side has closed, or says nothing for too long: then this side closes. */
async function hear(socket: Socket): Promise<Buffer> {
  if (socket.destroyed) return Buffer.alloc(0);
  return new Promise((resolve) => {
    const giveUp = afterQuiet(PATIENCE_MS, () => socket.destroy());
    const heard = (chunk?: Buffer): void => {
      giveUp();
      socket.off("data", heard).off("close", closed);
      resolve(chunk ?? Buffer.alloc(0));
    };
    const closed = (): void => heard();
    socket.on("data", heard).on("close", closed);
  });
}

/** All that comes until the other side closes or nothing comes any more. */
async function hearAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let chunk = await hear(socket); chunk.length > 0; chunk = await hear(socket)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function greet(socket: Socket, login: { user: string; password: string } | undefined): Promise<boolean> {
  socket.write(Buffer.from([5, 1, login ? 2 : 0]));
  if ((await hear(socket))[0] !== 5) return false;
  if (!login) return true;
  socket.write(Buffer.concat([Buffer.from([1]), sized(Buffer.from(login.user)), sized(Buffer.from(login.password))]));
  return (await hear(socket))[1] === 0;
}

/** A SOCKS5 proxy: a connection. */
export function socksTcp(proxy: number, login?: { user: string; password: string }): Question {
  return async (target, port, payload) => {
    const socket = await open(proxy);
    if (!(await greet(socket, login))) return Buffer.alloc(0);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(target, port)]));
    if ((await hear(socket))[1] !== 0) return Buffer.alloc(0);
    socket.write(payload);
    return hearAll(socket);
  };
}

/** A SOCKS5 proxy: a datagram; after one to `first`, if given, over the same association. */
export function socksUdp(proxy: number, login?: { user: string; password: string }, first?: Notation): Attempt {
  return async (target, port, payload) => {
    const control = await open(proxy);
    if (!(await greet(control, login))) return;
    control.write(Buffer.concat([Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0])]));
    const answer = await hear(control);
    if (answer[1] !== 0) return;
    const relay = answer.readUInt16BE(answer.length - 2);
    const socket = createSocket("udp4");
    socket.on("error", () => undefined);
    const send = (to: Notation, words: Buffer): void =>
      socket.send(Buffer.concat([Buffer.from([0, 0, 0]), socksAddress(to, port), words]), relay, "127.0.0.1");
    const within = async (ms: number): Promise<void> => {
      const patience = new AbortController();
      const giveUp = afterQuiet(ms, () => patience.abort());
      await once(socket, "message", { signal: patience.signal }).catch(() => undefined);
      giveUp();
    };
    if (first) {
      send(first, Buffer.from("first"));
      await within(1000);
    }
    send(target, payload);
    await within(PATIENCE_MS);
    socket.close();
    control.destroy();
  };
}

/** HTTP: a CONNECT, and a plain request for an absolute address. */
export function httpConnect(proxy: number, { uuid, password }: PlanUser): Attempt {
  return async (target, port, payload) => {
    const socket = await open(proxy);
    const at = `${target.form === "v6" ? `[${target.text}]` : target.text}:${port}`;
    socket.write(
      `CONNECT ${at} HTTP/1.1\r\nHost: ${at}\r\nProxy-Authorization: Basic ${basic(uuid, password)}\r\n\r\n`,
    );
    if (!/^HTTP\/1\.. 2/.test((await hear(socket)).toString("latin1"))) return void socket.destroy();
    socket.write(payload);
    await hearAll(socket);
  };
}

export function httpPlain(proxy: number, { uuid, password }: PlanUser): Attempt {
  return async (target, port, payload) => {
    const socket = await open(proxy);
    const at = `${target.form === "v6" ? `[${target.text}]` : target.text}:${port}`;
    socket.write(
      `GET http://${at}/ HTTP/1.1\r\nHost: ${at}\r\nX-Words: ${payload.toString()}\r\nProxy-Authorization: Basic ${basic(uuid, password)}\r\n\r\n`,
    );
    await hearAll(socket);
  };
}

function basic(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString("base64");
}

/** VLESS without TLS: a connection (1) or datagrams (2). */
export function vless(proxy: number, { uuid }: PlanUser, command: 1 | 2): Attempt {
  return async (target, port, payload) => {
    const socket = await open(proxy);
    const bytes = literalBytes(target);
    const address =
      target.form === "name" ? [Buffer.from([2]), sized(bytes)] : [Buffer.from([target.form === "v4" ? 1 : 3]), bytes];
    const id = Buffer.from(uuid.replaceAll("-", ""), "hex");
    const words = command === 2 ? Buffer.concat([number16(payload.length), payload]) : payload;
    socket.write(Buffer.concat([Buffer.from([0]), id, Buffer.from([0, command]), number16(port), ...address, words]));
    await hearAll(socket);
  };
}

/** Trojan without TLS: a connection (1) or a datagram (3), after one to `first`, if given. */
export function trojan(proxy: number, { password }: PlanUser, command: 1 | 3, first?: Notation): Attempt {
  return async (target, port, payload) => {
    const socket = await open(proxy);
    const datagram = (to: Notation, words: Buffer): Buffer =>
      Buffer.concat([socksAddress(to, port), number16(words.length), Buffer.from("\r\n"), words]);
    const head = [
      Buffer.from(createHash("sha224").update(password).digest("hex")),
      Buffer.from("\r\n"),
      Buffer.from([command]),
    ];
    const to = first ?? target;
    socket.write(
      Buffer.concat([
        ...head,
        socksAddress(to, port),
        Buffer.from("\r\n"),
        ...(first ? [datagram(first, Buffer.from("first"))] : []),
      ]),
    );
    if (first) await hear(socket);
    socket.write(command === 3 ? datagram(target, payload) : payload);
    await hearAll(socket);
  };
}
