// Writes down what is counted, in the transaction that counts it.
import type { Reader, Statement } from "../db/index.ts";
import { chunksOf, type NodeRows } from "./chunks.ts";
import { DAY } from "./periods.ts";

/** Traffic that is reported later is still counted, in the oldest hour that is accepted. */
const LATEST_DAYS = 35;

/** The statements that record batches. `now`: Unix milliseconds. */
export function recordTraffic(reads: Reader, batches: readonly NodeRows[], now: number): Statement[] {
  const seconds = Math.floor(now / 1000);
  const text =
    reads.dialect === "sqlite"
      ? "insert into traffic_chunks (data) values (?)"
      : "insert into traffic_chunks (data) values ($1)";
  return chunksOf(batches, seconds - LATEST_DAYS * DAY, seconds).map((data) => ({
    label: "traffic",
    text,
    values: [data],
    rows: 1,
  }));
}
