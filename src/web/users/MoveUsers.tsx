// Hands the selected accounts to another owner. Those that the new owner may not take stay selected.
import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

const MoveDialog = lazy(() => import("./MoveDialog.tsx"));

interface MoveUsersProps {
  readonly users: readonly User[];
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
            title={words.bulkTitle(words.assign, users.length)}
            users={{ ids: users.map(({ id }) => id) }}
            total={users.length}
            onClose={() => setOpened(false)}
            onDone={({ problems }) => {
              const refused = new Set(problems.map(({ id }) => id));
              onDone(users.filter(({ id }) => refused.has(id)));
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
