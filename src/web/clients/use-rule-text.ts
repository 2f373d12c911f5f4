// A row of the table of formats as a sentence.
import type { z } from "zod";
import type { ChosenRule } from "../../subscriptions/delivery/preview.schema.ts";
import { useWords } from "../words/words.ts";

export type Rule = Omit<NonNullable<z.output<typeof ChosenRule>>, "position" | "unsent">;

const HEADERS = { "user-agent": "User-Agent", accept: "Accept" } as const;

/** “User-Agent starts with Clash”. The value is the operator's own; Persian isolates it. */
export function useRuleText(): (rule: Rule) => string {
  const words = useWords("clients");
  return ({ header, operator, value, minVersion, not }) => {
    const told = (not ? words.operatorsNot : words.operators)[operator](HEADERS[header], value);
    return minVersion === undefined || operator !== "startsWith" ? told : words.fromVersion(told, minVersion);
  };
}
