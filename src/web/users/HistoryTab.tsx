// What happened to the account, newest first: its actor's journal.
import { Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import type { z } from "zod";
import { Link } from "wouter";
import type { JournalEntry } from "../../system/actors/actor.schema.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { Moment } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { readEvent } from "../inspect/event/event-sign.ts";
import { Who } from "../inspect/event/EventName.tsx";
import { Panel } from "../parts/Record.tsx";
import { StateBadge } from "../parts/StateBadge.tsx";
import type { Words } from "../words/language.ts";
import { useActorWords } from "../words/use-actor-words.ts";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import classes from "./users.module.css";

type Entry = z.output<typeof JournalEntry>;
const STEP = 30;

/** A state in the words of the list's pills; undefined for one that has none. */
function standingWords(state: string, words: Words["users"]["standing"]): string | undefined {
  if (state === "enabled.started") return words.active;
  if (state === "enabled.waiting") return words.pending;
  const reason = state.replace("disabled.", "");
  return Object.entries(words).find(([kind]) => kind === reason)?.[1];
}

export default function HistoryTab({ user }: { readonly user: User }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const translate = useActorWords();
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
      <Answer
        of={journal}
        empty={({ items }) => items.length === 0}
        whenEmpty={<Empty small title={words.historyEmpty} />}
      >
        {({ items, total }) => (
          <>
            <table className={`${classes["table"]} ${classes["journal"]}`}>
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
                      <span title={entry.event}>
                        {translate.event("user", readEvent(entry.event, "user"), entry.to)}
                      </span>
                    </td>
                    <td>
                      <StateBadge kind="user" state={entry.to} label={standingWords(entry.to, words.standing)} />
                    </td>
                    <td>
                      <Who actor={entry.actor} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {total > items.length ? (
              <Group justify="center" mt="sm">
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => setLimit(Math.min(1000, limit + STEP * 3))}
                  loading={journal.isFetching}
                >
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
