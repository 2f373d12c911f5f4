// Deciding without doing: what a command would find and say. Rows are read, nothing is locked, and what the draft
// records goes nowhere.
import { Draft, Overlay, lockKey, type Lock } from "./draft.ts";
import { NeedLocks } from "./errors.ts";
import { sql, type Reader } from "./read.ts";
import type { Row } from "./table.ts";

/** A command that asks for ever more rows is a defect. */
const ROUNDS = 10;

const NO_IDS = {
  next(sequence: string): never {
    throw new Error(`a trial has no ids of ${sequence}`);
  },
};

/**
 * What `decide` returns on the rows as they are now; it may run more than once, as in a commit. `locks`: rows that it
 * is known to need. Rejects with what it throws.
 */
export async function tryOut<T>(
  reads: Reader,
  now: number,
  locks: readonly Lock[],
  decide: (draft: Draft) => T,
): Promise<T> {
  const loaded = new Map<string, Row | null>();
  let missing: readonly Lock[] = locks;
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(missing.map(async (each) => loaded.set(lockKey(each), await readRow(reads, each))));
    try {
      return decide(new Draft(new Overlay(reads.tables, loaded), NO_IDS, now));
    } catch (error) {
      if (!(error instanceof NeedLocks)) throw error;
      missing = error.locks;
    }
  }
  throw new Error(`a trial still asks for rows after ${ROUNDS} rounds`);
}

async function readRow(reads: Reader, { table: name, id }: Lock): Promise<Row | null> {
  const table = reads.tables.named(name);
  const [raw] = await reads.query(sql<Row>`select * from ${sql.table(name)} where ${sql.ref(table.key.name)} = ${id}`);
  return raw === undefined ? null : table.decode(raw);
}
