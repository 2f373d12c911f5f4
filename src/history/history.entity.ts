// Tables of the traffic's history: what was counted and is not sorted yet, and sums by hours, days and months.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../db/index.ts";

/** What counting transactions left (`chunks.ts`), until `fold.ts` has added it to the sums. */
export const TrafficChunkRows = entity(
  defineEntity({
    name: "TrafficChunk",
    tableName: "traffic_chunks",
    properties: {
      /** Given by the database. */
      id: p.bigint("number").primary(),
      data: p.blob(),
    },
  }),
  { archive: "history" },
);

/** Sums of one kind, period and bucket (`sum-rows.ts`). */
const sums = () => ({
  id: p.bigint("number").primary().autoincrement(false),
  /** It is in the sums of the next longer period too: whatever is added here from now on is added there as well. */
  passed: p.boolean(),
  data: p.blob(),
});

export const TrafficHourRows = entity(
  defineEntity({ name: "TrafficHour", tableName: "traffic_hours", properties: sums() }),
  { archive: "history" },
);
export const TrafficDayRows = entity(
  defineEntity({ name: "TrafficDay", tableName: "traffic_days", properties: sums() }),
  { archive: "history" },
);
export const TrafficMonthRows = entity(
  defineEntity({ name: "TrafficMonth", tableName: "traffic_months", properties: sums() }),
  { archive: "history" },
);

/** Hours and days with rows that are not passed on yet, and when that is due. */
export const TrafficOpenRows = entity(
  defineEntity({
    name: "TrafficOpen",
    tableName: "traffic_open",
    properties: {
      /** The period, and whether it is a day (`open-periods.ts`). */
      id: p.bigint("number").primary().autoincrement(false),
      /** Unix seconds. */
      dueAt: p.bigint("number"),
    },
    indexes: [{ properties: ["dueAt"] }],
  }),
  { archive: "history" },
);

/**
 * One row. Whoever changes sums has read them before: it counts up, and a process that read before somebody else
 * changed them begins again.
 */
export const TrafficTurnRows = entity(
  defineEntity({
    name: "TrafficTurn",
    tableName: "traffic_turns",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      turn: p.bigint("number"),
    },
  }),
  { archive: "history" },
);

export const historyEntities = [
  TrafficChunkRows,
  TrafficHourRows,
  TrafficDayRows,
  TrafficMonthRows,
  TrafficOpenRows,
  TrafficTurnRows,
] as const;
