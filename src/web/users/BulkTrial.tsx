// What a bulk operation would do, counted by the panel before it is asked for.
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { BulkResult } from "../../accounts/bulk/bulk.schema.ts";
import { call, type ApiError } from "../api/call.ts";
import { useProblemText } from "../jobs/use-problem-text.ts";
import { useWords } from "../words/words.ts";
import { countedOf } from "./counted.ts";
import { problemsOf } from "./selected.ts";
import type { BulkCall } from "./use-bulk-job.ts";

type Counted = z.output<typeof BulkResult>;

export function BulkTrial({ op, query = {}, body }: BulkCall) {
  const words = useWords("jobs");
  const said = useProblemText();
  const trial = useQuery<Counted, ApiError>({
    queryKey: ["bulk trial", op, query, body],
    queryFn: ({ signal }) =>
      call<Counted>("POST", `/users/bulk/${op}`, { query: { ...query, dryRun: true }, body, signal, dry: true }),
    staleTime: Infinity,
    gcTime: 0,
  });
  // The deed itself says what is wrong with it.
  if (trial.error) return null;
  if (!trial.data) return <Text size="sm">{words.trialAsking}</Text>;
  const { affected, blocked, failed, problems } = trial.data;
  const { refused, keptOff } = problemsOf(problems);
  return (
    <div role="status">
      <div>{affected === 0 ? words.trialNone : words.trial(affected)}</div>
      {blocked + failed === 0 ? null : (
        <div>
          {words.trialRefused(blocked + failed)}{" "}
          {countedOf(refused.map(said))
            .map(({ text }) => text)
            .join(" ")}
        </div>
      )}
      {keptOff.slice(0, 1).map((each) => (
        <div key={each.id}>{said(each)}</div>
      ))}
    </div>
  );
}
