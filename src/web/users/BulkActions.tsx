// The same for every selected account, one call each: how far it is, and who was refused and why. Who was refused stays selected.
import { Button, Modal, Progress, Stack, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Name } from "../parts/Names.tsx";
import { refusalText } from "../parts/refusal.ts";
import { sayDone } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { eachOf, type Outcome } from "./each.ts";
import type { User } from "./user.ts";
import { refreshUsers } from "./use-user-verbs.ts";

type Verb = "switchOn" | "switchOff" | "renew" | "resetUsage" | "remove";

const CALLS: Readonly<Record<Verb, (user: User) => Promise<unknown>>> = {
  switchOn: ({ id }) => call("PATCH", `/users/${id}`, { body: { enable: true } }),
  switchOff: ({ id }) => call("PATCH", `/users/${id}`, { body: { enable: false } }),
  renew: ({ id }) => call("POST", `/users/${id}/renew`, { body: {} }),
  resetUsage: ({ id }) => call("POST", `/users/${id}/reset-usage`),
  remove: ({ id }) => call("DELETE", `/users/${id}`),
};

export function BulkActions({ users, onDone }: { readonly users: readonly User[]; readonly onDone: (left: readonly User[]) => void }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const queries = useQueryClient();
  const [verb, setVerb] = useState<Verb>();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [refused, setRefused] = useState<readonly Outcome<User>[]>([]);
  const consequence: Readonly<Record<Verb, string>> = {
    switchOn: words.bulkOn,
    switchOff: words.bulkOff,
    renew: words.renewText,
    resetUsage: words.bulkReset,
    remove: words.removeText,
  };
  const said = (error: ApiError) => {
    const { title, cause } = refusalText(error, parts);
    return cause === "" ? title : cause;
  };
  const run = async (chosen: Verb) => {
    const total = users.length;
    const outcomes = await eachOf(users, CALLS[chosen], (done) => setProgress({ done, total }));
    setProgress(undefined);
    refreshUsers(queries);
    const failed = outcomes.filter(({ error }) => error !== undefined);
    setRefused(failed);
    sayDone(words.bulkDone(total - failed.length, total));
    onDone(failed.map(({ item }) => item));
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
          onClick={() => setVerb(each)}
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
                  <Progress value={(100 * progress.done) / progress.total} aria-label={words.bulkDone(progress.done, progress.total)} />
                  <Text size="xs" c="dimmed" role="status">
                    {words.bulkDone(progress.done, progress.total)}
                  </Text>
                </div>
              ) : null}
            </Stack>
          }
          confirm={words[verb]}
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
                  <bdi>{error instanceof ApiError ? said(error) : String(error)}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
