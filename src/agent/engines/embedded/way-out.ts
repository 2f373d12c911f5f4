// From a wish ("this user, that target") to a way out: routing, resolving, the check for private targets, and the count
// of what was refused.
import { isIP } from "node:net";
import { isOwnName, isPrivateAddress } from "../../../lib/private-addresses.ts";
import { connectTcp, connectThroughProxy } from "./dial.ts";
import type { Connected } from "./dial.ts";
import { BLOCK_TAG, DIRECT_TAG } from "./outbounds.ts";
import type { Outbound } from "./outbounds.ts";
import type { Flow, Router } from "./route.ts";
import { addressesOf } from "./targets.ts";
import type { Resolve } from "./targets.ts";

/** Refused on purpose: by a rule, a block outbound, or for a private target. `tag`: where it is counted. */
export class RefusedError extends Error {
  readonly tag: string;

  constructor(tag: string, message: string) {
    super(message);
    this.name = "RefusedError";
    this.tag = tag;
  }
}

/**
 * How a flow may leave. `addresses`: checked, the only ones that may be dialled; empty for a proxy upstream, which is
 * told the target as it is.
 */
export interface Way {
  readonly outbound: Outbound;
  readonly addresses: readonly string[];
}

const REJECT_TAG = "reject";
/** A name with more addresses than this is tried no further. */
const MAX_ATTEMPTS = 4;

export class WayOut {
  readonly #resolve: Resolve;
  readonly #allowPrivate: boolean;
  readonly #rejected = new Map<string, number>();
  #router: Router = { decide: () => ({ kind: "outbound", tag: DIRECT_TAG }) };
  #outbounds: ReadonlyMap<string, Outbound> = new Map();

  constructor(resolve: Resolve, privateTargets: "block" | "allow") {
    this.#resolve = resolve;
    this.#allowPrivate = privateTargets === "allow";
  }

  /** Replaces routing for flows to come; those that run stay where they are. */
  set(router: Router, outbounds: ReadonlyMap<string, Outbound>): void {
    this.#router = router;
    this.#outbounds = outbounds;
  }

  /** Refusals by tag since the beginning. */
  rejected(): Map<string, number> {
    return new Map(this.#rejected);
  }

  /** Finds the way of a flow. Throws `RefusedError` (counted) or what the resolver threw. */
  async find(flow: Flow): Promise<Way> {
    let decided = this.#router.decide(flow);
    let addresses: readonly string[] | undefined;
    if (decided.kind === "resolve") {
      addresses = await addressesOf(flow.host, this.#resolve);
      decided = this.#router.decide({ ...flow, addresses });
    }
    if (decided.kind !== "outbound") throw this.#refuse(REJECT_TAG, "a rule rejects it");
    const outbound = this.#outbounds.get(decided.tag) ?? {
      kind: decided.tag === DIRECT_TAG ? "direct" : "unserved",
      tag: decided.tag,
    };
    if (outbound.kind === "block" || outbound.kind === "unserved")
      throw this.#refuse(outbound.tag, `outbound ${outbound.tag} refuses it`);
    if (outbound.kind !== "direct") {
      if (!this.#allowPrivate && (isIP(flow.host) === 0 ? isOwnName(flow.host) : isPrivateAddress(flow.host)))
        throw this.#refuse(BLOCK_TAG, "the target is private");
      return { outbound, addresses: [] };
    }
    addresses ??= await addressesOf(flow.host, this.#resolve);
    const open = this.#allowPrivate ? addresses : addresses.filter((address) => !isPrivateAddress(address));
    if (open.length === 0) throw this.#refuse(BLOCK_TAG, "the target is private");
    return { outbound, addresses: open.slice(0, MAX_ATTEMPTS) };
  }

  /**
   * Opens a TCP connection along a way. Throws the last failure. The signal ends an attempt and closes what it opened.
   */
  async connect(way: Way, flow: Flow, signal: AbortSignal): Promise<Connected> {
    const { outbound } = way;
    if (outbound.kind === "socks" || outbound.kind === "http") {
      const [address] = await addressesOf(outbound.proxy.host, this.#resolve);
      return connectThroughProxy(
        outbound.kind,
        { ...outbound.proxy, host: address ?? outbound.proxy.host },
        flow,
        signal,
      );
    }
    let failure: unknown;
    for (const address of way.addresses) {
      try {
        return { socket: await connectTcp(address, flow.port, signal), early: Buffer.alloc(0) };
      } catch (error) {
        failure = error;
        if (signal.aborted) break;
      }
    }
    throw failure;
  }

  #refuse(tag: string, message: string): RefusedError {
    this.#rejected.set(tag, (this.#rejected.get(tag) ?? 0) + 1);
    return new RefusedError(tag, message);
  }
}
