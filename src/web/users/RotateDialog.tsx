// The question before an account gets a new link: what stops working with it.
import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { copyText } from "../parts/copy.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

export default function RotateDialog({ user, asked }: { readonly user: User; readonly asked: Asked<User> }) {
  const words = useWords("users");
  const [credentials, setCredentials] = useState(true);
  const [closeSessions, setCloseSessions] = useState(true);
  const [devices, setDevices] = useState(true);
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
      <Checkbox
        label={words.rotateDevices}
        checked={devices}
        onChange={({ currentTarget }) => setDevices(currentTarget.checked)}
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
        const body = { credentials, closeSessions, devices };
        const rotated = await call<User>("POST", `/users/${user.id}/sub/rotate`, { body });
        const copied = await copyText(rotated.subUrl);
        asked.settle({ record: rotated, said: copied ? words.rotatedCopied(user.name) : words.rotated(user.name) });
      }}
    />
  );
}
