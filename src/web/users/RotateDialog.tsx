// The question before an account gets a new link: what stops working with it.
import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

export default function RotateDialog({ user, asked }: { readonly user: User; readonly asked: Asked<User> }) {
  const words = useWords("users");
  const [credentials, setCredentials] = useState(true);
  const [closeSessions, setCloseSessions] = useState(true);
  const consequence = (
    <Stack gap="sm">
      <div>{words.rotateText}</div>
      <Checkbox
        label={words.rotateCredentials}
        description={words.rotateCredentialsText}
        checked={credentials}
        onChange={({ currentTarget }) => setCredentials(currentTarget.checked)}
      />
      <Checkbox
        label={words.rotateSessions}
        checked={closeSessions}
        onChange={({ currentTarget }) => setCloseSessions(currentTarget.checked)}
      />
    </Stack>
  );
  return (
    <ConfirmDialog
      opened
      onClose={asked.close}
      title={words.rotateTitle(user.name)}
      consequence={consequence}
      confirm={words.rotate}
      danger
      run={async () => {
        const body = { credentials, closeSessions };
        const rotated = await call<User>("POST", `/users/${user.id}/sub/rotate`, { body });
        asked.settle({ record: rotated, said: words.rotated(user.name) });
      }}
    />
  );
}
