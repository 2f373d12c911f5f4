// The same for every selected account, as one job: first who would change and who would be refused, then how far it is.
// Who was refused stays selected.
import { Button, Modal, Stack, Table } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Job } from "../jobs/job.ts";
import { JobProgress } from "../jobs/JobState.tsx";
import { useProblemText } from "../jobs/use-problem-text.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Name } from "../parts/Names.tsx";
import { panelNow } from "../parts/now.ts";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { BulkRenewal, useSpan } from "./BulkRenewal.tsx";
import { BulkTrial } from "./BulkTrial.tsx";
import { useChosenEnd } from "./RenewEnd.tsx";
import { renewalOf, renewalsOf, takesDate } from "./renewal.ts";
import { useBulkJob } from "./use-bulk-job.ts";
import { refusedOf, type SelectedUsers } from "./selected.ts";
import type { User } from "./user.ts";

type Verb = "switchOn" | "switchOff" | "renew" | "resetUsage" | "remove";

const OPS: Readonly<Record<Verb, string>> = {
  switchOn: "enable",
  switchOff: "disable",
  renew: "renew",
  resetUsage: "reset-usage",
  remove: "delete",
};
const VERBS: readonly Verb[] = ["switchOn", "switchOff", "renew", "resetUsage"];
/** Of a reseller that sells plans only. */
const SELLING = VERBS.filter((verb) => verb !== "resetUsage");

interface BulkActionsProps {
  readonly users: SelectedUsers;
  readonly onDone: (left: readonly User[]) => void;
  /** The other buttons, before the one that deletes. */
  readonly children: ReactNode;
}

export default function BulkActions({ users, onDone, children }: BulkActionsProps) {
  const words = useWords("users");
  const { follow } = useWords("jobs");
  const parts = useWords("parts");
  const { plansOnly } = useMe();
  const [verb, setVerb] = useState<Verb>();
  const { job, start, tell } = useBulkJob();
  const [refused, setRefused] = useState<Job["problems"]>([]);
  const [now, setNow] = useState(panelNow);
  const end = useChosenEnd(now, { own: true, at: 0 });
  const spanOf = useSpan();
  const said = useProblemText();
  const consequence: Readonly<Record<Verb, ReactNode>> = {
    switchOn: words.bulkOn,
    switchOff: words.bulkOff,
    renew: <BulkRenewal renewals={users.ids.ids ? renewalsOf(users.rows, now) : undefined} end={end} />,
    resetUsage: words.bulkReset,
    remove: words.removeText,
  };
  const argumentsOf = (chosen: Verb) => ({
    ...users.ids,
    ...(chosen === "renew" && !end.own ? { expiry: end.at } : {}),
  });
  const run = async (chosen: Verb) => {
    const ended = await start({ op: OPS[chosen], query: users.query, body: argumentsOf(chosen) });
    const { problems, blocked, failed, total } = ended;
    const kept = new Set(problems.map((problem) => problem.id));
    const others = users.rows.filter((user) => !kept.has(user.id));
    const ends = chosen === "renew" ? endsOf(others, now, end.own ? undefined : end.at) : [];
    const counts = words.bulkDone(total - blocked - failed, total);
    const done = ends.length === 0 ? counts : words.bulkUntil(counts, spanOf(ends));
    setRefused(problems);
    tell(ended, total, done);
    onDone(refusedOf(users, ended));
  };
  const ask = (chosen: Verb) => {
    // The selection as it is when it is asked about: dates must not move under the pointer.
    const at = panelNow();
    setNow(at);
    const { ends, dateless } = renewalsOf(users.rows, at);
    end.setOwn(ends.length > 0 || dateless === 0);
    setVerb(chosen);
  };
  const names = new Map(users.rows.map(({ id, name }) => [id, name]));
  return (
    <>
      {(plansOnly ? SELLING : VERBS).map((each) => (
        <Button key={each} size="xs" variant="default" onClick={() => ask(each)}>
          {words[each]}
        </Button>
      ))}
      {children}
      <Button size="xs" variant="light" color="red" onClick={() => ask("remove")}>
        {words.remove}
      </Button>
      {verb ? (
        <ConfirmDialog
          opened
          danger={verb === "remove"}
          title={words.bulkTitle(words[verb], users.total)}
          consequence={
            <Stack gap="xs">
              <div>{consequence[verb]}</div>
              {job ? (
                <>
                  <JobProgress job={job} />
                  <div>{follow}</div>
                </>
              ) : verb === "renew" && end.missing ? null : (
                <BulkTrial op={OPS[verb]} query={users.query} body={argumentsOf(verb)} />
              )}
            </Stack>
          }
          confirm={words[verb]}
          disabled={verb === "renew" && end.missing}
          onClose={() => setVerb(undefined)}
          run={() => run(verb)}
        />
      ) : null}
      <Modal
        // After the question is gone, which hands the focus back.
        opened={verb === undefined && refused.length > 0}
        onClose={() => setRefused([])}
        title={words.bulkFailed(refused.length)}
        closeButtonProps={{ "aria-label": parts.close }}
      >
        <Table aria-label={words.bulkRefusals}>
          <Table.Tbody>
            {refused.map((problem) => (
              <Table.Tr key={problem.id}>
                <Table.Td>
                  <Name>{problem.name ?? names.get(problem.id) ?? String(problem.id)}</Name>
                </Table.Td>
                <Table.Td>
                  <bdi>{said(problem)}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}

/** The new ends of those that were renewed. */
function endsOf(users: readonly User[], now: number, chosen: number | undefined): number[] {
  return users.flatMap((user) => {
    const renewal = renewalOf(user, now);
    if (chosen !== undefined) return takesDate(renewal) ? [chosen] : [];
    return renewal.kind === "until" ? [renewal.at] : [];
  });
}
