// Hands the selected accounts to another owner. Those that the new owner may not take stay selected.
import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../words/words.ts";
import { refusedOf, type SelectedUsers } from "./selected.ts";
import type { User } from "./user.ts";

const MoveDialog = lazy(() => import("./MoveDialog.tsx"));

interface MoveUsersProps {
  readonly users: SelectedUsers;
  readonly onDone: (left: readonly User[]) => void;
}

export default function MoveUsers({ users, onDone }: MoveUsersProps) {
  const words = useWords("users");
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.assign}
      </Button>
      {opened ? (
        <Suspense>
          <MoveDialog
            title={words.bulkTitle(words.assign, users.total)}
            users={users}
            onClose={() => setOpened(false)}
            onDone={(ended) => onDone(refusedOf(users, ended))}
          />
        </Suspense>
      ) : null}
    </>
  );
}
