// Rules where they are broken: a code with its values, made where the rule is checked, and carried through a schema's
// issue to the answer.
import { z } from "zod";
import { RULES, type RuleCode, type RuleValues } from "./rule.schema.ts";

/** As an answer contains it, next to the sentence. */
export interface BrokenRule {
  readonly code: RuleCode;
  readonly values?: readonly (string | number)[];
}

/** What a check says when it is broken: for `refine`, for `addIssue({ code: "custom", ...rule(…) })`, for `invalid`. */
export interface Rule {
  readonly message: string;
  readonly params: { readonly rule: BrokenRule };
}

export function rule<C extends RuleCode>(code: C, ...values: RuleValues<C>): Rule {
  // `RuleValues` is made of these very parameters, which the compiler does not see through the index.
  const sentence = RULES[code] as string | ((...values: readonly (string | number)[]) => string);
  return ruleSaying(typeof sentence === "string" ? sentence : sentence(...values), code, ...values);
}

/** A rule in a sentence that says more than the one of its code. */
export function ruleSaying<C extends RuleCode>(message: string, code: C, ...values: RuleValues<C>): Rule {
  const given: readonly (string | number)[] = values;
  return { message, params: { rule: given.length === 0 ? { code } : { code, values: given } } };
}

/** The same rule where nothing may stand instead. */
export function orEmpty({ message, params }: Rule): Rule {
  return { message: `${message}, or empty`, params };
}

/**
 * For `check`: text that a pattern must match. Unlike `regex` it carries a rule; the pattern is still in the API's
 * description.
 */
export function matching(pattern: RegExp, broken: Rule | ((text: string) => Rule)): z.core.$ZodCheck<string> {
  const check = z.check<string>((payload) => {
    if (pattern.test(payload.value)) return;
    const said = typeof broken === "function" ? broken(payload.value) : broken;
    payload.issues.push({
      code: "custom",
      input: payload.value,
      continue: true,
      message: said.message,
      params: { ...said.params },
    });
  });
  // zod describes what a schema's checks left in its bag.
  // oxlint-disable-next-line no-underscore-dangle
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag["patterns"] = new Set([...((bag["patterns"] as Set<RegExp> | undefined) ?? []), pattern]);
  });
  return check;
}

/** What is measured of a value: the length of a text, how many of a list, else its size. */
function measured(origin: string, text: RuleCode, items: RuleCode, size: RuleCode): RuleCode {
  return origin === "string" ? text : origin === "array" ? items : size;
}

const FORMATS: Readonly<Record<string, RuleCode>> = { guid: "uuid", uuid: "uuid", email: "email", url: "http_url" };

/**
 * The rule that an issue of a schema names. `given`: what was checked, which tells an absent value from one of another
 * type.
 */
export function ruleOfIssue(issue: z.core.$ZodIssue, given: unknown): BrokenRule {
  switch (issue.code) {
    case "invalid_type":
      return { code: valueAt(given, issue.path) === undefined ? "required" : "type", values: [issue.expected] };
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return { code: "empty" };
      return { code: measured(issue.origin, "too_short", "too_few", "too_small"), values: [Number(issue.minimum)] };
    case "too_big":
      return { code: measured(issue.origin, "too_long", "too_many", "too_large"), values: [Number(issue.maximum)] };
    case "invalid_value":
      return { code: "choice", values: issue.values.map(String) };
    case "unrecognized_keys":
      return { code: "unknown", values: issue.keys };
    case "invalid_format":
      return { code: FORMATS[issue.format] ?? "unfit" };
    case "invalid_union":
      return ruleOfUnion(issue, given);
    case "custom":
      // Only `rule` and its kin put one there.
      return (issue.params?.["rule"] as BrokenRule | undefined) ?? { code: "unfit" };
    default:
      return { code: "unfit" };
  }
}

/** The broken rule of one alternative: the one that accepts the value's type and then refuses its content. */
function ruleOfUnion(issue: z.core.$ZodIssueInvalidUnion, given: unknown): BrokenRule {
  const value = valueAt(given, issue.path);
  const taken = issue.errors.find(
    ([first]) => first !== undefined && (first.code !== "invalid_type" || first.path.length > 0),
  );
  const [first] = taken ?? issue.errors[0] ?? [];
  return first === undefined ? { code: "unfit" } : ruleOfIssue(first, value);
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const key of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}
