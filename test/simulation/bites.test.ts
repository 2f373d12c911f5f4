// The books are worth something: parts that are broken on purpose are found out within few seeds.
import { beforeAll, expect, test } from "vitest";
import type { RowWrite } from "../../src/db/row-writes.ts";
import type { Store, WriteSet } from "../../src/db/store.ts";
import type { ShardChange } from "../../src/runtime/index.ts";
import { SimulatedDatabase } from "./database.ts";
import { faultsOf } from "./faults.ts";
import { entities } from "./job.ts";
import type { Sabotage } from "./panel.ts";
import { simulate } from "./simulation.ts";

let database: SimulatedDatabase;

beforeAll(async () => {
  database = await SimulatedDatabase.open(entities);
});

/**
 * What the books say of the first of `within` seeds in which they find anything. `several`: only seeds with more than
 * one process.
 */
async function found(sabotage: Sabotage, { within = 60, several = false } = {}): Promise<string> {
  for (let seed = 1, left = within; left > 0; seed++) {
    if (several && faultsOf(seed).processes < 2) continue;
    left--;
    const { broken } = await simulate({ database, seed, sabotage });
    if (broken.length > 0) return broken.join("\n");
  }
  return `nothing within ${within} seeds`;
}

/**
 * A store that writes something else than it is asked to, every `every`th time that `tamper` has something to change.
 */
function tampering(every: number, tamper: (write: RowWrite) => RowWrite | undefined): Sabotage {
  let times = 0;
  const tampered = (writes: WriteSet): WriteSet => ({
    ...writes,
    writes: writes.writes.flatMap((write) => {
      const changed = tamper(write);
      return changed === write || ++times % every !== 0 ? [write] : changed ? [changed] : [];
    }),
  });
  return {
    store: (store) =>
      withSessions(store, (session) => ({
        ...session,
        finish: (writes, note) => session.finish(tampered(writes), note),
      })),
  };
}

type Session = ReturnType<Store["begin"]>;

function withSessions(store: Store, change: (session: Session) => Session): Store {
  return {
    dialect: store.dialect,
    ...(store.log ? { log: store.log } : {}),
    sessions: store.sessions,
    exclusiveStatements: store.exclusiveStatements,
    begin() {
      const session = store.begin();
      return change({
        load: (locks) => session.load(locks),
        finish: (writes, note) => session.finish(writes, note),
        abandon: () => session.abandon(),
      });
    },
    execute: (statements, note) => store.execute(statements, note),
    read: (sql) => store.read(sql),
    reserve: (sequence, count) => store.reserve(sequence, count),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

const without = (table: string, op: RowWrite["op"]) => (write: RowWrite) =>
  write.table.name === table && write.op === op ? undefined : write;

test("a store that commits by half", async () => {
  expect(await found(tampering(10, without("journal", "insert")))).toMatch(/by half|has no step|its journal ends/);
});

// rule events.catalogue.4
test("an event that is forgotten", async () => {
  expect(await found(tampering(5, without("events", "insert")))).toMatch(/is missing|deliveries/);
});

test("a counter of states that is not written", async () => {
  expect(await found(tampering(7, without("state_counts", "add")))).toMatch(/are counted in the state/);
});

test("an effect that is dropped", async () => {
  expect(await found(tampering(3, without("effects", "upsert")))).toMatch(
    /the effect (work|check) of job \d+ .* is missing/,
  );
});

test("a timer that outlives its state", async () => {
  expect(await found(tampering(2, without("timers", "delete")))).toMatch(/early|was not armed|should be gone|ms off/);
});

test("a timer that is not armed", async () => {
  expect(await found(tampering(3, without("timers", "upsert")))).toMatch(/timer .* is missing|its timer says null/);
});

test("effects whose run is not told apart", async () => {
  const sameRun = (write: RowWrite): RowWrite =>
    write.table.name === "effects" && write.op === "upsert"
      ? { ...write, row: { ...write.row, run: `job:${String(write.row["actorId"])}:1:0` } }
      : write;
  expect(await found(tampering(1, sameRun))).toMatch(/begun twice|brought the result|no transition asked for it/);
});

test("a store that answers before it commits, and then does not", async () => {
  let times = 0;
  const hasty: Sabotage = {
    store: (store) =>
      withSessions(store, (session) => ({
        ...session,
        finish: (writes, note) => (++times % 20 === 0 ? session.abandon() : session.finish(writes, note)),
      })),
  };
  expect(await found(hasty)).toMatch(/is not on disk|heard|has no step/);
});

test("a log that loses notes", async () => {
  let times = 0;
  const forgetful: Sabotage = {
    store: (store) => {
      const { log } = store;
      if (!log) return store;
      const since: typeof log.since = async (position, until) => {
        const reading = await log.since(position, until);
        return { ...reading, notes: reading.notes.filter(() => ++times % 10 !== 0) };
      };
      return { ...withSessions(store, (session) => session), log: { ...log, since } };
    },
  };
  expect(await found(forgetful, { several: true })).toMatch(/believes|lines|is due|heard/);
});

test("shards that everybody holds", async () => {
  const all: ShardChange = { gained: new Set(Array.from({ length: 64 }, (_, shard) => shard)), lost: new Set() };
  const greedy: Sabotage = {
    shards: (shards) => {
      const listeners = new Set<(change: ShardChange) => void>();
      return {
        holds: () => true,
        token: () => 1,
        start: async () => {
          await shards.start();
          for (const listener of listeners) listener(all);
        },
        stop: () => shards.stop(),
        onChange: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
    },
  };
  expect(await found(greedy, { several: true })).toMatch(/has a line in .* and a later one/);
});

test("a lease that is believed in when it has run out", async () => {
  const stubborn: Sabotage = {
    shards: (shards) => {
      const tokens = new Map<number, number>();
      const token = (id: number) => {
        const held = shards.token(id);
        if (held !== undefined) tokens.set(id, held);
        return tokens.get(id);
      };
      return {
        token,
        holds: (id) => token(id) !== undefined,
        start: () => shards.start(),
        stop: () => shards.stop(),
        onChange: (listener) => shards.onChange(({ gained }) => listener({ gained, lost: new Set() })),
      };
    },
  };
  expect(await found(stubborn, { several: true, within: 100 })).toMatch(/has 2 lines|has a line in/);
});
