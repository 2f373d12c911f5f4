// What is wrong with a fragment, in the form that the API answers: a path inside `config` and one sentence.
import { z } from "zod";
import { rule, ruleOfIssue, ruleSaying, type Rule } from "../../http/index.ts";
import { lengthIssues } from "./lengths.ts";
import { type Collection, forbiddenPaths, privateTargetPaths } from "../../dialect/index.ts";

/** `path` is relative to the fragment, joined by dots (`tls.reality.short_id.0`); empty for the fragment as a whole. */
export interface Issue extends Rule {
  readonly path: string;
}

/** Where a fragment has to be, and something else is. */
export const notAnObject = ruleSaying("must be an object", "type", "object");

/** An object of the stored dialect whose keys nobody has checked yet. */
export type Fragment = Readonly<Record<string, unknown>>;

export function isFragment(value: unknown): value is Fragment {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One issue for every fault that zod found in `given`; an unknown key is named by its own path. */
export function issuesOf(error: z.ZodError, given: unknown, under = ""): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = [under, ...issue.path.map(String)].filter((part) => part !== "");
    if (issue.code !== "unrecognized_keys")
      return [{ path: path.join("."), message: issue.message, params: { rule: ruleOfIssue(issue, given) } }];
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      ...rule("forbidden_key"),
    }));
  });
}

/** Keys that are refused everywhere, each with the rule that says what to do instead. */
export type RefusedKeys = Readonly<Record<string, Rule>>;

/** Splits a fragment into the issues of its refused keys and the rest of it. */
export function withoutRefused(
  fragment: Fragment,
  refused: RefusedKeys,
  under = "",
): { issues: Issue[]; rest: Fragment } {
  const issues: Issue[] = [];
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fragment)) {
    const broken = Object.hasOwn(refused, key) ? refused[key] : undefined;
    if (broken === undefined) rest[key] = value;
    else issues.push({ path: under === "" ? key : `${under}.${key}`, ...broken });
  }
  return { issues, rest };
}

/** Collections of which clients are told: their texts are in every link. */
const LINKED: ReadonlySet<Collection> = new Set(["inbounds", "clientConfig", "clientTls"]);

/** Adds texts that are too long, where nothing else is said of them. */
function withLengths(fragment: unknown, issues: readonly Issue[]): readonly Issue[] {
  const told = new Set(issues.map(({ path }) => path));
  return [...issues, ...lengthIssues(fragment).filter(({ path }) => !told.has(path))];
}

/**
 * Adds, in front, what is not on the list of a collection and type. Where `issues` have a sentence for it, that is the
 * better one.
 */
export function withForbidden(
  collection: Collection,
  type: string,
  fragment: unknown,
  found: readonly Issue[],
): Issue[] {
  const issues = LINKED.has(collection) ? withLengths(fragment, found) : found;
  const paths = forbiddenPaths(collection, type, fragment);
  if (paths.length === 0) return [...issues];
  const told = new Map(issues.map(({ path, message }) => [path, message]));
  const { message, params } = rule("forbidden_key");
  const forbidden = paths.map((path) => ({ path, message: told.get(path) ?? message, params }));
  const known = new Set(paths);
  return [...forbidden, ...issues.filter(({ path }) => !known.has(path))];
}

/** Hosts of a fragment that are written as loopback or private. */
export function privateTargetIssues(collection: Collection, type: string, fragment: unknown): Issue[] {
  return privateTargetPaths(collection, type, fragment).map((path) => ({ path, ...rule("private_target") }));
}
