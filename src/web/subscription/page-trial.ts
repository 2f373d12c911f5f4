// The page as it would look with what is typed: asked a moment after typing, the last answer stays meanwhile.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { z } from "zod";
import type { SubPageTrial, SubPageTrialAnswer } from "../../subscriptions/delivery/page-trial.schema.ts";
import { call, type ApiError } from "../api/call.ts";

export type Trial = z.input<typeof SubPageTrial>;
export type TrialAnswer = z.output<typeof SubPageTrialAnswer>;
export type Theme = TrialAnswer["theme"];

const PAUSE_MS = 300;

export function usePageTrial(trial: Trial): UseQueryResult<TrialAnswer, ApiError> {
  const [body] = useDebouncedValue(JSON.stringify(trial), PAUSE_MS);
  return useQuery<TrialAnswer, ApiError>({
    queryKey: ["/sub/page/test", body],
    queryFn: ({ signal }) => call<TrialAnswer>("POST", "/sub/page/test", { body: JSON.parse(body) as Trial, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** What a setting of JSON holds; undefined for none, or for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
