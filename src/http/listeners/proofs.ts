// Proofs that certificate authorities ask for, while they are in flight: a text at an address (`http-01`), or a
// certificate that only a client sees which asks for `acme-tls/1` (`tls-alpn-01`). Whoever orders a certificate adds
// them and takes them away; without one there is nothing to find, and nothing is looked at.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext, createServer, type SecureContext } from "node:tls";
import { faultOf, targetPath } from "../request/target.ts";
import { peekHello } from "./first-record.ts";

export const PROOF_PATH = "/.well-known/acme-challenge/";
const PROTOCOL = "acme-tls/1";
/** A handshake is the whole proof; nothing is said after it. */
const HANDSHAKE_MS = 10_000;

/** Takes a proof away again. */
export type TakeAway = () => void;

export class Proofs {
  readonly #texts = new Map<string, { readonly text: string }>();
  readonly #certificates = new Map<string, { readonly context: SecureContext }>();
  /** Shakes hands by the certificates of proofs; it listens nowhere. */
  readonly #handshakes = createServer(
    {
      ALPNProtocols: [PROTOCOL],
      handshakeTimeout: HANDSHAKE_MS,
      SNICallback: (name, done) => done(null, this.#certificates.get(name.toLowerCase())?.context),
    },
    (socket) => {
      socket.on("error", () => socket.destroy());
      socket.setTimeout(HANDSHAKE_MS, () => socket.destroy());
      socket.end();
    },
  );

  /** Answers `/.well-known/acme-challenge/<token>` with a text. */
  addText(token: string, text: string): TakeAway {
    return added(this.#texts, token, { text });
  }

  /** Shows a certificate (PEM) to who asks for `acme-tls/1` of this name. */
  addCertificate(serverName: string, pair: { readonly cert: string; readonly key: string }): TakeAway {
    return added(this.#certificates, serverName.toLowerCase(), { context: createSecureContext(pair) });
  }

  /** Answers a request for a proof that is in flight; false for every other one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#texts.size === 0 || (request.method !== "GET" && request.method !== "HEAD")) return false;
    if (faultOf(request) !== undefined) return false;
    const path = targetPath(request);
    const proof = path.startsWith(PROOF_PATH) ? this.#texts.get(path.slice(PROOF_PATH.length)) : undefined;
    if (!proof) return false;
    const headers = { "Content-Type": "application/octet-stream", "Content-Length": Buffer.byteLength(proof.text) };
    response.writeHead(200, headers).end(proof.text);
    return true;
  }

  /** Whether a certificate waits to be seen. */
  get awaitsHandshakes(): boolean {
    return this.#certificates.size > 0;
  }

  /** Takes a connection over that asks for a certificate of these; all others go to `others` as they came. */
  takeHandshake(socket: Socket, others: () => void): void {
    peekHello(socket, (hello) => {
      const isProof =
        hello?.protocols.length === 1 && hello.protocols[0] === PROTOCOL && this.#certificates.has(hello.serverName);
      if (isProof) this.#handshakes.emit("connection", socket);
      else others();
    });
  }
}

/** What was added is taken away, and not a later proof under the same key. */
function added<T>(to: Map<string, T>, key: string, proof: T): TakeAway {
  to.set(key, proof);
  return () => {
    if (to.get(key) === proof) to.delete(key);
  };
}
