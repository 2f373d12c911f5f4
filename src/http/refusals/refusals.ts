// From whatever was thrown to the answer that the caller gets. Nothing private leaves: no stack, no SQL, no cause.
import type { z } from "zod";
import { ElsewhereOnly, StoreUnavailable, UniqueConflict } from "../../db/index.ts";
import { MOST_ISSUES, shortPath } from "./bounds.ts";
import { Refusal } from "./errors.ts";
import { ruleOfIssue } from "./rules.ts";

function pathOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return path === "" ? "body" : path;
  const [key = ""] = issue.keys;
  return path === "" ? key : `${path}.${key}`;
}

/** What a schema refused: as zod says it, or the first of its issues and how many there are. */
export interface FoundIssues {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly count?: number;
}

/** A 400 that names the first offending field. `given`: what was checked. */
export function validationRefusal({ issues, count = issues.length }: FoundIssues, given: unknown): Refusal {
  const told = issues.slice(0, MOST_ISSUES).map((issue) => ({
    path: pathOf(issue),
    message: issue.message,
    ...ruleOfIssue(issue, given),
  }));
  const [first] = told;
  const message = first === undefined ? undefined : `${shortPath(first.path)}: ${first.message}`;
  return new Refusal("validation", {
    ...(message === undefined ? {} : { message }),
    ...(first === undefined ? {} : { field: first.path }),
    issues: told,
    issueCount: count,
  });
}

/** A unique violation as a 400 `duplicate`; `fields` maps properties to wire fields. */
function duplicateRefusal(error: UniqueConflict, fields: Readonly<Record<string, string>>): Refusal {
  const property = error.columns[0] ?? "";
  const field = fields[property] ?? property;
  return new Refusal("duplicate", { message: `${field}: the value is taken`, field, cause: error });
}

const PARSER_ERRORS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal("media_type"),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal("too_large"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal("bad_request", { message: "Content-Length does not fit the body" }),
  FST_ERR_BAD_URL: () => new Refusal("bad_request", { message: "the URL is malformed" }),
  FST_ERR_ASYNC_CONSTRAINT: () => new Refusal("not_found"),
  FST_ERR_MAX_PARAM_LENGTH: () => new Refusal("not_found"),
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Whether the framework blames the request. Its errors that have no line of their own above are the caller's all the
 * same.
 */
function isCallersFault(error: unknown): boolean {
  if (!codeOf(error).startsWith("FST_ERR_")) return false;
  return (
    error instanceof Error && "statusCode" in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500
  );
}

/** The refusal that answers `error`, and whether the error was unexpected (a defect to log). */
export function refusalOf(
  error: unknown,
  fields: Readonly<Record<string, string>> = {},
): { readonly refusal: Refusal; readonly defect: boolean } {
  if (error instanceof Refusal) return { refusal: error, defect: false };
  if (error instanceof UniqueConflict) return { refusal: duplicateRefusal(error, fields), defect: false };
  if (error instanceof StoreUnavailable)
    return { refusal: new Refusal("unavailable", { retryAfter: 1, cause: error }), defect: false };
  // Behind a balancer the next try may reach one that can.
  if (error instanceof ElsewhereOnly)
    return {
      refusal: new Refusal("unavailable", { message: error.message, retryAfter: 1, cause: error }),
      defect: false,
    };
  const parser = PARSER_ERRORS[codeOf(error)];
  if (parser) return { refusal: parser(), defect: false };
  if (isCallersFault(error)) return { refusal: new Refusal("bad_request", { cause: error }), defect: false };
  return { refusal: new Refusal("internal", { cause: error }), defect: true };
}
