// What a user is given: the link, ready to copy, and the code to scan.
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { useApi } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { copyText } from "../parts/copy.ts";
import { QrCode } from "../parts/QrCode.tsx";
import { Panel } from "../parts/Record.tsx";
import { useKeys } from "../browser/keys.ts";
import { sayDone, sayFailed } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { userPath, type User } from "./user.ts";
import classes from "./users.module.css";

export function Handover({ id }: { readonly id: string }) {
  const user = useApi<User>(`/users/${id}`);
  return <Answer of={user}>{(made) => <Made user={made} />}</Answer>;
}

function Made({ user }: { readonly user: User }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const copy = async () => {
    if (await copyText(user.subUrl)) sayDone(parts.copied);
    else sayFailed(window.isSecureContext ? parts.copyRefused : parts.copyInsecure, user.subUrl);
  };
  useKeys({
    n: { label: words.another, run: () => navigate("/users/new") },
    c: { label: words.copyLink, run: () => void copy() },
  });
  return (
    <Panel
      title={
        <Group gap={6} wrap="nowrap" c="var(--tone-ok)">
          <IconCircleCheck size={18} aria-hidden />
          <span role="status">
            <bdi>{words.createdTitle(user.name)}</bdi>
          </span>
        </Group>
      }
    >
      <div className={classes["handover"]}>
        <QrCode value={user.subUrl} label={user.name} size={200} named={words.showQr} />
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {words.createdText}
          </Text>
          <bdi dir="ltr" className={classes["link"]}>
            {user.subUrl}
          </bdi>
          <Group gap="xs">
            <CopyButton wide size="md" variant="filled" value={user.subUrl} label={words.copyLink} autoFocus />
            <Button size="md" variant="default" component={Link} href="/users/new">
              {words.another}
            </Button>
            <Button size="md" variant="subtle" component={Link} href={userPath(user)}>
              {words.toRecord}
            </Button>
          </Group>
        </Stack>
      </div>
    </Panel>
  );
}
