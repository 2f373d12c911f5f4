// The last events that the caller may hear, each with the way to its record.
import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApi, type Listing } from "../api/queries.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer } from "../parts/Answer.tsx";
import { Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useRaised } from "../words/use-raised.ts";
import { useWords } from "../words/words.ts";
import { nameOf, subjectOf, type RaisedEvent } from "../events/raised-event.ts";
import classes from "./overview.module.css";

const SHOWN = 10;
const AGAIN_MS = 5000;

export function Lately() {
  const words = useWords("overview");
  const raisedText = useRaised();
  const events = useApi<Listing<RaisedEvent>>("/events/log", { limit: SHOWN }, { refetchInterval: AGAIN_MS });
  return (
    <Panel
      title={words.lately}
      actions={
        <Anchor component={Link} href="/events" size="sm">
          {words.allEvents}
        </Anchor>
      }
    >
      <Answer
        of={events}
        empty={({ items }) => items.length === 0}
        whenEmpty={
          <Text size="sm" c="dimmed">
            {words.nothingYet}
          </Text>
        }
      >
        {({ items }) => (
          <ul className={classes["events"]}>
            {items.map((each) => (
              <li key={each.id} className={classes["event"]}>
                <span className={classes["eventText"]}>
                  <Subject of={each} />
                  <span className={classes["eventSaid"]} title={each.event}>
                    {raisedText(each.event, each.data["reason"])}
                  </span>
                </span>
                <span className={classes["eventWhen"]}>
                  <Ago at={each.time} style="short" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Panel>
  );
}

function Subject({ of }: { readonly of: RaisedEvent }) {
  const name = nameOf(of);
  const href = subjectOf(of);
  if (name === "") return null;
  return href === undefined ? (
    <Name>{name}</Name>
  ) : (
    <Link href={href}>
      <Name>{name}</Name>
    </Link>
  );
}
