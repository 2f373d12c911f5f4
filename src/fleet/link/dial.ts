// Reaches an agent: TLS 1.3 with the panel's certificate, the agent's key compared with the pin before anything is said
// (rules nodes.pin).
import type { ClientRequestArgs } from "node:http";
import type { ConnectionOptions, SecureContext, TLSSocket } from "node:tls";
import { connect, createSecureContext } from "node:tls";
import { WebSocket, type ClientOptions } from "ws";
import { MAX_MESSAGE_BYTES, WEBSOCKET_PATH } from "../../protocol/messages.ts";
import { fingerprintOf, type LinkIdentity } from "./identity.ts";
import { cause, dialFailure, LinkFailure } from "./link-failure.ts";

const HANDSHAKE_MS = 10_000;
/** Until the agent has said something whole. */
const GREETING_BYTES = 64 * 1024;
const FRAGMENTS = 256;

export interface AgentAddress {
  readonly address: string;
  readonly port: number;
}

/** Key and certificate in the format of TLS, parsed once: all connections of the fleet share them. */
const contexts = new WeakMap<LinkIdentity, SecureContext>();

function contextOf(identity: LinkIdentity): SecureContext {
  let context = contexts.get(identity);
  if (!context) {
    context = createSecureContext({ key: identity.privateKey, cert: identity.certificate, minVersion: "TLSv1.3" });
    contexts.set(identity, context);
  }
  return context;
}

/** The agent that answers has another key than the saved one. */
export class PinMismatch extends LinkFailure {
  override readonly name = "PinMismatch";
  constructor(saved: string, presented: string) {
    super(
      cause("mismatched", presented, saved),
      `the agent presents the key ${presented}, the saved key is ${saved}: trust the new key or move the node if this is intended`,
    );
  }
}

export interface Dialled {
  readonly socket: WebSocket;
  readonly fingerprint: string;
}

/**
 * Opens the link's WebSocket. `pin` empty: first contact, whatever key answers is returned to be pinned. Rejects with
 * `PinMismatch` or what the network said.
 */
export function dialAgent(
  identity: LinkIdentity,
  { address, port }: AgentAddress,
  pin: string,
  signal: AbortSignal,
): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    // ws hands on to TLS what its own options do not name.
    const options: ClientRequestArgs & Omit<ClientOptions, "agent"> & Pick<ConnectionOptions, "secureContext"> = {
      secureContext: contextOf(identity),
      // The agent's certificate is its own; what counts is the pin, compared below before the first message.
      rejectUnauthorized: false,
      agent: false,
      maxPayload: MAX_MESSAGE_BYTES,
      // Agents send a message as one frame; those of a hostile one may be as small as it likes.
      maxFragments: FRAGMENTS,
      perMessageDeflate: false,
      // One message, ping or pong of a connection at a time: hundreds may come in one piece, and others have their turn
      // between them.
      allowSynchronousEvents: false,
    };
    const socket = new WebSocket(`wss://${bracketed(address)}:${port}${WEBSOCKET_PATH}`, options);
    const at = `${address}:${port}`;
    const abort = () => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    // For silence, and for a handshake that comes byte by byte, which has no end.
    const late = setTimeout(() => {
      reject(new LinkFailure(cause("timed_out", at), `${at} cannot be reached: Opening handshake has timed out`));
      socket.terminate();
    }, HANDSHAKE_MS);
    const settled = () => {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
    };
    socket.once("unexpected-response", (_request, { statusCode = 0 }) => {
      settled();
      reject(
        new LinkFailure(
          cause("other_program", at, statusCode),
          `${at} cannot be reached: Unexpected server response: ${statusCode}`,
        ),
      );
      socket.terminate();
    });
    let fingerprint = "";
    let below: TLSSocket | undefined;
    socket.once("upgrade", (response) => {
      below = response.socket as TLSSocket;
      fingerprint = presentedBy(below);
    });
    socket.once("open", () => {
      settled();
      if (below) boundGreeting(socket, below);
      if (fingerprint !== "" && (pin === "" || pin === fingerprint)) {
        socket.removeAllListeners("error");
        resolve({ socket, fingerprint });
        return;
      }
      socket.terminate();
      reject(
        fingerprint === ""
          ? new LinkFailure(cause("no_certificate"), "the agent presented no certificate")
          : new PinMismatch(pin, fingerprint),
      );
    });
    socket.on("error", (error) => {
      settled();
      reject(dialFailure(at, error));
    });
  });
}

/** Cuts off who sends much before anything whole: what is said first is short. */
function boundGreeting(socket: WebSocket, below: TLSSocket): void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > GREETING_BYTES) socket.terminate();
  };
  below.on("data", count);
  socket.once("message", () => below.off("data", count));
}

/** The key that answers at an address now, for `repin`. It sends nothing to the agent. */
export function readFingerprint({ address, port }: AgentAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, rejectUnauthorized: false, minVersion: "TLSv1.3" }, () => {
      clearTimeout(late);
      const fingerprint = presentedBy(socket);
      socket.destroy();
      if (fingerprint === "") reject(new Error("the agent presented no certificate"));
      else resolve(fingerprint);
    });
    const late = setTimeout(() => socket.destroy(new Error(`${address}:${port} does not answer`)), HANDSHAKE_MS);
    socket.once("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
  });
}

function presentedBy(socket: TLSSocket): string {
  const certificate = socket.getPeerX509Certificate();
  return certificate ? fingerprintOf(certificate) : "";
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
