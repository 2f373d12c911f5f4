// The part of one process in the shards of a database that it shares, with times short enough for tests.
import { performance } from "node:perf_hooks";
import { Processes, type Database, type Echo } from "../../src/db/index.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { LeasedShards, SHARED_FACTS } from "../../src/runtime/index.ts";
import { type ShardTimes } from "../../src/runtime/testing.ts";

/** What processes that share actors must tell each other. */
export const echo: Echo = { tables: new Set(), facts: new Set(SHARED_FACTS.map((fact) => fact.name)) };

/** A quarter of the panel's own. */
export const QUICK: ShardTimes = { lease: 2000, own: 1750, renew: 500, poll: 250 };

export interface PartOptions {
  readonly clock?: Clock;
  readonly monotonic?: () => number;
  /** The panel's own where none are given. */
  readonly times?: ShardTimes;
  readonly beatMs?: number;
  readonly deadAfterMs?: number;
  readonly onError?: (error: unknown) => void;
}

export interface Part {
  readonly processes: Processes;
  readonly shards: LeasedShards;
}

/**
 * Joins the processes on a database; the shards are started by whoever they are given to. `processes` must be stopped
 * at the end.
 */
export async function joinShards({ commits, reads, boot }: Database, options: PartOptions = {}): Promise<Part> {
  const {
    clock = systemClock,
    monotonic = () => performance.now(),
    times,
    beatMs,
    deadAfterMs,
    onError = fail,
  } = options;
  const beats = { ...(beatMs !== undefined && { beatMs }), ...(deadAfterMs !== undefined && { deadAfterMs }) };
  const processes = new Processes({ commits, reads, clock, boot, onError, ...beats });
  await processes.start();
  return {
    processes,
    shards: new LeasedShards({ commits, reads, clock, monotonic, processes, onError, ...(times && { times }) }),
  };
}

function fail(error: unknown): never {
  throw error;
}
