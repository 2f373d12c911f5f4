// From what is wrong with a fragment to the 400 that names the field of the body.
import type { Collection } from "../dialect/index.ts";
import { MOST_ISSUES, Refusal, refusedField } from "../http/index.ts";
import { type Issue, privateTargetIssues } from "./dialect/issue.ts";

/** Fields of the record itself that a check of its fragment may name. */
const RECORD_FIELDS = ["type", "tag"];

/** Whether configuration may name loopback and private addresses as targets. */
export type PrivateTargets = "block" | "allow";

/** A path inside a fragment as the API names it: below the body's field `under`, empty for that field itself. */
export function fieldOf(under: string, path: string): string {
  if (path === "") return under;
  return RECORD_FIELDS.includes(path) && under === "config" ? path : `${under}.${path}`;
}

/**
 * Throws a 400 for the first of `issues`, the first twenty of them listed; their paths are relative to the body's field
 * `under`. Returns when there are none. Forbidden keys come first and are the answer's `code`.
 */
export function refuseIssues(under: string, issues: readonly Issue[]): void {
  const isForbidden = ({ params }: Issue): boolean => params.rule.code === "forbidden_key";
  const ordered = [...issues.filter(isForbidden), ...issues.filter((issue) => !isForbidden(issue))];
  const told = ordered.slice(0, MOST_ISSUES).map((issue) => refusedField(fieldOf(under, issue.path), issue));
  const [first] = told;
  if (!first) return;
  throw new Refusal("validation", {
    message: `${first.path}: ${first.message}`,
    field: first.path,
    issues: told,
    issueCount: issues.length,
  });
}

/** The same for a fragment whose own checks found `issues`, and for the targets that it names. */
export function refuseFragment(
  under: string,
  fragment: { readonly collection: Collection; readonly type: string; readonly value: unknown },
  issues: readonly Issue[],
  privateTargets: PrivateTargets,
): void {
  const { collection, type, value } = fragment;
  refuseIssues(
    under,
    privateTargets === "allow" ? issues : [...issues, ...privateTargetIssues(collection, type, value)],
  );
}
