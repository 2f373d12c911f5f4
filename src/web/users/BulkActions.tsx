// The same for every selected account, one call each: how far it is, and who was refused and why. Who was refused stays
// selected.
import { Button, Modal, Progress, Stack, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ApiError, call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Name } from "../parts/Names.tsx";
import { panelNow } from "../parts/now.ts";
import { refusalText } from "../parts/refusal.ts";
import { sayDone, sayFailed, sayPartly } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { BulkRenewal, useSpan } from "./BulkRenewal.tsx";
import { countedOf, eachOf, type Outcome } from "./each.ts";
import { useChosenEnd } from "./RenewEnd.tsx";
import { endOf, renewalOf, renewalsOf, takesDate } from "./renewal.ts";
import { useStandingText } from "./StandingText.tsx";
import type { User } from "./user.ts";

/** The panel took it and the account's limits keep it off: nothing that was asked for has happened. */
class StaysOff extends Error {
  readonly user: User;

  constructor(user: User) {
    super("its limits keep it off");
    this.user = user;
  }
}

type Verb = "switchOn" | "switchOff" | "renew" | "resetUsage" | "remove";

const CALLS: Readonly<Record<Exclude<Verb, "renew">, (user: User) => Promise<unknown>>> = {
  async switchOn({ id }) {
    const switched = await call<User>("PATCH", `/users/${id}`, { body: { enable: true } });
    if (!switched.enable) throw new StaysOff(switched);
  },
  switchOff: ({ id }) => call("PATCH", `/users/${id}`, { body: { enable: false } }),
  resetUsage: ({ id }) => call("POST", `/users/${id}/reset-usage`),
  remove: ({ id }) => call("DELETE", `/users/${id}`),
};

export default function BulkActions({
  users,
  onDone,
}: {
  readonly users: readonly User[];
  readonly onDone: (left: readonly User[]) => void;
}) {
  const words = useWords("users");
  const parts = useWords("parts");
  const queries = useQueryClient();
  const [verb, setVerb] = useState<Verb>();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [refused, setRefused] = useState<readonly Outcome<User>[]>([]);
  const [now, setNow] = useState(panelNow);
  const end = useChosenEnd(now, { own: true, at: 0 });
  const spanOf = useSpan();
  const consequence: Readonly<Record<Verb, ReactNode>> = {
    switchOn: words.bulkOn,
    switchOff: words.bulkOff,
    renew: <BulkRenewal renewals={renewalsOf(users, now)} end={end} />,
    resetUsage: words.bulkReset,
    remove: words.removeText,
  };
  const standing = useStandingText();
  const renewed = async (user: User, ends: number[]): Promise<void> => {
    const chosen = !end.own && takesDate(renewalOf(user, now));
    const body = chosen ? { expiry: end.at } : {};
    const until = endOf(await call<User>("POST", `/users/${user.id}/renew`, { body }));
    if (until !== undefined) ends.push(until);
  };
  const said = (error: unknown) => {
    if (error instanceof StaysOff) return standing(error.user);
    if (!(error instanceof ApiError)) return String(error);
    // The panel names the id, which says less than that it is gone.
    if (error.status === 404) return words.missingTitle;
    const { title, cause } = refusalText(error, parts);
    return cause === "" ? title : cause;
  };
  const run = async (chosen: Verb) => {
    const total = users.length;
    const ends: number[] = [];
    const act = chosen === "renew" ? (user: User) => renewed(user, ends) : CALLS[chosen];
    const outcomes = await eachOf(users, act, (done) => setProgress({ done, total }));
    setProgress(undefined);
    for (const path of ["/users", "/users/summary"]) void queries.invalidateQueries({ queryKey: [path] });
    const failed = outcomes.filter(({ error }) => error !== undefined);
    setRefused(failed);
    const counts = words.bulkDone(total - failed.length, total);
    const done = ends.length === 0 ? counts : words.bulkUntil(counts, spanOf(ends));
    if (failed.length === 0) sayDone(done);
    else {
      const reasons = countedOf(failed.map(({ error }) => said(error))).map(({ text, count }) =>
        words.bulkRefused(count, text),
      );
      (failed.length === total ? sayFailed : sayPartly)(done, reasons.join(" "));
    }
    onDone(failed.map(({ item }) => item));
  };
  const ask = (chosen: Verb) => {
    // The selection as it is when it is asked about: dates must not move under the pointer.
    const at = panelNow();
    setNow(at);
    const { ends, dateless } = renewalsOf(users, at);
    end.setOwn(ends.length > 0 || dateless === 0);
    setVerb(chosen);
  };
  const verbs: readonly Verb[] = ["switchOn", "switchOff", "renew", "resetUsage", "remove"];
  return (
    <>
      {verbs.map((each) => (
        <Button
          key={each}
          size="xs"
          variant={each === "remove" ? "light" : "default"}
          color={each === "remove" ? "red" : ""}
          onClick={() => ask(each)}
        >
          {words[each]}
        </Button>
      ))}
      {verb ? (
        <ConfirmDialog
          opened
          danger={verb === "remove"}
          title={words.bulkTitle(words[verb], users.length)}
          consequence={
            <Stack gap="xs">
              {consequence[verb]}
              {progress ? (
                <div>
                  <Progress
                    value={(100 * progress.done) / progress.total}
                    aria-label={words.bulkDone(progress.done, progress.total)}
                  />
                  <Text size="xs" c="dimmed" role="status">
                    {words.bulkDone(progress.done, progress.total)}
                  </Text>
                </div>
              ) : null}
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
            {refused.map(({ item, error }) => (
              <Table.Tr key={item.id}>
                <Table.Td>
                  <Name>{item.name}</Name>
                </Table.Td>
                <Table.Td>
                  <bdi>{said(error)}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
