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
import { goesByOwn, renewalBody, renewalsOf } from "./renewal.ts";
import { useBulkJob } from "./use-bulk-job.ts";
import { useRenewalChoice } from "./use-renewal-choice.ts";
import { problemsOf, refusedOf, type SelectedUsers } from "./selected.ts";
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
/** Verbs for a reseller that sells plans only. */
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
  // When the page does not know the users, it offers to renew each by its own term. Users without a term are counted as
  // refused.
  const own = users.ids.ids === undefined || users.rows.some((user) => goesByOwn(user, now));
  const renewal = useRenewalChoice({ own, dated: true, now });
  const spanOf = useSpan();
  const said = useProblemText();
  const consequence: Readonly<Record<Verb, ReactNode>> = {
    switchOn: words.bulkOn,
    switchOff: words.bulkOff,
    renew: <BulkRenewal users={users} renewal={renewal} now={now} />,
    resetUsage: words.bulkReset,
    remove: words.removeText,
  };
  const argumentsOf = (chosen: Verb) => ({
    ...users.ids,
    ...(chosen === "renew" && renewal.choice ? renewalBody(renewal.choice) : {}),
  });
  const run = async (chosen: Verb) => {
    const ended = await start({ op: OPS[chosen], query: users.query, body: argumentsOf(chosen) });
    const { problems, blocked, failed, total } = ended;
    const left = refusedOf(users, ended);
    const others = users.rows.filter((user) => !left.includes(user));
    const { choice } = renewal;
    const ends = chosen === "renew" && choice ? renewalsOf(others, choice, now).ends : [];
    if (chosen === "renew") renewal.remember();
    const counts = words.bulkDone(total - blocked - failed, total);
    const done = ends.length === 0 ? counts : words.bulkUntil(counts, spanOf(ends));
    setRefused(problemsOf(problems).refused);
    tell(ended, total, done);
    onDone(left);
  };
  const ask = (chosen: Verb) => {
    // The selection as it is when it is asked about: dates must not move under the pointer.
    setNow(panelNow());
    renewal.reset();
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
              ) : verb === "renew" && renewal.choice === undefined ? null : (
                <BulkTrial op={OPS[verb]} query={users.query} body={argumentsOf(verb)} />
              )}
            </Stack>
          }
          confirm={words[verb]}
          disabled={verb === "renew" && renewal.choice === undefined}
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
