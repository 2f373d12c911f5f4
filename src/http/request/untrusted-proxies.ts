// Proxies that nobody told the panel of: they name their visitors, and are not believed. Then all of these are
// one address to the panel, with one limit for all of them (rule http.proxy.1).
import { isPrivateAddress } from "../../lib/private-addresses.ts";
import type { AddressList } from "../../lib/addresses.ts";

/** What is known of one. */
export interface UntrustedProxy {
  /** Address that its connections come from. */
  readonly address: string;
  /** Requests since the start that name a visitor. */
  readonly requests: number;
  /** Unix seconds. */
  readonly lastSeenAt: number;
}

interface Seen {
  requests: number;
  lastSeenAt: number;
  /** The first few. */
  readonly visitors: Set<string>;
}

/** Anybody may send the header: what is remembered is bounded. */
const MOST = 32;
/** From a public address so many different visitors make a proxy: one program that sends the header is none. */
const VISITORS = 3;
const DAY = 86_400;

export class UntrustedProxies {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  /** Told of the first one, once. */
  #onFirst: ((address: string) => void) | undefined;

  /** `now`: Unix milliseconds. */
  constructor(now: () => number, onFirst: (address: string) => void) {
    this.#now = now;
    this.#onFirst = onFirst;
  }

  /** A request from `address` names `visitor` in `X-Forwarded-For`, and `address` is not trusted. */
  note(address: string, visitor: string): void {
    const seen = this.#seen.get(address) ?? { requests: 0, lastSeenAt: 0, visitors: new Set<string>() };
    seen.requests++;
    seen.lastSeenAt = Math.floor(this.#now() / 1000);
    if (seen.visitors.size < VISITORS) seen.visitors.add(visitor.slice(0, 64));
    if (seen.requests === 1 && this.#seen.size >= MOST) this.#dropRarest();
    this.#seen.set(address, seen);
    if (!this.#onFirst || !isProxy(address, seen)) return;
    this.#onFirst(address);
    this.#onFirst = undefined;
  }

  /** The busiest of the last day that is still not trusted. */
  busiest(trusted: AddressList): UntrustedProxy | undefined {
    const since = Math.floor(this.#now() / 1000) - DAY;
    const [first] = [...this.#seen]
      .filter(([address, seen]) => seen.lastSeenAt > since && isProxy(address, seen) && !trusted.contains(address))
      .toSorted(([, one], [, other]) => other.requests - one.requests);
    return first && { address: first[0], requests: first[1].requests, lastSeenAt: first[1].lastSeenAt };
  }

  #dropRarest(): void {
    const [rarest] = [...this.#seen].toSorted(([, one], [, other]) => one.requests - other.requests);
    if (rarest) this.#seen.delete(rarest[0]);
  }
}

function isProxy(address: string, { visitors }: Seen): boolean {
  return isPrivateAddress(address) || visitors.size >= VISITORS;
}
