// One TCP connection to whichever of several addresses answers first (RFC 8305, "happy eyeballs").
import { connect, isIP, type Socket } from "node:net";

/** Milliseconds after which the next address is tried in addition to those that have not answered. */
const STAGGER_MS = 250;
/** Limit of connections that one name can cause: a hostile name server may answer with any number. */
const MOST_ADDRESSES = 16;

/** In turns of the two families, beginning with that of the first. */
function inTurns(addresses: readonly string[]): string[] {
  const family = isIP(addresses[0] ?? "");
  const first = addresses.filter((address) => isIP(address) === family);
  const second = addresses.filter((address) => isIP(address) !== family);
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MOST_ADDRESSES);
}

/**
 * Connects to the first address that answers; the attempts at the others are ended. Rejects with the error of the first
 * attempt when all fail, and with the signal's reason when it fires. An error of the socket only precedes its `close`.
 */
export function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const left = inTurns(addresses);
  const trying = new Set<Socket>();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let failure: Error | undefined;
  let next: NodeJS.Timeout | undefined;

  const settle = (): void => {
    clearTimeout(next);
    signal.removeEventListener("abort", abort);
    for (const socket of trying) socket.destroy();
    trying.clear();
    left.length = 0;
  };
  const abort = (): void => {
    settle();
    reject(signal.reason as Error);
  };
  const tryNext = (): void => {
    clearTimeout(next);
    const address = left.shift();
    if (address === undefined) {
      if (trying.size > 0) return;
      settle();
      reject(failure ?? new Error("there is no address"));
      return;
    }
    const socket = connect({ host: address, port, noDelay: true });
    trying.add(socket);
    // It stays: an error that nobody else listens to yet ends no process.
    socket.on("error", (error) => {
      if (!trying.delete(socket)) return;
      failure ??= error;
      tryNext();
    });
    socket.once("connect", () => {
      if (!trying.delete(socket)) return;
      settle();
      resolve(socket);
    });
    if (left.length > 0) next = setTimeout(tryNext, STAGGER_MS);
  };

  if (signal.aborted) abort();
  else {
    signal.addEventListener("abort", abort, { once: true });
    tryNext();
  }
  return promise;
}
