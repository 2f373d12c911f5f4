// A user of the running engine and the sessions that they have open. Each knows the other: a session counts for its
// user and is held to their limits, and a user who goes, or changes, ends sessions.
import type { PlanUser } from "../../../protocol/plan.ts";
import { TokenBucket } from "./limiter.ts";

/**
 * A user as the running engine holds it. It lives while the user is on the node; a change of credentials makes a new
 * one. Most users of a node are never seen on it: what only a session needs is made by the first one.
 */
export class LiveUser {
  readonly id: number;
  readonly uuid: string;
  readonly password: string;
  ipLimit: number;
  inbounds: PlanUser["inbounds"];
  /** Credentials for one protocol alone. */
  readonly by: PlanUser["by"];
  readonly #clock: () => number;
  #speedLimit: number;
  #buckets: { readonly up: TokenBucket; readonly down: TokenBucket } | undefined;
  #sessions: Set<Session> | undefined;
  #seen: Map<string, number> | undefined;

  /** `seen`: memory of addresses to go on with. */
  constructor(user: PlanUser, clock: () => number, seen?: Map<string, number>) {
    this.id = user.id;
    this.uuid = user.uuid.toLowerCase();
    this.password = user.password;
    this.ipLimit = user.ipLimit;
    this.inbounds = user.inbounds;
    this.by = user.by;
    this.#clock = clock;
    this.#speedLimit = user.speedLimit;
    this.#seen = seen;
  }

  get speedLimit(): number {
    return this.#speedLimit;
  }

  /** Takes effect on open sessions at once. */
  set speedLimit(rate: number) {
    this.#speedLimit = rate;
    this.#buckets?.up.setRate(rate);
    this.#buckets?.down.setRate(rate);
  }

  /** The limits that all sessions of the user share. */
  get buckets(): { readonly up: TokenBucket; readonly down: TokenBucket } {
    return (this.#buckets ??= {
      up: new TokenBucket(this.#speedLimit, this.#clock),
      down: new TokenBucket(this.#speedLimit, this.#clock),
    });
  }

  get sessions(): Set<Session> {
    return (this.#sessions ??= new Set());
  }

  /** Sessions that are open now. */
  get open(): readonly Session[] {
    return [...(this.#sessions ?? [])];
  }

  /** Unix milliseconds of the last sight, by `<inboundId> <address>`. */
  get seen(): Map<string, number> {
    return (this.#seen ??= new Map());
  }

  /** Whether the user ever had a session here. */
  get known(): boolean {
    return this.#seen !== undefined;
  }
}

/** Bytes of one engine user name since the instance began. Never reset. */
export interface Counter {
  up: number;
  down: number;
}

/** What is known of a session when it opens. */
export interface SessionFacts {
  readonly user: LiveUser;
  readonly inboundId: number;
  readonly inbound: string;
  readonly network: "tcp" | "udp";
  readonly source: string;
  readonly sourcePort: number;
}

export class Session {
  readonly id: string;
  readonly facts: SessionFacts;
  readonly counter: Counter;
  readonly startedAt: number;
  /** A UDP association learns these with its first packet that is let out. */
  outbound = "";
  destination = "";
  up = 0;
  down = 0;
  /** Bytes at the last sweep, and how many sweeps saw no more. */
  sweptBytes = 0;
  idleSweeps = 0;
  /** Its client has neither sent nor acknowledged anything for long: it holds no place of an `ipLimit`. */
  silent = false;
  /** One side is gone; what is left to flush gets a shorter time. */
  ending = false;
  /** Ends both connections; their end removes the session. */
  readonly close: () => void;

  readonly #onWake: (session: Session) => void;

  /** `onWake`: a silent one speaks again. */
  constructor(
    id: string,
    facts: SessionFacts,
    counter: Counter,
    startedAt: number,
    close: () => void,
    onWake: (session: Session) => void,
  ) {
    this.id = id;
    this.facts = facts;
    this.counter = counter;
    this.startedAt = startedAt;
    this.close = close;
    this.#onWake = onWake;
  }

  /** Counts bytes handed on to the target. */
  countUp(bytes: number): void {
    if (this.silent) this.#onWake(this);
    this.up += bytes;
    this.counter.up += bytes;
  }

  /** Counts bytes handed on to the client. */
  countDown(bytes: number): void {
    this.down += bytes;
    this.counter.down += bytes;
  }
}
