// Deciding without doing: what a command would find and say. Rows are read, nothing is locked, and what the draft
// records goes nowhere.
import { Draft, Overlay, type IdSource } from "./draft.ts";
import { lockKey, type Lock } from "./row-writes.ts";
import { NeedLocks } from "./errors.ts";
import { sql, type Reader } from "./read.ts";
import type { Key, Row } from "./table.ts";

/** A command that asks for ever more rows is a defect. */
const ROUNDS = 10;
/** Rows in one query. */
const CHUNK = 1000;

const NO_IDS: IdSource = {
  next(sequence: string): never {
    throw new Error(`a trial has no ids of ${sequence}`);
  },
};

/** Ids that are nobody's: a trial of commands that need some. */
export function trialIds(): IdSource {
  let last = 0;
  return { next: () => --last };
}

/**
 * What `decide` returns on the rows as they are now; it may run more than once, as in a commit. `locks`: rows that it
 * is known to need. `known`: rows as trials before this one left them, by `lockKey`. Rejects with what it throws.
 */
export async function tryOut<T>(
  reads: Reader,
  now: number,
  locks: readonly Lock[],
  decide: (draft: Draft) => T,
  ids: IdSource = NO_IDS,
  known: ReadonlyMap<string, Row | null> = new Map(),
): Promise<T> {
  const loaded = new Map<string, Row | null>();
  let missing: readonly Lock[] = locks;
  for (let round = 0; round < ROUNDS; round++) {
    await load(reads, missing, loaded);
    for (const [key, row] of known) loaded.set(key, row);
    try {
      return decide(new Draft(new Overlay(reads.tables, loaded), ids, now));
    } catch (error) {
      if (!(error instanceof NeedLocks)) throw error;
      missing = error.locks;
    }
  }
  throw new Error(`a trial still asks for rows after ${ROUNDS} rounds`);
}

/** One query for each thousand rows of a table. */
async function load(reads: Reader, wanted: readonly Lock[], loaded: Map<string, Row | null>): Promise<void> {
  const byTable = new Map<string, Key[]>();
  for (const each of wanted) {
    loaded.set(lockKey(each), null);
    const ids = byTable.get(each.table);
    if (ids) ids.push(each.id);
    else byTable.set(each.table, [each.id]);
  }
  for (const [name, ids] of byTable) {
    const table = reads.tables.named(name);
    const key = sql.ref(table.key.name);
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK);
      const found = await reads.query(sql<Row>`select * from ${sql.table(name)} where ${key} in (${sql.join(chunk)})`);
      for (const raw of found) {
        const row = table.decode(raw);
        loaded.set(lockKey({ table: name, id: row[table.key.property] as Key }), row);
      }
    }
  }
}
