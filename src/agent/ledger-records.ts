// The records of the ledger file. One `use` record is one reading of the counters: what was used since the last one,
// and the counters it was taken from.
import { z } from "zod";

const Id = z.int().positive();
const Count = z.int().nonnegative();

/**
 * Ledger identity and position; first record of every file. `seq`: the highest number given to a batch. `rebase`: the
 * ledger before was damaged; the first reading sets the counters and counts nothing.
 */
const Head = z.object({
  t: z.literal("head"),
  version: z.literal(1),
  bootId: z.uuid(),
  acknowledged: Count,
  seq: Count,
  rebase: z.boolean(),
});
/**
 * Counters (user, inbound, up, down) of an engine's life, as of the file's last rewrite. Another `instance` than before
 * forgets the counters of that one.
 */
const Life = z.object({
  t: z.literal("life"),
  instance: z.string(),
  counters: z.array(z.tuple([Id, Id, Count, Count])),
});
/**
 * A reading: rows of (user, inbound, up, down, second, counter up, counter down), the last two absolute. Several
 * records may add to one `seq`.
 */
const Use = z.object({
  t: z.literal("use"),
  seq: Id,
  from: Count,
  to: Count,
  instance: z.string(),
  rows: z.array(z.tuple([Id, Id, Count, Count, Count, Count, Count])),
});
/** Rows of a batch that waits, as of the file's last rewrite: as `use`, without counters. */
const Wait = z.object({
  t: z.literal("wait"),
  seq: Id,
  from: Count,
  to: Count,
  rows: z.array(z.tuple([Id, Id, Count, Count, Count])),
});
/** The panel has everything up to `seq`. */
const Acknowledged = z.object({ t: z.literal("ack"), seq: Count });

export const LedgerRecord = z.discriminatedUnion("t", [Head, Life, Use, Wait, Acknowledged]);
export type LedgerRecord = z.infer<typeof LedgerRecord>;
export type UseRecord = z.infer<typeof Use>;
