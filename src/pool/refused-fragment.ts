// From what is wrong with a fragment to the 400 that names the field of the body.
import { Refusal } from "../http/index.ts";
import type { Issue } from "./dialect/issue.ts";

/** Fields of the record itself that a check of its fragment may name. */
const RECORD_FIELDS = ["type", "tag"];

/** Throws a 400 for the first of `issues`, all of them listed; their paths are relative to the body's field `under`. Returns when there are none. */
export function refuseIssues(under: string, issues: readonly Issue[]): void {
  const all = issues.map(({ path, message }) => {
    if (path === "") return { path: under, message };
    return { path: RECORD_FIELDS.includes(path) && under === "config" ? path : `${under}.${path}`, message };
  });
  const [first] = all;
  if (first) throw new Refusal("validation", { message: `${first.path}: ${first.message}`, field: first.path, issues: all });
}
