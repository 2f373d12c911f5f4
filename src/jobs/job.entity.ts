// Tables of jobs: the job with its plan and cursor, and parts of it that are too large for its row.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";
import { actorColumns, actorIndexes } from "../runtime/index.ts";
import type { JobProblem } from "./jobs.schema.ts";

export const JobRows = entity(
  defineEntity({
    name: "Job",
    tableName: "jobs",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      ...actorColumns(),
      /** Which work it is: the name of a `JobWork`. */
      work: p.text(),
      /** What is done to each record. */
      op: p.text(),
      /** The work's own: selection and arguments, as they were asked for. */
      plan: p.json<Record<string, unknown>>(),
      /** The account that started it, and how; the ip is the request's. */
      adminId: p.bigint("number"),
      actor: p.text(),
      via: p.text(),
      tokenId: p.bigint("number"),
      ip: p.text(),
      /** The largest id that it may touch: what came later is none of its records. */
      upTo: p.bigint("number"),
      /** The last id that it is done with. */
      cursor: p.bigint("number"),
      total: p.bigint("number"),
      done: p.bigint("number"),
      matched: p.bigint("number"),
      affected: p.bigint("number"),
      blocked: p.bigint("number"),
      failed: p.bigint("number"),
      /** The first hundred. */
      problems: p.json<JobProblem[]>(),
      /** Ids of the first that it changed, for the event at its end. */
      ids: p.json<number[]>(),
      error: p.text(),
      /** Names the request that started it, where that carried an idempotency key: a repeat finds its job. */
      requestKey: p.text().nullable().unique(),
      /** The job that takes this one back, 0 = none; and the one that this one takes back. */
      undoneBy: p.bigint("number"),
      undoes: p.bigint("number"),
      createdAt: p.bigint("number"),
      startedAt: p.bigint("number"),
      finishedAt: p.bigint("number"),
    },
    indexes: [...actorIndexes("jobs"), { properties: ["adminId", "id"] }, { properties: ["finishedAt"] }],
  }),
);
export type JobRow = RowOf<typeof JobRows>;

/** How many jobs of each account are not over: kept in the commits that start and end them. */
export const JobCountRows = entity(
  defineEntity({
    name: "JobCount",
    tableName: "job_counts",
    properties: {
      /** The account's id. */
      id: p.bigint("number").primary().autoincrement(false),
      unfinished: p.bigint("number"),
    },
  }),
);

/**
 * What a part holds: ids that were chosen one by one; records that came with the request, which wait there for their
 * turn; what records were before the job changed them; or records that it left as they are, with why.
 */
export type PartSort = "chosen" | "staged" | "before" | "left";

export const JobPartRows = entity(
  defineEntity({
    name: "JobPart",
    tableName: "job_parts",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      jobId: p.bigint("number"),
      sort: p.text().$type<PartSort>(),
      /** The largest id in it. Parts of a sort follow each other. */
      last: p.bigint("number"),
      content: p.json<unknown[]>(),
    },
    indexes: [{ properties: ["jobId", "sort", "last"] }],
  }),
  { owned: true },
);
export type JobPartRow = RowOf<typeof JobPartRows>;
