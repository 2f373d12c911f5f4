// The question before an account gets a new link: what stops working with it.
import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { useUserVerbs } from "./use-user-verbs.ts";

export function RotateDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const words = useWords("users");
  const verbs = useUserVerbs();
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
      onClose={onClose}
      title={words.rotateTitle(user.name)}
      consequence={consequence}
      confirm={words.rotate}
      danger
      run={() => verbs.rotate(user, { credentials, closeSessions })}
    />
  );
}
