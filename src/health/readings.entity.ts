// Tables of readings: of each node a row an hour with its readings of five minutes, and later a row a day with its
// readings of an hour.
//
// One key holds the time and then the node. So everything that is written at a time is written side by side, a node's
// rows of a range are looked up by their keys, and what is too old is a range of keys: no table needs a further index.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";
import { DAY, HOUR, type StoredReading } from "./reading.ts";

export const HourReadingRows = entity(
  defineEntity({
    name: "HourReading",
    tableName: "node_hour_readings",
    properties: {
      /** `hourKey`. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Places count five minutes from the hour on. Several of one place belong to one reading. */
      readings: p.json<StoredReading[]>(),
    },
  }),
  { archive: "history" },
);

export const DayReadingRows = entity(
  defineEntity({
    name: "DayReading",
    tableName: "node_day_readings",
    properties: {
      /** `dayKey`. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Places count hours from the beginning of the day in UTC on. */
      readings: p.json<StoredReading[]>(),
    },
  }),
  { archive: "history" },
);
export type ReadingRow = RowOf<typeof HourReadingRows>;

export const healthEntities = [HourReadingRows, DayReadingRows] as const;

/** Ids of nodes are below; hours fit above it until the year 2209. */
const NODES = 2 ** 32;

/** Key of a node's row of an hour; `at`: Unix seconds. Node 0: before all rows of that hour. */
export const hourKey = (at: number, nodeId: number): number => Math.floor(at / HOUR) * NODES + nodeId;
export const dayKey = (at: number, nodeId: number): number => Math.floor(at / DAY) * NODES + nodeId;

/** The node and the beginning (Unix seconds) of a row's hour or day, by its key. */
export const nodeOf = (key: number): number => key % NODES;
export const hourOf = (key: number): number => Math.floor(key / NODES) * HOUR;
export const dayOf = (key: number): number => Math.floor(key / NODES) * DAY;
