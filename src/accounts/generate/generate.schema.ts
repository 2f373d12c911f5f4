// Generated accounts on the wire.
import { z } from "zod";
import { FLOWS } from "../../dialect/index.ts";
import { count, line, queryBoolean, rule } from "../../http/index.ts";
import { JobProblem } from "../../jobs/index.ts";
import { readPattern, varies } from "../../lib/name-pattern.ts";
import { UserCreate } from "../users/users.schema.ts";

export const MOST_GENERATED = 1000;

/** Fields that only one account may have are drawn for each. */
export const GenerateBody = UserCreate.omit({ name: true, subId: true, externalId: true, config: true })
  .extend({
    config: z
      .object({ flow: z.enum(FLOWS).optional() })
      .optional()
      .describe("`flow` alone: credentials are made at random."),
    pattern: line(128)
      .min(1)
      .refine((pattern) => readPattern(pattern) !== undefined, rule("name_pattern"))
      .describe("`{n}` is a number, `{n:4}` one of four digits, `{rand:6}` six random letters and digits."),
    count: count.min(1).max(MOST_GENERATED).describe("How many."),
    start: count.optional().describe("The first number; absent = 1."),
  })
  .refine(({ pattern, count: many }) => many === 1 || varies(readPattern(pattern) ?? []), {
    path: ["pattern"],
    ...rule("name_pattern"),
  })
  .meta({ id: "UserGenerateBody" });
export type GenerateBody = z.output<typeof GenerateBody>;

export const GenerateQuery = z.object({ async: queryBoolean.optional() });

export const GeneratedUser = z
  .object({ id: count, name: z.string(), subUrl: z.string().describe("The address of the subscription.") })
  .meta({ id: "GeneratedUser" });

export const GenerateResult = z
  .object({
    created: count.describe("Users that were made."),
    skipped: count.describe("Names that were taken."),
    failed: count.describe("Users that were refused for another reason."),
    users: z.array(GeneratedUser).describe("Those that were made, in the order of their ids."),
    problems: z
      .array(JobProblem)
      .describe("The first hundred that were refused; `id` is the place in the row, from 1."),
    job: count.describe("The job that did it."),
    error: z.string().optional().describe("Why it stopped before its end; absent where it did not."),
  })
  .meta({ id: "UserGenerateResult" });
export type GenerateAnswer = z.input<typeof GenerateResult>;
