// What goes wrong in one simulation: a mixture drawn from the seed, since bugs hide in combinations and in what is left
// whole.
import { Chance } from "./chance.ts";

/** A span of virtual milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Faults {
  /** One process with its own file (SQLite), or several on one server (PostgreSQL). */
  readonly shared: boolean;
  readonly processes: number;
  /** Time of faults and commands; what follows is quiet. */
  readonly horizon: number;
  /** One way through the network, and how often it takes a hundred times as long. */
  readonly latency: Span;
  readonly spike: number;
  /** Chances per call. */
  readonly contention: number;
  /** The change is refused by the database: nothing of it is on disk. */
  readonly refused: number;
  /** The connection breaks while the change is committed; it is, or is not. */
  readonly lostAnswer: number;
  readonly failedLoad: number;
  readonly failedRead: number;
  readonly failedReserve: number;
  /** The database is away. */
  readonly gone: readonly Span[];
  /** Chance per commit that it goes away (for seconds) before it has answered. */
  readonly fallsInCommit: number;
  /** Calls while it is away wait for it instead of failing. */
  readonly goneSilently: boolean;
  /** Moments at which a process, chosen then, is killed, held up for a time, or stopped in order. */
  readonly kills: readonly number[];
  readonly pauses: readonly { readonly at: number; readonly forMs: number }[];
  readonly stops: readonly number[];
  /** Chances per call of an effect's handler. */
  readonly effectFails: number;
  readonly effectRefused: number;
  readonly effectSilent: number;
  readonly effectLate: number;
  /** Longest difference of a process's clock from the database's, milliseconds. */
  readonly skew: number;
}

const moments = (chance: Chance, most: number, horizon: number) =>
  Array.from({ length: chance.whole(0, most) }, () => chance.between(0, horizon));

/** Each fault is absent in about half of the seeds. */
export function faultsOf(seed: number): Faults {
  const chance = new Chance(seed, "faults");
  const perhaps = (most: number) => (chance.happens(0.5) ? chance.between(0, most) : 0);
  const shared = chance.happens(0.65);
  const horizon = chance.happens(0.15) ? chance.between(8000, 25_000) : chance.between(1500, 6000);
  const slow = chance.happens(0.2);
  return {
    shared,
    processes: shared ? chance.whole(1, 3) : 1,
    horizon,
    latency: slow ? { from: 5, to: 60 } : { from: 0.05, to: chance.between(0.5, 8) },
    spike: perhaps(0.03),
    contention: shared ? perhaps(0.1) : 0,
    refused: perhaps(0.05),
    lostAnswer: shared ? perhaps(0.08) : 0,
    failedLoad: perhaps(0.05),
    failedRead: perhaps(0.1),
    failedReserve: perhaps(0.3),
    gone:
      shared && chance.happens(0.4)
        ? moments(chance, 2, horizon).map((from) => ({ from, to: from + goneFor(chance) }))
        : [],
    fallsInCommit: shared && chance.happens(0.3) ? 0.02 : 0,
    goneSilently: chance.happens(0.3),
    kills: chance.happens(0.6) ? moments(chance, 4, horizon) : [],
    pauses:
      shared && chance.happens(0.4) ? moments(chance, 2, horizon).map((at) => ({ at, forMs: pausedFor(chance) })) : [],
    stops: chance.happens(0.3) ? moments(chance, 2, horizon) : [],
    effectFails: perhaps(0.4),
    effectRefused: perhaps(0.2),
    effectSilent: perhaps(0.2),
    effectLate: perhaps(0.4),
    skew: shared ? perhaps(300) : 0,
  };
}

const goneFor = (chance: Chance) => (chance.happens(0.1) ? chance.between(20_000, 40_000) : chance.between(10, 6000));
const pausedFor = (chance: Chance) =>
  chance.happens(0.2) ? chance.between(10_000, 45_000) : chance.between(10, 12_000);

/** Nothing goes wrong. */
export const calm: Omit<Faults, "shared" | "processes" | "horizon"> = {
  latency: { from: 0.05, to: 1 },
  spike: 0,
  contention: 0,
  refused: 0,
  lostAnswer: 0,
  failedLoad: 0,
  failedRead: 0,
  failedReserve: 0,
  gone: [],
  fallsInCommit: 0,
  goneSilently: false,
  kills: [],
  pauses: [],
  stops: [],
  effectFails: 0,
  effectRefused: 0,
  effectSilent: 0,
  effectLate: 0,
  skew: 0,
};
