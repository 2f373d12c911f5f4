// Imports on the wire.
import { z } from "zod";
import { count, queryBoolean, queryBounded, writtenTime } from "../../http/index.ts";
import { JobProblem } from "../../jobs/index.ts";
import { REASONS } from "../records/user-status.ts";
import { UserCreate } from "../users/users.schema.ts";

export const FileFormat = z.enum(["csv", "ndjson"]);
export type FileFormat = z.output<typeof FileFormat>;

export const OnConflict = z.enum(["skip", "update", "fail"]);
export type OnConflict = z.output<typeof OnConflict>;

export const EmptyCells = z.enum(["refuse", "unlimited"]);
export type EmptyCells = z.output<typeof EmptyCells>;

export const ImportQuery = z.object({
  format: FileFormat.optional().describe(
    "What the body is; `csv` has a head line. Absent: `csv` where the content type is `text/csv`, else `ndjson`.",
  ),
  empty: EmptyCells.default("refuse").describe(
    "Of CSV: what an empty cell in `volume`, `expiry`, `deviceLimit` and `ipLimit` is. `refuse`: a problem, unless the column's head says `unlimited` (`volume=unlimited`), or a plan or `duration` of the row says the limit. `unlimited`: the row says nothing of it, and a new user is unlimited.",
  ),
  dryRun: queryBoolean.optional().describe("Counts what it would do, lists every problem, and changes nothing."),
  onConflict: OnConflict.default("skip").describe("What happens to a line whose name an account has."),
  async: queryBoolean.optional(),
});

/** One line: a create, and what an export tells of an account that has been used. Other fields are ignored. */
export const ImportLine = UserCreate.extend({
  activatedAt: writtenTime.optional(),
  nextReset: writtenTime.optional(),
  /** Seconds. */
  term: count.optional(),
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
        JobProblem.omit({ id: true, name: true, line: true })
          .extend({ line: count.describe("The line of the file, from 1.") })
          .meta({ id: "UserImportProblem" }),
      )
      .describe("The first hundred that were refused."),
    unknownColumns: z.array(z.string()).describe("Columns of the table that are no field, and were not read."),
    job: count.describe("The job that did it."),
    error: z.string().optional().describe("Why it stopped before its end; absent where it did not."),
  })
  .meta({ id: "UserImportResult" });

/** What an import would do. */
export const ImportTrial = z
  .object({
    lines: count.describe("Lines with text, without a table's head."),
    create: count.describe("Users that would be made."),
    update: count.describe("Users that are there and would be changed."),
    skip: count.describe("Lines whose user is there and would stay as it is."),
    fail: count.describe("Lines that would be refused."),
    problems: z
      .array(
        z
          .object({
            line: count.describe("The line of the file, from 1."),
            name: z.string().describe("The name in it; empty where it could not be read."),
            field: z.string().describe("The field that would be refused; empty: none."),
            value: z.string().describe("What was read there; empty for secrets."),
            code: z.string().describe("Why, for programs."),
            error: z.string().describe("Why, as a sentence."),
            values: z
              .array(z.union([z.string(), z.number()]))
              .optional()
              .describe("What the rule says beside its name."),
          })
          .meta({ id: "UserImportTrialProblem" }),
      )
      .describe("One for each field of each line that would be refused, the first 20,000."),
    unknownColumns: z.array(z.string()).describe("Columns or fields that are none of a user, and would not be read."),
    assumed: z
      .array(
        z
          .object({
            field: z.string().describe("The field of which it is so."),
            code: z
              .enum(["empty_unlimited", "absent_unlimited", "date", "persian_date", "size_1024"])
              .describe(
                "`empty_unlimited`: an empty cell is unlimited; `absent_unlimited`: new users are unlimited, as no column says otherwise; `date`, `persian_date`: a day in the zone that `value` names; `size_1024`: a unit such as GB in powers of 1024.",
              ),
            value: z.string().describe("The zone of a date; else empty."),
            lines: count.describe("Lines of which it is so."),
          })
          .meta({ id: "UserImportAssumption" }),
      )
      .describe("What the file does not say by itself."),
  })
  .meta({ id: "UserImportTrial" });
export type ImportTrial = z.input<typeof ImportTrial>;

/** What an import did not do. */
export const LeftLine = z
  .object({
    line: count.describe("The line of the file, from 1."),
    outcome: z.enum(["skipped", "refused"]).describe("`skipped`: its user is there and stays as it is."),
    name: z.string().describe("The name in it; empty where it could not be read."),
    field: z.string().describe("The first field that was refused; empty: none."),
    code: z.string().describe("Why, for programs."),
    value: z.string().describe("What was read there; empty: nothing, or a secret."),
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
  limit: queryBounded(1, LEFT_LINES.most).optional().describe("How many lines `json` has at most."),
});
export type LeftQuery = z.output<typeof LeftQuery>;

export type ImportAnswer = z.input<typeof ImportResult>;
