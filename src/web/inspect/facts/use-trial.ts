// A dry run: the panel steps the chart with an event and writes nothing. Guards are code of the panel, so only it knows
// which way is taken.
import { useCallback, useState } from "react";
import { ApiError, call } from "../../api/call.ts";
import type { Preview } from "../wire.ts";

export interface Trial {
  readonly event: string;
  /** The step of the actor that was asked about: what comes later is another answer. */
  readonly rev: number;
  readonly answer: Preview | undefined;
  readonly error: ApiError | undefined;
}

export function useTrial(kind: string, id: string) {
  const [trial, setTrial] = useState<Trial>();
  const run = useCallback(
    async (event: string, rev: number) => {
      setTrial({ event, rev, answer: undefined, error: undefined });
      const settle = (outcome: Pick<Trial, "answer" | "error">) =>
        setTrial((now) => (now?.event === event ? { event, rev, ...outcome } : now));
      try {
        settle({
          answer: await call<Preview>("POST", `/actors/${kind}/${id}/events`, {
            query: { dryRun: true },
            body: { type: event },
            dry: true,
          }),
          error: undefined,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        settle({ answer: undefined, error });
      }
    },
    [kind, id],
  );
  const close = useCallback(() => setTrial(undefined), []);
  return { trial, run, close };
}
