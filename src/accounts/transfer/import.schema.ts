// Imports on the wire.
import { z } from "zod";
import { count, queryBoolean, queryCount, rule, writtenTime } from "../../http/index.ts";
import { JobProblem } from "../../jobs/index.ts";
import { REASONS } from "../users/user-status.ts";
import { UserCreate } from "../users/users.schema.ts";

export const FileFormat = z.enum(["csv", "ndjson"]);
export type FileFormat = z.output<typeof FileFormat>;

export const OnConflict = z.enum(["skip", "update", "fail"]);
export type OnConflict = z.output<typeof OnConflict>;

export const ImportQuery = z.object({
  format: FileFormat.default("ndjson").describe("What the body is; `csv` has a head line."),
  onConflict: OnConflict.default("skip").describe("What happens to a line whose name an account has."),
  async: queryBoolean.optional(),
});

/** One line: a create, and what an export tells of an account that has been used. Other fields are ignored. */
export const ImportLine = UserCreate.extend({
  activatedAt: writtenTime.optional(),
  nextReset: writtenTime.optional(),
  disabledReason: z.string().optional(),
  /** Not taken over: it shows that the line is of an account that was deleted, whose link comes back with it. */
  subToken: z.string().optional().catch(undefined),
});

/** Switched off by the panel: a person had it on, and its limits say whether it stays off. */
export function isOffByPanel(reason: string | undefined): boolean {
  return reason !== undefined && reason !== "manual" && REASONS.some((each) => each === reason);
}

export const ImportResult = z
  .object({
    created: count.describe("Users that were made."),
    updated: count.describe("Users that were there and were changed."),
    skipped: count.describe("Lines whose user was there and stayed as it was."),
    failed: count.describe("Lines that were refused."),
    problems: z
      .array(
        JobProblem.omit({ id: true, name: true })
          .extend({ line: count.describe("The line of the file, from 1.") })
          .meta({ id: "UserImportProblem" }),
      )
      .describe("The first hundred that were refused."),
    job: count.describe("The job that did it."),
    error: z.string().optional().describe("Why it stopped before its end; absent where it did not."),
  })
  .meta({ id: "UserImportResult" });
/** What an import did not do. */
export const LeftLine = z
  .object({
    line: count.describe("The line of the file, from 1."),
    outcome: z.enum(["skipped", "refused"]).describe("`skipped`: its user is there and stays as it is."),
    name: z.string().describe("The name in it; empty where it could not be read."),
    field: z.string().describe("The first field that was refused; empty: none."),
    code: z.string().describe("Why, for programs."),
    error: z.string().describe("Why, as a sentence."),
    issues: JobProblem.shape.issues,
  })
  .meta({ id: "UserImportLine" });
export type LeftLine = z.output<typeof LeftLine>;

export const LeftLines = z
  .object({
    total: count.describe("Lines that were skipped or refused."),
    lines: z.array(LeftLine).describe("The first of them, in the order of the file."),
  })
  .meta({ id: "UserImportLines" });

export const LEFT_LINES = { usual: 100, most: 1000 };
export const LeftQuery = z.object({
  format: z.enum(["json", "csv", "ndjson"]).default("json").describe("`csv` and `ndjson` are files of all lines."),
  outcome: z.enum(["skipped", "refused"]).optional().describe("Lines of this outcome alone."),
  limit: queryCount
    .refine((limit) => limit >= 1 && limit <= LEFT_LINES.most, rule("between", 1, LEFT_LINES.most))
    .optional()
    .describe("How many lines `json` has at most."),
});
export type LeftQuery = z.output<typeof LeftQuery>;

export type ImportAnswer = z.input<typeof ImportResult>;
