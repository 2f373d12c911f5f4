// Until when a renewal goes: by the account's own term, or to a date that is chosen; the same for one account and for a
// selection.
import { Radio, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { DateInput } from "../parts/form/DateInput.tsx";
import { useWords } from "../words/words.ts";

export interface ChosenEnd {
  /** By the own term; else to `at`. */
  readonly own: boolean;
  /** 0: none is chosen yet. */
  readonly at: number;
  readonly problem: string | undefined;
  readonly past: boolean;
  /** A date must be chosen, or another one. */
  readonly missing: boolean;
  readonly setOwn: (own: boolean) => void;
  readonly setAt: (at: number) => void;
  readonly setProblem: (problem: string | undefined) => void;
}

/** `own`: whether there is a term to go by. `at`: the date that is proposed. */
export function useChosenEnd(now: number, begin: { readonly own: boolean; readonly at: number }): ChosenEnd {
  const [own, setOwn] = useState(begin.own);
  const [at, setAt] = useState(begin.at);
  const [problem, setProblem] = useState<string>();
  const past = !own && at !== 0 && at <= now;
  return {
    own,
    at,
    problem,
    past,
    missing: !own && (at === 0 || past || problem !== undefined),
    setOwn,
    setAt,
    setProblem,
  };
}

/** `ownLabel`: what the own term leads to; undefined where there is none. */
export function RenewEnd({ end, ownLabel }: { readonly end: ChosenEnd; readonly ownLabel: string | undefined }) {
  const words = useWords("users");
  const id = useId();
  return (
    <>
      <Radio.Group
        label={words.renewUntil}
        value={end.own ? "own" : "chosen"}
        onChange={(value) => end.setOwn(value === "own")}
      >
        <Stack gap={6} mt={6}>
          {ownLabel === undefined ? null : <Radio value="own" label={ownLabel} />}
          <Radio value="chosen" label={words.renewChosen} />
        </Stack>
      </Radio.Group>
      {end.own ? null : (
        <DateInput
          id={id}
          label={words.renewDate}
          value={end.at}
          onChange={end.setAt}
          onProblem={end.setProblem}
          error={end.problem ?? (end.past ? words.renewPast : undefined)}
        />
      )}
    </>
  );
}
