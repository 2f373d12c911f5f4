// Takes over engines that outlived their agent, at whatever point it died, and ends all others of its directory.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DriverContext } from "../../contract/driver.ts";
import { type ByteCount, CounterTally, offsetOf } from "../state/counter-tally.ts";
import type { Dialect } from "../dialect.ts";
import { endProcess, isAlive, isOwn, listeningPorts, processesMarked } from "./identity.ts";
import type { LiveViewStart } from "../view/live-view.ts";
import { LogCheckpoint } from "../view/session-row.ts";
import { journalPath, RunningEngine } from "./running-engine.ts";
import { markOf } from "./spawn.ts";
import { END_GRACE_MS } from "./start.ts";
import { DriverState, type EngineRecord, unpackCounters } from "../state/driver-state.ts";
import { readState, removeState } from "../state/state-file.ts";
import { UserJournal } from "../state/user-journal.ts";

const READING_MS = 3000;

/** What is known of the engines of a directory. */
export function statePath(directory: string): string {
  return join(directory, "state.json");
}

/** Where it is kept what the log's lines came to. */
export function checkpointPath(directory: string): string {
  return join(directory, "log.json");
}

export interface Adopted {
  readonly state: DriverState;
  readonly tally: CounterTally;
  readonly serving: RunningEngine | undefined;
  /** Oldest first. One that had been started, but had not taken over, is among them. */
  readonly draining: readonly RunningEngine[];
  /** Where the log view goes on. */
  readonly checkpoint: LiveViewStart | undefined;
}

/** Undefined when there is nothing to go on with: then nothing runs and no state is left. */
export async function adoptEngines(dialect: Dialect, context: DriverContext): Promise<Adopted | undefined> {
  const state = readOr(
    context,
    statePath(context.directory),
    DriverState,
    "the state of earlier engines is lost; they are ended",
  );
  const kept: { engine: RunningEngine; counters: Map<string, ByteCount> }[] = [];
  const finals: ReadonlyMap<string, ByteCount>[] = [];
  let lost = false;
  for (const record of state?.engines ?? []) {
    if (record.final) finals.push(unpackCounters(record.final));
    const found = record.final ? undefined : await reach(dialect, context, record);
    if (found) kept.push(found);
    // One that never took over had nothing to count that is worth a new instance.
    else lost ||= !record.final && record.starting !== true;
  }
  const pids = new Set(kept.map(({ engine }) => engine.identity.pid));
  for (const stray of processesMarked(markOf(context.directory)))
    if (!pids.has(stray.pid)) await endProcess(stray, END_GRACE_MS);
  if (!state || (kept.length === 0 && lost)) {
    removeState(statePath(context.directory));
    removeState(checkpointPath(context.directory));
    return undefined;
  }
  // What a lost engine had counted is not known, so no sum can be told to go on. A new instance begins at nothing.
  const tally = lost
    ? new CounterTally(randomUUID(), sumOf(kept.map(({ counters }) => offsetOf(counters))))
    : new CounterTally(state.instance, sumOf([unpackCounters(state.base), ...finals]));
  for (const { engine, counters } of kept) tally.update(engine.record.id, counters);
  const engines = kept.map(({ engine }) => engine);
  const serving =
    engines.find(({ record }) => record.drainUntil === undefined && record.starting !== true) ??
    engines.find((engine) => engine.record.starting === true && isReady(engine));
  const draining = engines
    .filter((engine) => engine !== serving)
    .toSorted((a, b) => (a.record.drainUntil ?? Infinity) - (b.record.drainUntil ?? Infinity));
  const known = readOr(context, checkpointPath(context.directory), LogCheckpoint, "the log's checkpoint is lost");
  const checkpoint = known ?? { offset: 0, rejected: {}, sessions: { rows: [], unplaced: [], addresses: [] } };
  return {
    state,
    tally,
    serving,
    draining,
    checkpoint: lost ? { ...checkpoint, rejected: {} } : checkpoint,
  };
}

function isReady({ identity, record }: RunningEngine): boolean {
  const open = listeningPorts(identity.pid);
  return record.inbounds.every(({ port, inner, networks }) =>
    networks.every((network) => open[network].has(inner ?? port)),
  );
}

function readOr<T>(
  context: DriverContext,
  path: string,
  schema: Parameters<typeof readState<T>>[1],
  complaint: string,
): T | undefined {
  try {
    return readState(path, schema);
  } catch (error) {
    context.log("warn", complaint, { error: String(error) });
    return undefined;
  }
}

/** The engine behind a record, if it is that very process and answers. */
async function reach(
  dialect: Dialect,
  context: DriverContext,
  record: EngineRecord,
): Promise<{ engine: RunningEngine; counters: Map<string, ByteCount> } | undefined> {
  const identity = { pid: record.pid, startTime: record.startTime };
  // After a boot the same number and time may be another user's process.
  if (!isAlive(identity) || !isOwn(identity)) return undefined;
  let engine: RunningEngine | undefined;
  try {
    if (!hasEndpoint(record)) throw new Error("it does not listen on its own interface");
    engine = new RunningEngine(dialect, record, UserJournal.open(journalPath(context.directory, record.id)), undefined);
    return { engine, counters: await engine.counters(READING_MS) };
  } catch (error) {
    context.log("warn", "an engine that outlived its agent does not answer and is ended", {
      pid: record.pid,
      error: String(error),
    });
    engine?.release();
    await endProcess(identity, END_GRACE_MS);
    return undefined;
  }
}

/**
 * Whether the process itself listens on the engine's loopback ports: when an engine is gone, another program may listen
 * there.
 */
function hasEndpoint({ pid, endpoint }: EngineRecord): boolean {
  const { tcp } = listeningPorts(pid);
  return endpoint.ports.every((port) => tcp.has(port));
}

function sumOf(maps: readonly ReadonlyMap<string, ByteCount>[]): Map<string, ByteCount> {
  const tally = new CounterTally("sum");
  for (const [index, counters] of maps.entries()) {
    tally.update(String(index), counters);
    tally.end(String(index));
  }
  return new Map(tally.base());
}
