// What the fleet asks of the history of traffic: to write down what is counted, in the transaction that counts it. A
// question of this room, which `history` answers. Neither room imports the other.
import type { Reader, Statement } from "../../db/index.ts";
import type { NodeBatch } from "./usage-statements.ts";

/** `now`: Unix milliseconds. The batches have the rows that count, and no others. */
export type TrafficRecord = (reads: Reader, batches: readonly NodeBatch[], now: number) => Statement[];
