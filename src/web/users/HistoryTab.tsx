// What happened to the account, newest first: its actor's journal.
import { Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import type { z } from "zod";
import { Link } from "wouter";
import type { JournalEntry } from "../../system/actors/actor.schema.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { Moment } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { StateBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import classes from "./users.module.css";

type Entry = z.output<typeof JournalEntry>;
const STEP = 30;

export function HistoryTab({ user }: { readonly user: User }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const [limit, setLimit] = useState(STEP);
  const journal = useApi<Listing<Entry>>(`/actors/user/${user.id}/journal`, { limit });
  return (
    <Panel
      title={words.tabs.history}
      actions={
        <Anchor component={Link} href={`/inspect/user/${user.id}`} size="sm">
          {words.inspect}
        </Anchor>
      }
    >
      <Answer of={journal} empty={({ items }) => items.length === 0} whenEmpty={<Empty small title={words.historyEmpty} />}>
        {({ items, total }) => (
          <>
            <table className={classes["table"]}>
              <thead>
                <tr>
                  <th>{words.when}</th>
                  <th>{words.event}</th>
                  <th>{words.transition}</th>
                  <th>{words.who}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((entry) => (
                  <tr key={entry.seq}>
                    <td>
                      <Link href={`/inspect/user/${user.id}?at=${entry.seq}`}>
                        <Moment at={entry.at} />
                      </Link>
                    </td>
                    <td>
                      <bdi dir="ltr">{entry.event}</bdi>
                    </td>
                    <td>
                      <StateBadge kind="user" state={entry.to} />
                    </td>
                    <td>
                      <Name>{entry.actor}</Name>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {total > items.length ? (
              <Group justify="center" mt="sm">
                <Button variant="default" size="xs" onClick={() => setLimit(Math.min(1000, limit + STEP * 3))} loading={journal.isFetching}>
                  {parts.more}
                </Button>
              </Group>
            ) : null}
          </>
        )}
      </Answer>
    </Panel>
  );
}
