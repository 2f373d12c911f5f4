// The wire of traffic and reports beyond the history's own shapes.
import { z } from "zod";
import { Traffic as Series, TrafficStep } from "../history/index.ts";
import { count, queryBounded, rangeParameters } from "../http/index.ts";

export const Traffic = Series.meta({ id: "Traffic" });

/** Rows of an answer where no `limit` is given, and at most; a larger one is clamped. */
const ROWS = 100;
const MOST_ROWS = 1000;
export const rowLimit = queryBounded(1)
  .transform((value) => Math.min(value, MOST_ROWS))
  .default(ROWS);
/** Rows of which only the heaviest were asked for. */
const more = z.boolean().describe("There are more rows than `limit`, which is 100 unless said.");

export const UserTrafficByNode = z
  .object({
    start: count,
    end: count,
    rows: z.array(z.object({ nodeId: count, name: z.string(), up: count, down: count }).meta({ id: "NodeTraffic" })),
    more,
  })
  .meta({ id: "UserNodeUsage" });

export const NodeTrafficByUser = z
  .object({
    start: count,
    end: count,
    rows: z.array(z.object({ userId: count, name: z.string(), up: count, down: count }).meta({ id: "UserTraffic" })),
    more,
  })
  .meta({ id: "NodeStats" });

const steps = z.array(count.nullable());
export const Sparklines = z
  .object({
    start: count,
    end: count,
    step: TrafficStep,
    zone: z.string(),
    at: z.array(count),
    rows: z.array(z.object({ id: count, up: steps, down: steps }).meta({ id: "Sparkline" })),
  })
  .meta({ id: "Sparklines" });

const moved = { up: count, down: count, share: z.number().min(0).max(1) };

/** Limits and states are null of what is deleted, and for callers who may not read the record. */
export const UserReportRow = z
  .object({
    id: count,
    name: z.string(),
    adminId: count.nullable(),
    group: z.string().nullable(),
    ...moved,
    volume: count.nullable(),
    used: count.nullable(),
    expiry: count.nullable(),
    status: z.string().nullable(),
  })
  .meta({ id: "UserReportRow" });
export type UserReportRow = z.output<typeof UserReportRow>;

export const NodeReportRow = z
  .object({
    id: count,
    name: z.string(),
    ...moved,
    multiplier: z.number().nullable(),
    limitBytes: count.nullable(),
    periodUsed: count.nullable(),
    status: z.string().nullable(),
  })
  .meta({ id: "NodeReportRow" });
export type NodeReportRow = z.output<typeof NodeReportRow>;

export const AdminReportRow = z
  .object({
    id: count,
    name: z.string(),
    role: z.string().nullable(),
    ...moved,
    volume: count.nullable(),
    used: count.nullable(),
    userLimit: count.nullable(),
    users: count.nullable(),
    expiry: count.nullable(),
  })
  .meta({ id: "AdminReportRow" });
export type AdminReportRow = z.output<typeof AdminReportRow>;

const report = <R extends z.ZodType>(row: R) =>
  z.object({ start: count, end: count, zone: z.string(), up: count, down: count, rows: z.array(row) });
export const UserReport = report(UserReportRow).meta({ id: "UserReport" });
export const NodeReport = report(NodeReportRow).meta({ id: "NodeReport" });
export const AdminReport = report(AdminReportRow).meta({ id: "AdminReport" });

export const ReportFormat = z.enum(["json", "csv", "ndjson"]);
export type ReportFormat = z.output<typeof ReportFormat>;
export const ReportQuery = z.object({ ...rangeParameters, format: ReportFormat.default("json") });
