// Which rule a refused value broke, for programs and for pages that speak the reader's language.
import type { z } from "zod";
import { RULES, type RuleCode } from "./rule.schema.ts";

export interface BrokenRule {
  readonly code: RuleCode;
  readonly values?: readonly (string | number)[];
}

const BY_SENTENCE: ReadonlyMap<string, RuleCode> = new Map(Object.entries(RULES).map(([code, sentence]) => [sentence, code as RuleCode]));

const MEASURED: readonly (readonly [RegExp, RuleCode])[] = [
  [/^must be (?:a whole number from )?(\d+)(?: \(Sunday\))? to (\d+)(?: for a \w+ (?:period|reset))?$/, "between"],
  [/^must have (\d+) to (\d+) characters$/, "length"],
  [/^must have at most (\d+) characters$/, "too_long"],
];

/** The rule behind a sentence; undefined for one that is told in words alone. */
export function ruleOfSentence(sentence: string): BrokenRule | undefined {
  const bare = sentence.replace(/, or empty$/, "");
  const code = BY_SENTENCE.get(bare);
  if (code !== undefined) return { code };
  for (const [pattern, rule] of MEASURED) {
    const found = pattern.exec(bare);
    if (found) return { code: rule, values: found.slice(1).map(Number) };
  }
  return undefined;
}

/** What is measured of a value: the length of a text, how many of a list, else its size. */
function measured(origin: string, text: RuleCode, list: RuleCode, size: RuleCode): RuleCode {
  return origin === "string" ? text : origin === "array" ? list : size;
}

/** The rule that an issue of a schema names; its own sentence comes first, since a pattern says little. */
export function ruleOfIssue(issue: z.core.$ZodIssue): BrokenRule | undefined {
  switch (issue.code) {
    case "invalid_type":
      return { code: issue.message.endsWith("received undefined") ? "required" : "type", values: [issue.expected] };
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return { code: "empty" };
      return { code: measured(issue.origin, "too_short", "too_few", "too_small"), values: [Number(issue.minimum)] };
    case "too_big":
      return { code: measured(issue.origin, "too_long", "too_many", "too_large"), values: [Number(issue.maximum)] };
    case "invalid_value":
      return { code: "choice", values: issue.values.map(String) };
    case "unrecognized_keys":
      return { code: "unknown", values: issue.keys };
    default:
      return ruleOfSentence(issue.message);
  }
}
