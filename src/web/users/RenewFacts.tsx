// What an account has before a renewal and after it: until when, how much, and when its counters are reset next.
import { Table } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import type { Plan } from "../plans/plan.ts";
import { useWords } from "../words/words.ts";
import { endOf, nextResetAfter, renewalOf, type Choice } from "./renewal.ts";
import type { User } from "./user.ts";

interface RenewFactsProps {
  readonly user: User;
  readonly choice: Choice;
  /** The plan, when the choice is a plan. */
  readonly plan: Plan | undefined;
  readonly now: number;
}

export function RenewFacts({ user, choice, plan, now }: RenewFactsProps) {
  const words = useWords("users");
  const format = useFormat();
  const renewal = renewalOf(user, choice, now);
  const byPlan = choice.by === "plan" ? plan : undefined;
  const waits = user.duration > 0 && user.activatedAt === 0;
  const end = endOf(user);
  const length = (seconds: number) => words.fromFirst(format.duration(seconds));
  const usedOf = (used: number, volume: number) =>
    volume > 0 ? words.renewUsed(format.bytes(used), format.bytes(volume)) : words.renewUnlimited(format.bytes(used));
  const dateOr = (at: number | undefined, none: string) => (at === undefined || at === 0 ? none : format.date(at));
  const resetOf = (at: number | undefined) => (at === undefined ? words.renewByCalendar : dateOr(at, words.noReset));
  const endAfter =
    renewal.kind === "until"
      ? format.date(renewal.at)
      : renewal.kind === "term"
        ? length(renewal.seconds)
        : words.neverEnds;
  const resetsNow = user.autoReset ? user.nextReset : 0;
  const resetsThen = nextResetAfter(byPlan ?? user, byPlan ? undefined : user.nextReset, now);
  const rows = [
    [words.columns.expiry, waits ? length(user.duration) : dateOr(end, words.neverEnds), endAfter],
    [words.fields.volume, usedOf(user.up + user.down, user.volume), usedOf(0, byPlan?.volume ?? user.volume)],
    ...(resetsNow === 0 && resetsThen === 0
      ? []
      : [[words.nextReset, resetOf(resetsNow), resetOf(resetsThen)] as const]),
  ] as const;
  return (
    <Table aria-label={words.renewFacts}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          <Table.Th scope="col">{words.renewBefore}</Table.Th>
          <Table.Th scope="col">{words.renewAfter}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([label, before, after]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td>{before}</Table.Td>
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
