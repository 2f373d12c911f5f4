// A month of batches that everybody can work out alone: the process that counts them and is killed, and the test that
// holds the books. Batch `seq` of a node is of a moment of its own, and some of its rows are days late.
import { z } from "zod";
import { Chance } from "../simulation/chance.ts";

export const ACCOUNTS = [1, 2, 1023, 1024, 4096, 70_000];
/** The zones of a panel, one after the other: ahead by parts of an hour, and with a day of 25 hours. */
export const ZONES = ["Asia/Tehran", "Europe/Berlin", "Asia/Kathmandu", "America/New_York", "UTC"];
/** Unix seconds. */
export const BEGIN = Date.UTC(2026, 9, 12, 7, 20) / 1000;
const STEP = 40_000;
const DAY = 86_400;

/**
 * What a process does, and at which of its transactions of one name it dies: so long after it began, or right behind
 * it.
 */
export const Death = z.object({
  url: z.string(),
  zone: z.string(),
  nodes: z.array(z.int()),
  at: z.enum(["usage", "traffic.fold", "traffic.pass"]),
  times: z.int(),
  ms: z.union([z.number(), z.literal("behind")]),
});
export type Death = z.infer<typeof Death>;

/** Account, inbound, up, down, Unix second. */
export type Row = readonly [number, number, number, number, number];

/** When a batch is counted, Unix seconds. */
export function momentOf(seq: number): number {
  return BEGIN + seq * STEP;
}

export function rowsOf(node: number, seq: number): Row[] {
  const chance = new Chance(seq, `node ${node}`);
  const late = chance.happens(0.2) ? chance.whole(1, 20) * DAY : 0;
  return ACCOUNTS.filter(() => chance.happens(0.7)).map((account) => [
    account,
    chance.whole(1, 3),
    chance.whole(0, 5000),
    chance.whole(0, 10 ** 9),
    momentOf(seq) - late - chance.whole(0, STEP),
  ]);
}

export function ledgerOf(node: number): string {
  return `00000000-0000-4000-8000-${String(node).padStart(12, "0")}`;
}
