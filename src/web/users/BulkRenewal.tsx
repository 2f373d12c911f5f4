// What renewing a selection leads to, said before it is done: by what, the new ends, and who gets something else.
import { Stack } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { useWords } from "../words/words.ts";
import { renewalsOf } from "./renewal.ts";
import { RenewWays } from "./RenewWays.tsx";
import type { SelectedUsers } from "./selected.ts";
import type { RenewalChoice } from "./use-renewal-choice.ts";

interface BulkRenewalProps {
  readonly users: SelectedUsers;
  readonly renewal: RenewalChoice;
  readonly now: number;
}

export function BulkRenewal({ users, renewal, now }: BulkRenewalProps) {
  const words = useWords("users");
  const format = useFormat();
  const spanOf = useSpan();
  const { choice } = renewal;
  // The page does not know the users when all that match are meant.
  const renewals = users.ids.ids && choice ? renewalsOf(users.rows, choice, now) : undefined;
  const plan = choice?.by === "plan" ? renewal.plan : undefined;
  return (
    <Stack gap="sm">
      <RenewWays choice={renewal} ownLabel={words.bulkOwnTerm} />
      {renewals ? (
        <div>
          {renewals.ends.length > 0 ? <div>{words.bulkEnds(renewals.ends.length, spanOf(renewals.ends))}</div> : null}
          {renewals.ended > 0 ? <div>{words.bulkEnded(renewals.ended)}</div> : null}
          {renewals.terms > 0 ? <div>{words.bulkTerms(renewals.terms)}</div> : null}
          {renewals.counters > 0 ? <div>{words.bulkCounters(renewals.counters)}</div> : null}
          {renewals.endless > 0 ? <div>{words.bulkEndless(renewals.endless)}</div> : null}
          {renewals.termless > 0 ? <div>{words.bulkTermless(renewals.termless)}</div> : null}
        </div>
      ) : null}
      {plan ? <div>{words.renewTakesPlan(plan.volume > 0 ? format.bytes(plan.volume) : words.noLimit)}</div> : null}
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
