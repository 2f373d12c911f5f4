// Imports on the wire.
import { z } from "zod";
import { count, queryBoolean, unixTime } from "../../http/index.ts";
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
  activatedAt: unixTime.optional(),
  nextReset: unixTime.optional(),
  disabledReason: z.string().optional(),
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
export type ImportAnswer = z.input<typeof ImportResult>;
