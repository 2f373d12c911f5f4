// Which row of the table answers a client: asked a moment after typing, the last answer stays meanwhile.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { z } from "zod";
import type { RuleTrial, RuleTrialAnswer } from "../../../subscriptions/delivery/preview.schema.ts";
import { call, type ApiError } from "../../api/call.ts";

type Trial = z.input<typeof RuleTrial>;
export type RuleAnswer = z.output<typeof RuleTrialAnswer>;
export type Rule = RuleAnswer["rules"][number];

const PAUSE_MS = 300;

export function useRuleTrial(trial: Trial): UseQueryResult<RuleAnswer, ApiError> {
  const [body] = useDebouncedValue(JSON.stringify(trial), PAUSE_MS);
  return useQuery<RuleAnswer, ApiError>({
    queryKey: ["/sub/rules/test", body],
    queryFn: ({ signal }) => call<RuleAnswer>("POST", "/sub/rules/test", { body: JSON.parse(body) as Trial, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** What is wrong with the row at a place, by its fields; empty: nothing. */
export function problemsAt(
  problems: Readonly<Record<string, string>>,
  place: number,
): Readonly<Record<string, string>> {
  const begins = `rules.${place}.`;
  return Object.fromEntries(
    Object.entries(problems)
      .filter(([path]) => path.startsWith(begins))
      .map(([path, text]) => [path.slice(begins.length), text]),
  );
}
