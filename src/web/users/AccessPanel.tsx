// How the user gets to the service: the one link with its code; everything else folded below, named by what it is.
import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Ago } from "../parts/Ago.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code } from "../parts/Names.tsx";
import { QrCode } from "../parts/QrCode.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { LinkFormats } from "./LinkFormats.tsx";
import { tokenLink, type User } from "./user.ts";
import classes from "./users.module.css";

export function AccessPanel({ user }: { readonly user: User }) {
  const words = useWords("users");
  const [opened, setOpened] = useState(false);
  return (
    <Panel title={words.accessTitle}>
      <Stack gap="sm">
        <QrCode value={user.subUrl} label={user.name} size={188} />
        <bdi dir="ltr" className={classes["link"]}>
          {user.subUrl}
        </bdi>
        <Group grow>
          <CopyButton wide variant="filled" value={user.subUrl} label={words.copyLink} />
        </Group>
        <Text size="sm" c="dimmed" ta="center">
          {user.subFetchedAt === 0 ? (
            words.neverFetched
          ) : (
            <>
              {words.columns.fetched} <Ago at={user.subFetchedAt} />
              {user.subClient === "" ? null : (
                <>
                  {" "}
                  <bdi>{words.fetchedBy(user.subClient)}</bdi>
                </>
              )}
            </>
          )}
        </Text>
        <details className={classes["more"]} onToggle={(event) => setOpened(event.currentTarget.open)}>
          <summary>{words.otherLinks}</summary>
          <Facts
            items={[
              { label: words.fixedLink, value: <Code copy>{tokenLink(user)}</Code> },
              {
                label: words.formats,
                value: opened ? <LinkFormats user={user} /> : null,
              },
              { label: words.uuid, value: <Code copy>{user.config.uuid}</Code> },
              { label: words.password, value: <Code copy>{user.config.password}</Code> },
              ...ownFacts(user, words),
            ]}
          />
        </details>
      </Stack>
    </Panel>
  );
}

/** Credentials for one protocol alone, of an account that has some. */
function ownFacts({ config }: User, { uuid, password }: { readonly uuid: string; readonly password: string }) {
  return Object.entries(config.by ?? {}).flatMap(([protocol, own]) => [
    ...(own.uuid ? [{ label: `${uuid} (${protocol})`, value: <Code copy>{own.uuid}</Code> }] : []),
    ...(own.password
      ? [{ label: `${password} (${own.method ?? protocol})`, value: <Code copy>{own.password}</Code> }]
      : []),
  ]);
}
