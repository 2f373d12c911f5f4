// What an account used against its volume, and in all.
import { Button, Group, Text } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { Moment } from "../parts/Ago.tsx";
import { Bytes, QuotaBar } from "../parts/Quantities.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { Ends } from "./user-columns.tsx";
import type { User } from "./user.ts";
import classes from "./users.module.css";

export function UsagePanel({ user, onReset }: { readonly user: User; readonly onReset: (() => void) | undefined }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  const used = user.up + user.down;
  return (
    <Panel
      title={words.usageTitle}
      actions={
        onReset ? (
          <Button variant="subtle" size="compact-sm" onClick={onReset}>
            {words.resetUsage}
          </Button>
        ) : undefined
      }
    >
      <Group gap="xs" align="baseline" mb={6}>
        <bdi dir="ltr" className={classes["figure"]}>
          {format.bytes(used)}
        </bdi>
        <Text size="sm" c="dimmed">
          {user.volume === 0 ? parts.unlimited : parts.usedOf("", format.bytes(user.volume)).trim()}
        </Text>
      </Group>
      {user.volume === 0 ? null : <QuotaBar used={used} limit={user.volume} bare />}
      <Facts
        items={[
          { label: words.columns.expiry, value: user.expiry > 0 ? <DatedEnd user={user} /> : <Ends user={user} /> },
          {
            label: words.activated,
            value: user.duration > 0 && user.activatedAt > 0 ? <Moment at={user.activatedAt} /> : undefined,
          },
          { label: words.down, value: <Bytes value={user.down} /> },
          { label: words.up, value: <Bytes value={user.up} /> },
          { label: words.inAll, value: <Bytes value={user.totalUp + user.totalDown} /> },
        ]}
      />
    </Panel>
  );
}

function DatedEnd({ user }: { readonly user: User }) {
  return (
    <>
      <Moment at={user.expiry} /> · <Ends user={user} />
    </>
  );
}
