// What renewing a selection leads to, said before it is done: the new ends, and who gets something else than a date.
import { Stack } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { useWords } from "../words/words.ts";
import type { Renewals } from "./renewal.ts";
import { RenewEnd, type ChosenEnd } from "./RenewEnd.tsx";

interface BulkRenewalProps {
  /** Undefined: who they are is not known here. */
  readonly renewals: Renewals | undefined;
  readonly end: ChosenEnd;
}

export function BulkRenewal({ renewals, end }: BulkRenewalProps) {
  const words = useWords("users");
  const spanOf = useSpan();
  if (renewals === undefined) {
    return (
      <Stack gap="sm">
        <RenewEnd end={end} ownLabel={words.bulkOwnTerm} />
        <div>{words.renewText}</div>
      </Stack>
    );
  }
  const { ends, terms, counters, dateless } = renewals;
  return (
    <Stack gap="sm">
      {ends.length + dateless > 0 ? (
        <RenewEnd end={end} ownLabel={ends.length === 0 ? undefined : words.bulkOwn(ends.length, spanOf(ends))} />
      ) : null}
      {terms > 0 ? <div>{words.bulkTerms(terms)}</div> : null}
      {counters > 0 ? <div>{words.bulkCounters(counters)}</div> : null}
      {dateless > 0 && end.own ? <div>{words.bulkDateless(dateless)}</div> : null}
      <div>{words.renewText}</div>
    </Stack>
  );
}

/** One date, or the first and the last. */
export function useSpan(): (dates: readonly number[]) => string {
  const words = useWords("users");
  const format = useFormat();
  return (dates) => {
    const first = format.date(Math.min(...dates));
    const last = format.date(Math.max(...dates));
    return first === last ? words.untilOne(first) : words.untilSpan(first, last);
  };
}
