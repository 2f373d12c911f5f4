// How a TCP connection to a SOCKS5 proxy (RFC 1928, RFC 1929) or an HTTP proxy (CONNECT, RFC 9110 section 9.3.6)
// becomes one to a target behind it. The proxy resolves names.
import { isIP, type Socket } from "node:net";
import { ipv6Bytes } from "./addresses.ts";

export type ProxyKind = "socks5" | "http";

/** The empty name: the proxy asks for none. SOCKS5 takes at most 255 bytes of each. */
export interface ProxyCredentials {
  readonly name: string;
  readonly password: string;
}

/** `host`: an address without brackets, or a name in ASCII. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

const MAX_ANSWER_BYTES = 16 * 1024;
/** The longest text that SOCKS5 counts in one byte. */
const MOST_COUNTED = 255;
/** Bytes of an address by its type; a name counts itself. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 };
const SOCKS_FAILURES: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "not allowed",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "type of address not supported",
};

/**
 * Asks the proxy for the target. `socket` is connected and nobody reads it; afterwards it is the target's. Resolves to
 * bytes of the target that came with the proxy's answer. Rejects with the proxy's refusal, and when the socket closes:
 * whoever bounds the time destroys it.
 */
export async function askProxy(
  kind: ProxyKind,
  socket: Socket,
  credentials: ProxyCredentials,
  target: ProxyTarget,
): Promise<Buffer> {
  const reader = new AnswerReader(socket);
  if (kind === "http") await httpConnect(socket, reader, credentials, target);
  else await socksConnect(socket, reader, credentials, target);
  return reader.rest();
}

/** Reads a proxy's answers from a paused socket, never more than `MAX_ANSWER_BYTES` ahead. */
class AnswerReader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Waits until `length` of the bytes is known, and takes as many. */
  async take(length: (bytes: Buffer) => number | undefined): Promise<Buffer> {
    for (;;) {
      const size = length(this.#bytes);
      if (size !== undefined && size <= this.#bytes.length) {
        const taken = this.#bytes.subarray(0, size);
        this.#bytes = this.#bytes.subarray(size);
        return taken;
      }
      if (this.#bytes.length > MAX_ANSWER_BYTES) throw new Error("the upstream proxy's answer is too long");
      this.#bytes = Buffer.concat([this.#bytes, await this.#chunk()]);
    }
  }

  rest(): Buffer {
    return this.#bytes;
  }

  #chunk(): Promise<Buffer> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      const settle = () => {
        socket.off("readable", read);
        socket.off("error", lost);
        socket.off("close", lost);
        socket.off("end", lost);
      };
      const read = () => {
        const chunk: unknown = socket.read();
        if (!Buffer.isBuffer(chunk)) return;
        settle();
        resolve(chunk);
      };
      const lost = (cause?: unknown) => {
        settle();
        reject(new Error("the upstream proxy closed the connection", { cause }));
      };
      socket.on("readable", read);
      socket.once("error", lost);
      socket.once("close", lost);
      socket.once("end", lost);
      read();
    });
  }
}

async function httpConnect(
  socket: Socket,
  reader: AnswerReader,
  { name, password }: ProxyCredentials,
  { host, port }: ProxyTarget,
): Promise<void> {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const basic = Buffer.from(`${name}:${password}`).toString("base64");
  const credentials = name === "" ? "" : `Proxy-Authorization: Basic ${basic}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  const head = await reader.take((bytes) => {
    const end = bytes.subarray(0, MAX_ANSWER_BYTES).indexOf("\r\n\r\n");
    return end < 0 ? undefined : end + 4;
  });
  const [, status] = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head.toString("latin1", 0, 13)) ?? [];
  if (status?.startsWith("2") !== true) throw new Error(`the upstream proxy refused (${status ?? "no HTTP"})`);
}

async function socksConnect(
  socket: Socket,
  reader: AnswerReader,
  { name, password }: ProxyCredentials,
  { host, port }: ProxyTarget,
): Promise<void> {
  const method = name === "" ? 0 : 2;
  socket.write(Buffer.from([5, 1, method]));
  const chosen = await reader.take(() => 2);
  if (chosen[0] !== 5 || chosen[1] !== method)
    throw new Error("the upstream proxy refused the method of authentication");
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.of(1), counted(name), counted(password)]));
    const verdict = await reader.take(() => 2);
    if (verdict[1] !== 0) throw new Error("the upstream proxy refused the password");
  }
  const address = Buffer.concat([addressOf(host), Buffer.of(port >> 8, port & 255)]);
  socket.write(Buffer.concat([Buffer.of(5, 1, 0), address]));
  const answer = await reader.take((bytes) => {
    if (bytes.length > 1 && bytes[1] !== 0) return 2;
    const [, , , type, size] = bytes;
    if (type === undefined || size === undefined) return undefined;
    const length = type === 3 ? 1 + size : ADDRESS_BYTES[type];
    if (length === undefined) throw new Error("the upstream proxy's answer is malformed");
    return 4 + length + 2;
  });
  const code = answer[1] ?? 0;
  if (code !== 0) throw new Error(`the upstream proxy refused (${SOCKS_FAILURES[code] ?? code})`);
}

/** The bytes of an address or name, after its type. */
function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split(".").map(Number)]);
  return isIP(host) === 6
    ? Buffer.concat([Buffer.of(4), ipv6Bytes(host)])
    : Buffer.concat([Buffer.of(3), counted(host)]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > MOST_COUNTED) throw new Error(`SOCKS5 takes no text of more than ${MOST_COUNTED} bytes`);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}
