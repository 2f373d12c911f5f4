// Why long work refused a record, or left it as it was, as far as code and rules say it. Pure.
import type { z } from "zod";
import { ApiError } from "../../client/api-error.ts";
import type { JobProblem } from "../../jobs/jobs.schema.ts";
import { refusalText } from "../parts/refusal.ts";
import type { Words } from "../words/language.ts";

export type Said = Omit<z.output<typeof JobProblem>, "id" | "name">;

/** Codes that long work alone has; every other one is a refusal's. */
const OWN = {
  stays_off: "staysOff",
  kept_off: "keptOff",
  not_found: "gone",
  changed_meanwhile: "changedMeanwhile",
  exists: "exists",
  unchanged: "unchanged",
} as const satisfies Readonly<Record<string, keyof Words["jobs"]>>;

export function problemText({ code, error, field, issues }: Said, words: Words["jobs"], parts: Words["parts"]): string {
  const own = Object.entries(OWN).find(([name]) => name === code)?.[1];
  if (own !== undefined) return words[own];
  const body = {
    error,
    code,
    ...(field === undefined ? {} : { field }),
    ...(issues ? { issues: issues.map(plain) } : {}),
  };
  return refusalText(new ApiError(400, body), parts).cause;
}

interface TrialProblem {
  readonly field: string;
  readonly code: string;
  readonly error: string;
  readonly values?: readonly (string | number)[] | undefined;
}

/** Why an import would refuse a line: `code` is a rule's or a refusal's. The field is told elsewhere. */
export function trialText(
  { field, code, error, values }: TrialProblem,
  words: Words["jobs"],
  parts: Words["parts"],
): string {
  const issue = { path: field, message: error, code, ...(values === undefined ? {} : { values: [...values] }) };
  const byRule = Object.hasOwn(parts.refusals.rules, code) ? { code: "validation", issues: [issue] } : { code };
  const text = problemText({ error, ...byRule, ...(field === "" ? {} : { field }) }, words, parts);
  return text.startsWith(`${field}: `) ? text.slice(field.length + 2) : text;
}

/** Without what is not said. */
function plain({ path, message, code, values }: NonNullable<Said["issues"]>[number]) {
  return { path, message, ...(code === undefined ? {} : { code }), ...(values === undefined ? {} : { values }) };
}
