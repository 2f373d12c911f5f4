// How the user gets to the service: the one link with its code; everything else folded below, named by what it is.
import { Group, Stack, Text } from "@mantine/core";
import { Ago } from "../parts/Ago.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code } from "../parts/Names.tsx";
import { QrCode } from "../parts/QrCode.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { LINK_FORMATS, tokenLink, type User } from "./user.ts";
import classes from "./users.module.css";

export function AccessPanel({ user }: { readonly user: User }) {
  const words = useWords("users");
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
        <details className={classes["more"]}>
          <summary>{words.otherLinks}</summary>
          <Facts
            items={[
              { label: words.fixedLink, value: <Code copy>{tokenLink(user)}</Code> },
              {
                label: words.formats,
                value: (
                  <Stack gap={2}>
                    {LINK_FORMATS.map((format) => (
                      <Group key={format} gap={4} justify="space-between" wrap="nowrap">
                        <Code>{format}</Code>
                        <CopyButton value={`${user.subUrl}/${format}`} />
                      </Group>
                    ))}
                  </Stack>
                ),
              },
              { label: words.uuid, value: <Code copy>{user.config.uuid}</Code> },
              { label: words.password, value: <Code copy>{user.config.password}</Code> },
            ]}
          />
        </details>
      </Stack>
    </Panel>
  );
}
