// What travels through every cell: so many bytes there, their digest and as many other bytes back, over SOCKS with a
// name that says by which way.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterQuiet } from "../../stopwatch.ts";

/** Bytes of each direction. */
export const PAYLOAD = 300_000;
/** SHA-256 of what arrived. */
const DIGEST = 32;
/**
 * What is sent before, and answered with one byte. Xray 26.7 as a client drops a trojan connection whose first piece
 * fills its buffer of 8 kB, and a vmess or shadowsocks one that sends nothing for a tenth of a second.
 */
const HELLO = Buffer.from("hello\n");
/** As long as `HELLO`, and the origin leaves the end of the connection to the client. */
const HELLO_AND_STAY = Buffer.from("stay!\n");
/** Milliseconds on a quiet machine. */
const PATIENCE_MS = 60_000;

export interface EchoOrigin {
  readonly port: number;
  close(): Promise<void>;
}

/** Bytes that look like none of the protocols that engines sniff, and repeat nowhere. */
const NOISE = Buffer.concat(
  Array.from({ length: Math.ceil(PAYLOAD / 64) }, (_, index) =>
    createHash("sha512").update(`matrix ${index}`).digest(),
  ),
).subarray(0, PAYLOAD);

/** The payload of a seed: no two begin alike. */
function payload(seed: string): Buffer {
  const bytes = Buffer.from(NOISE);
  createHash("sha512").update(seed).digest().copy(bytes);
  return bytes;
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/**
 * Answers each connection's hello with a byte, and its `PAYLOAD` bytes with their SHA-256 and `PAYLOAD` bytes that
 * follow from it; ends it then, unless it was asked to stay.
 */
export async function startEcho(): Promise<EchoOrigin> {
  const server = createServer((socket) => {
    const pieces: Buffer[] = [];
    let size = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (size < HELLO.length && size + piece.length >= HELLO.length) socket.write(HELLO.subarray(-1));
      size += piece.length;
      if (size < HELLO.length + PAYLOAD) return;
      const received = Buffer.concat(pieces);
      const digest = sha256(received.subarray(HELLO.length));
      const answer = Buffer.concat([digest, payload(digest.toString("hex"))]);
      if (received.subarray(0, HELLO.length).equals(HELLO_AND_STAY)) socket.write(answer);
      else socket.end(answer);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

export interface Way {
  readonly socksPort: number;
  /** SOCKS user name: the client's configuration sends each by an outbound of its own. */
  readonly user: string;
  readonly originPort: number;
  /**
   * The hello goes together with the wish for the target: Xray 26.7 as a client needs it soon, sing-box would lose it.
   */
  readonly eager: boolean;
  /**
   * The origin stays until the client ends: v2ray 4.34 as a client over ws drops what it has not handed on when the
   * server says goodbye.
   */
  readonly stays: boolean;
}

/**
 * Payload there and back. Rejects with what went wrong: refused by the proxy, cut, late, or other bytes than were sent.
 */
export async function exchange({ socksPort, user, originPort, eager, stays }: Way): Promise<void> {
  const sent = payload(user);
  const hello = stays ? HELLO_AND_STAY : HELLO;
  const socket = connect(socksPort, "127.0.0.1");
  const inTime = afterQuiet(PATIENCE_MS, () => socket.destroy(new Error(`not done within ${PATIENCE_MS} ms`)));
  let received = Buffer.alloc(0);
  const take = async (length: number): Promise<Buffer> => {
    while (received.length < length) {
      const piece = await read(socket);
      if (!piece) throw new Error(`the connection ended after ${received.length} of ${length} bytes`);
      received = Buffer.concat([received, piece]);
    }
    const taken = received.subarray(0, length);
    received = received.subarray(length);
    return taken;
  };
  try {
    const name = Buffer.from(user);
    socket.write(Buffer.from([5, 1, 2]));
    expectBytes(await take(2), [5, 2], "greeting");
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([1, 0x78])]));
    expectBytes(await take(2), [1, 0], "login");
    const wish = Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, originPort >> 8, originPort & 255]);
    socket.write(eager ? Buffer.concat([wish, hello]) : wish);
    const [, reply, , kind] = await take(4);
    if (reply !== 0) throw new Error(`the proxy refused: ${reply}`);
    await take(kind === 4 ? 18 : 6);
    if (!eager) socket.write(hello);
    expectBytes(await take(1), hello.subarray(-1), "hello");
    socket.write(sent);
    if (!sha256(sent).equals(await take(DIGEST))) throw new Error("the origin received other bytes than were sent");
    const answer = await take(PAYLOAD);
    if (!answer.equals(payload(sha256(sent).toString("hex"))))
      throw new Error("other bytes arrived than the origin sent");
  } finally {
    inTime();
    socket.destroy();
  }
}

/** The next piece; undefined at the end. Rejects with the socket's error. */
async function read(socket: ReturnType<typeof connect>): Promise<Buffer | undefined> {
  for (;;) {
    const piece = socket.read() as Buffer | null;
    if (piece) return piece;
    if (socket.readableEnded || socket.destroyed) {
      if (socket.errored) throw socket.errored;
      return undefined;
    }
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of ["readable", "end", "close", "error"]) socket.off(event, done);
        resolve();
      };
      for (const event of ["readable", "end", "close", "error"]) socket.once(event, done);
    });
  }
}

function expectBytes(found: Buffer, wanted: Uint8Array | readonly number[], stage: string): void {
  if (!found.equals(Buffer.from(wanted)))
    throw new Error(`the proxy's answer to the ${stage} is ${found.toString("hex")}`);
}
