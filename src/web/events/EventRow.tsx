// One event: when, what it is about, what happened and why, and what else it says.
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { memo } from "react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Moment } from "../parts/Ago.tsx";
import { Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { useCan } from "../session/me.ts";
import { useRaised } from "../words/use-raised.ts";
import { useCause } from "../words/use-cause.ts";
import { useWords } from "../words/words.ts";
import { causeOf, entityOf, fieldsOf, nameOf, subjectOf, type EventField, type RaisedEvent } from "./raised-event.ts";
import type { EventSelection } from "./use-event-feed.ts";
import classes from "./events.module.css";

export interface EventRowProps {
  readonly row: RaisedEvent;
  /** Changes the address. */
  readonly select: (change: Readonly<Record<string, string | null>>) => void;
  readonly selected: Omit<EventSelection, "q">;
}

/** How many items of a list are shown, for example of all accounts that a bulk change touched. */
const MOST_LISTED = 12;
const DAY = 86_400;

export const EventRow = memo(function EventRow({ row, select, selected }: EventRowProps) {
  const words = useWords("events");
  const raisedText = useRaised();
  const causeText = useCause();
  const old = useNow(60) - row.time > DAY;
  const entity = entityOf(row);
  const name = nameOf(row);
  const { cause, said } = causeOf(row);
  const fields = fieldsOf(row);
  return (
    <li className={classes["event"]}>
      <span className={classes["when"]}>
        <Moment at={row.time} style={old ? "dateTime" : "time"} />
      </span>
      <div className={classes["what"]}>
        <span className={classes["line"]}>
          <Subject of={row} />
          <span className={classes["said"]}>{raisedText(row.event, row.data["reason"])}</span>
          {entity === undefined || entity === selected.entity ? null : (
            <ActionIcon
              className={classes["only"] ?? ""}
              variant="subtle"
              color="gray"
              size={24}
              aria-label={words.only(name)}
              title={words.only(name)}
              onClick={() => select({ entity })}
            >
              <IconFilter size={14} aria-hidden />
            </ActionIcon>
          )}
        </span>
        {said === "" ? null : (
          <bdi className={classes["why"]} title={said}>
            {causeText(cause, said)}
          </bdi>
        )}
        {fields.length === 0 ? null : (
          <dl className={classes["fields"]}>
            {fields.map((field) => (
              <div key={field.name}>
                <dt dir="ltr">{field.name}</dt>
                <dd>
                  <Value of={field} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <UnstyledButton
        className={classes["code"] ?? ""}
        dir="ltr"
        title={words.onlyEvent}
        disabled={selected.event === row.event}
        onClick={() => select({ event: row.event })}
      >
        {row.event}
      </UnstyledButton>
    </li>
  );
});

function Subject({ of }: { readonly of: RaisedEvent }) {
  const can = useCan();
  const name = nameOf(of);
  const href = subjectOf(of);
  if (name === "") return null;
  if (href === undefined || !can(href.startsWith("/nodes") ? "nodes:read" : "users:read")) {
    return (
      <span className={classes["subject"]}>
        <Name>{name}</Name>
      </span>
    );
  }
  return (
    <Link href={href} className={classes["subject"] ?? ""}>
      <Name>{name}</Name>
    </Link>
  );
}

function Value({ of: { value, kind } }: { readonly of: EventField }) {
  const words = useWords("parts");
  const format = useFormat();
  if (typeof value === "number") {
    if (kind === "time") return <Moment at={value} />;
    return kind === "bytes" ? format.bytes(value) : format.number(value);
  }
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string") return <bdi>{value}</bdi>;
  const rest = value.length - MOST_LISTED;
  const listed = value.slice(0, MOST_LISTED).join(", ");
  return <bdi dir="ltr">{rest > 0 ? `${listed} … +${format.number(rest)}` : listed}</bdi>;
}
