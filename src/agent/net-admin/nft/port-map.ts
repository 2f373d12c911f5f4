// The kernel's map from the ports that clients dial to the ports that engines listen on: the way to hand a port from
// one process to another without a refused connection where two processes cannot share it, and to cut what has no
// socket to close.

/** One public port. `listen`: the address it is meant for; `::`, `0.0.0.0` or empty for all. */
export interface Mapping {
  readonly listen: string;
  readonly port: number;
  readonly networks: readonly ("tcp" | "udp")[];
  /** The port that the engine listens on, closed to everybody who does not come through the map. */
  readonly inner: number;
}

/** A flow of datagrams from a client to an engine. */
export interface Flow {
  readonly address: string;
  readonly port: number;
  /** The port the engine listens on (the inner one). */
  readonly localPort: number;
}

/** What an engine must not reach for its users. */
export interface TargetGuard {
  readonly privateTargets: "block" | "allow";
  /** Ports of the host that are the engines' own interfaces. */
  readonly interfaces: readonly number[];
  /** Private addresses that the operator chose as upstreams, which stay open. */
  readonly upstreams: readonly { readonly address: string; readonly port: number }[];
}

/**
 * `mark`: what connections to users' targets must carry to be looked at. Absent where the kernel knows the engine by
 * its group and looks at all that it sends.
 */
export interface Guarded {
  readonly mark?: number;
}

export interface PortMap {
  /**
   * Datagrams that an engine marks so do not leave for private targets: for engines that look at the first datagram of
   * a client's socket alone. Holds from the first `keepClosed` on.
   */
  readonly packetMark?: number;
  /**
   * For engines that resolve a name for their rules and again to dial it, so that its owner can answer differently:
   * what they send to users' targets reaches no private target (`block`), and in either case none of `interfaces`.
   */
  guardTargets(guard: TargetGuard): Promise<Guarded>;
  /** Makes these the mappings, in one step. Flows that exist go on to where they went. */
  set(mappings: readonly Mapping[]): Promise<void>;
  /** Inner ports stay closed to the outside as long as an engine may listen on them: those of `set` and these. */
  keepClosed(inner: readonly number[]): Promise<void>;
  /** Drops the datagrams of these flows, both ways, for so many seconds, whether or not their port is mapped. */
  dropFlows(flows: readonly Flow[], seconds: number): Promise<void>;
  /**
   * Answered datagram flows to these inner ports whose client sent something within the last minute. Where `fresh` is
   * not asked for, an earlier look may answer.
   */
  flows(localPorts: ReadonlySet<number>, fresh?: boolean): Promise<readonly Flow[]>;
  /** Takes everything back. */
  remove(): Promise<void>;
  /** Lets go of the map and leaves it as it is, for the next agent: nothing may be asked of this object any more. */
  detach(): void;
}
