// Hands the selected accounts to another owner, all in one request: a reseller, or the panel itself. Those that the new
// owner may not take stay selected.
import { Button, NativeSelect, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { sayDone, sayPartly } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { useOwners } from "./use-owners.ts";
import type { User } from "./user.ts";

interface Moved {
  readonly affected: number;
  readonly problems: readonly { readonly id: number; readonly error: string }[];
}

export default function MoveUsers({
  users,
  onDone,
}: {
  readonly users: readonly User[];
  readonly onDone: (left: readonly User[]) => void;
}) {
  const words = useWords("users");
  const queries = useQueryClient();
  const owners = useOwners();
  const [opened, setOpened] = useState(false);
  const [adminId, setAdminId] = useState(0);
  const run = async () => {
    const body = { ids: users.map(({ id }) => id), adminId };
    const { affected, problems } = await call<Moved>("POST", "/users/bulk/assign", { body });
    for (const path of ["/users", "/users/summary", "/admins"]) void queries.invalidateQueries({ queryKey: [path] });
    const said = words.assignDone(affected, users.length);
    const [first] = problems;
    if (first) sayPartly(said, first.error);
    else sayDone(said);
    const refused = new Set(problems.map(({ id }) => id));
    onDone(users.filter(({ id }) => refused.has(id)));
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.assign}
      </Button>
      {opened ? (
        <ConfirmDialog
          opened
          title={words.bulkTitle(words.assign, users.length)}
          consequence={
            <Stack gap="sm">
              <NativeSelect
                label={words.assignTo}
                value={adminId}
                onChange={(event) => setAdminId(Number(event.currentTarget.value))}
                data={[
                  { value: "0", label: words.assignPanel },
                  ...owners.map(({ id, username }) => ({ value: String(id), label: username })),
                ]}
              />
              <div>{words.assignText}</div>
            </Stack>
          }
          confirm={words.assign}
          onClose={() => setOpened(false)}
          run={run}
        />
      ) : null}
    </>
  );
}
