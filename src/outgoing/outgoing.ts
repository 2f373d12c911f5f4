// The way out as a panel has it: one for all features.
import { Signals } from "../lib/signals.ts";
import { createConnect, type Connect } from "./connect.ts";
import { createFetch, type Fetch, type Stream } from "./fetch.ts";
import { systemResolver, type Resolve } from "./target.ts";

export interface Outgoing {
  /** A request, and its answer whole. */
  readonly fetch: Fetch;
  /** A request, and its answer as it comes. */
  readonly stream: Stream;
  /** A connection for a protocol that is not HTTP. */
  readonly connect: Connect;
}

/** `resolve`: the system's resolver unless a test brings its own. Nobody hears its signals unless they are given. */
export function openOutgoing({
  resolve = systemResolver(),
  signals = new Signals(),
}: { readonly resolve?: Resolve; readonly signals?: Signals } = {}): Outgoing {
  return { ...createFetch(resolve, signals), connect: createConnect(resolve) };
}
