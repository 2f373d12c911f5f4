// A connection to a target that somebody typed, below whatever is spoken there: HTTP, SMTP, SSH, S3.
//
// Invariants: the target's rule holds (`target.ts`); the connection goes to addresses that were checked, or through a
// proxy, which resolves the name; it is there within its time or not at all, and nothing of a failed one stays open.
// The proxy's own address is the main admin's choice and may be private.
import { isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { askProxy, type ProxyCredentials, type ProxyKind } from "../lib/proxy-handshake.ts";
import { bound, Deadline } from "./deadline.ts";
import { dial } from "./dial.ts";
import { failureOf, OutgoingError } from "./failure.ts";
import { addressesOf, permittedAddresses, refusePrivateText, type Resolve } from "./target.ts";

/** A proxy on the way. `host`: a name, or an address without brackets. */
export interface Proxy extends ProxyCredentials {
  readonly kind: ProxyKind;
  readonly host: string;
  readonly port: number;
}

export interface TlsOptions {
  /** The name that the certificate must have; the target's host unless given. */
  readonly servername?: string | undefined;
  /** Certificates (PEM) to trust in addition to the system's. */
  readonly ca?: string | undefined;
  readonly alpn?: readonly string[];
}

/** Where a connection leads. `host`: a name, or an address without brackets. */
export interface Way {
  readonly host: string;
  readonly port: number;
  /** The setting `webhook_allow_private`. */
  readonly allowPrivate: boolean;
  readonly proxy?: Proxy | undefined;
  /** Absent: the socket carries plain text. */
  readonly tls?: TlsOptions;
}

export interface ConnectRequest extends Way {
  /** Milliseconds until the connection is there: name, TCP, proxy and TLS together. */
  readonly timeout: number;
  /** Ends the attempt; a connection that is there is the caller's to end. */
  readonly signal?: AbortSignal;
}

export type Connect = (request: ConnectRequest) => Promise<Socket>;

/** Makes `connect`: it rejects with an OutgoingError. Errors of the socket only precede its `close`. */
export function createConnect(resolve: Resolve): Connect {
  return async ({ timeout, signal, ...way }) => {
    const deadline = new Deadline(timeout, signal, `no connection within ${timeout / 1000} s`);
    try {
      return await open(way, resolve, deadline.signal);
    } finally {
      deadline.end();
    }
  };
}

/** Opens a connection while `signal` has not fired. Rejects with an OutgoingError. */
export async function open(way: Way, resolve: Resolve, signal: AbortSignal): Promise<Socket> {
  // What follows a space or a line break in a host would be a proxy's next header.
  if (!/^[!-~]+$/.test(way.host)) throw new OutgoingError("url", "the host must be a name in ASCII or an address");
  try {
    const socket = await (way.proxy ? behind(way.proxy, way, resolve, signal) : straight(way, resolve, signal));
    return way.tls ? await secured(socket, way.host, way.tls, signal) : socket;
  } catch (error) {
    throw failureOf(signal.aborted ? signal.reason : error);
  }
}

async function straight({ host, port, allowPrivate }: Way, resolve: Resolve, signal: AbortSignal): Promise<Socket> {
  const addresses = await bound(permittedAddresses(host, allowPrivate, resolve), signal);
  return dial(addresses, port, signal);
}

async function behind(
  proxy: Proxy,
  { host, port, allowPrivate }: Way,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Socket> {
  refusePrivateText(host, allowPrivate);
  let socket: Socket | undefined;
  try {
    socket = await dial(await bound(addressesOf(proxy.host, resolve), signal), proxy.port, signal);
    const early = await bound(askProxy(proxy.kind, socket, proxy, { host, port }), signal);
    if (early.length > 0) socket.unshift(early);
    return socket;
  } catch (cause) {
    socket?.destroy();
    if (signal.aborted) throw cause;
    throw new OutgoingError("proxy", `the proxy ${proxy.host}: ${failureOf(cause).message}`, { cause });
  }
}

/** Speaks TLS on a socket, as who connected to `host`; the socket is destroyed where that fails. */
async function secured(
  socket: Socket,
  host: string,
  { servername = host, ca, alpn }: TlsOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  try {
    const secure = connectTls({
      socket,
      // An address is judged by the certificate's addresses, and named in no hello.
      host: servername,
      servername: isIP(servername) === 0 ? servername : "",
      ...(ca !== undefined && { secureContext: trusting(ca) }),
      ...(alpn && { ALPNProtocols: [...alpn] }),
    });
    secure.once("secureConnect", () => resolve(secure));
    secure.on("error", reject);
    secure.once("close", () => reject(new Error("the connection was closed before it was secured")));
    return await bound(promise, signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const contexts = new Map<string, SecureContext>();
/** Each holds the system's certificates once more, and is costly to make. */
const MOST_CONTEXTS = 4;

/** Trusts these certificates in addition to the system's. */
function trusting(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known) return known;
  if (contexts.size >= MOST_CONTEXTS) contexts.clear();
  const made = createSecureContext({ ca: [...getCACertificates("default"), ca] });
  contexts.set(ca, made);
  return made;
}
