// Jobs on the wire.
import { z } from "zod";
import { JOB_STATES } from "../../machines/job.ts";
import { count, queryList, unixTime } from "../http/index.ts";

/** A record that a job could not do, and why. */
export const JobProblem = z
  .object({
    id: count.describe("The record's id; in an import its line, in accounts from a pattern its place."),
    line: count.optional().describe("Of an import: the line of the file, from 1."),
    name: z.string().optional().describe("The record's name, where it has one that the caller may see."),
    error: z.string().describe("Why it was left as it is."),
    code: z.string().describe("The same for programs."),
    field: z.string().optional().describe("The first field that was refused."),
    value: z.string().optional().describe("Of an import: what was read of that field; absent for secrets."),
    issues: z
      .array(
        z.object({
          path: z.string().describe("The field."),
          message: z.string().describe("What is wrong with it."),
          code: z.string().optional().describe("The rule that it broke."),
          values: z
            .array(z.union([z.string(), z.number()]))
            .optional()
            .describe("What the rule says beside its name."),
        }),
      )
      .optional()
      .describe("Each field that was refused, the first five."),
  })
  .meta({ id: "JobProblem" });
export type JobProblem = z.output<typeof JobProblem>;

export const JobView = z
  .object({
    id: count,
    kind: z
      .string()
      .describe(
        "Which work it is: `users.bulk`, `users.import`, `users.generate`, `users.restore`, or `users.undo` for one that takes another back.",
      ),
    op: z.string().describe("What is done to each record."),
    state: z.enum(JOB_STATES),
    total: count.describe("Records that it is about, as counted when it began."),
    done: count.describe("Records that it is done with."),
    matched: count.describe("Those of them that were there and matched."),
    affected: count.describe("Records that it changed."),
    blocked: count.describe("Records that limits kept as they are: their own, or their owner's."),
    failed: count.describe("Records that were refused for another reason, or are not there."),
    problems: z.array(JobProblem).describe("The first hundred that were blocked or failed."),
    createdAt: unixTime,
    startedAt: unixTime.describe("Unix seconds at which its first step began; 0: it waits."),
    finishedAt: unixTime.describe("Unix seconds at which it ended; 0: it has not."),
    adminId: count.describe("The account that started it."),
    actor: z.string().describe("That account's name, or its token's."),
    error: z.string().describe("Why it stopped before its end; empty while nothing is wrong."),
    undoUntil: unixTime.describe("Unix seconds until which it can be taken back; 0: it cannot."),
    undoneBy: count.describe("The job that takes it back; 0: none."),
    undoes: count.describe("The job that it takes back; 0: none."),
  })
  .meta({ id: "Job" });
export type JobAnswer = z.input<typeof JobView>;

export const JobStarted = z.object({ job: count.describe("The job's id.") }).meta({ id: "JobStarted" });

/** The list's own query parameters. */
export const JobFilters = z.object({ state: queryList(JOB_STATES).optional(), kind: z.string().max(64).optional() });
export type JobFilters = z.output<typeof JobFilters>;
