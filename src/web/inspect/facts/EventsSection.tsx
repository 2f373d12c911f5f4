// The events that the actor would take: tried without consequence, sent where the chart allows it. Its own deadlines
// and results can be tried too.
import { Button, CloseButton, Loader } from "@mantine/core";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { useCan } from "../../session/me.ts";
import { sayDone } from "../../browser/toasts.tsx";
import { useActorWords } from "../../words/use-actor-words.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import { EventName, StatePath, useEventText } from "../event/EventName.tsx";
import { Places } from "./Places.tsx";
import { Section } from "./Section.tsx";
import type { Chart } from "../use-machines.ts";
import type { Trial } from "./use-trial.ts";
import { ownEventsOf, placesOf } from "./ways.ts";
import type { ActorDetail } from "../wire.ts";

interface EventsProps {
  readonly chart: Chart | undefined;
  readonly actor: ActorDetail;
  readonly trial: Trial | undefined;
  readonly onTry: (event: string) => void;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

export function EventsSection(props: EventsProps) {
  const { chart, actor } = props;
  const words = useWords("inspect").actor;
  const own = chart ? ownEventsOf(chart.graph, actor.state) : [];
  return (
    <>
      <Section title={words.events}>
        {actor.next.length === 0 && <p className={classes["quiet"]}>{words.eventsNothing}</p>}
        <Events {...props} events={actor.next} />
      </Section>
      {own.length > 0 && (
        <Section title={words.deadlines}>
          <Events {...props} events={own} />
        </Section>
      )}
    </>
  );
}

function Events({ events, ...props }: EventsProps & { readonly events: readonly string[] }) {
  return (
    <ul className={classes["events"]}>
      {events.map((event) => (
        <EventRow key={event} {...props} event={event} />
      ))}
    </ul>
  );
}

function EventRow({ event, chart, actor, trial, onTry, onClose, onSent }: EventsProps & { readonly event: string }) {
  const words = useWords("inspect").actor;
  const text = useEventText();
  const can = useCan();
  const [asking, setAsking] = useState(false);
  const sign = chart?.sign(event) ?? { kind: "event" as const, name: event };
  const tried = trial?.event === event ? trial : undefined;
  const safe = chart?.machine.safe.includes(event) === true && can("admins:write");
  const places = chart ? placesOf(chart.graph, actor.state, event) : [];
  // What would follow is asked of the panel before anything is sent.
  const ask = () => {
    if (!tried) onTry(event);
    setAsking(true);
  };
  const send = async () => {
    await call("POST", `/actors/${actor.kind}/${actor.id}/events`, { body: { type: event } });
    sayDone(words.sent(text(sign), actor.name));
    onSent();
  };
  return (
    <li>
      <div className={classes["eventRow"]} data-open={tried !== undefined || undefined}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => (tried ? onClose() : onTry(event))}
          aria-expanded={tried !== undefined}
          aria-label={words.tryLabel(text(sign))}
        >
          {words.try}
        </Button>
        <EventName sign={sign} raw={event} />
        <Places places={places} here={actor.state} short />
        {safe && (
          <Button size="compact-xs" variant="light" onClick={ask}>
            {words.send}
          </Button>
        )}
      </div>
      {tried && <Outcome kind={actor.kind} trial={tried} onClose={onClose} />}
      {safe && (
        <ConfirmDialog
          opened={asking}
          onClose={() => setAsking(false)}
          title={words.sendTitle(text(sign))}
          consequence={<Consequence actor={actor} trial={tried} />}
          confirm={words.send}
          run={send}
        />
      )}
    </li>
  );
}

function Consequence({
  actor: { kind, name },
  trial,
}: {
  readonly actor: Pick<ActorDetail, "kind" | "name">;
  readonly trial: Trial | undefined;
}) {
  const words = useWords("inspect").actor;
  const { problem } = useActorWords();
  const { answer, error } = trial ?? {};
  if (error) return <Refused text={error.message} />;
  if (!answer) return <Loader size={14} />;
  if (answer.refused !== "") return <Refused text={problem(kind, answer.cause, answer.refused)} />;
  return <>{answer.from === answer.to ? words.sendTextUnknown(name) : words.sendText(name, answer.from, answer.to)}</>;
}

function Outcome({
  kind,
  trial,
  onClose,
}: {
  readonly kind: string;
  readonly trial: Trial;
  readonly onClose: () => void;
}) {
  const words = useWords("inspect").actor;
  const { problem } = useActorWords();
  const { answer, error } = trial;
  return (
    <div className={classes["outcome"]} role="status">
      <CloseButton size="xs" className={classes["closeTry"] ?? ""} onClick={onClose} aria-label={words.closeTry} />
      {!answer && !error && <Loader size={14} />}
      {error && <Refused text={error.message} />}
      {answer !== undefined && answer.refused !== "" && <Refused text={problem(kind, answer.cause, answer.refused)} />}
      {answer?.refused === "" && <Led answer={answer} />}
    </div>
  );
}

function Refused({ text }: { readonly text: string }) {
  const words = useWords("inspect").actor;
  return (
    <p className={classes["error"]}>
      {words.refused} <bdi>{text}</bdi>
    </p>
  );
}

/**
 * Effects that start, deadlines that are set or cleared, events that are said. A deadline that is set again is not
 * named twice.
 */
function Led({ answer }: { readonly answer: NonNullable<Trial["answer"]> }) {
  const words = useWords("inspect").actor;
  const said: Readonly<Record<string, (name: string) => string>> = {
    start: words.doStart,
    arm: words.doArm,
    cancel: words.doCancel,
    emit: words.doEmit,
  };
  const lines = answer.actions.map(({ type, name }) => said[type]?.(nameOf(name)) ?? `${type} ${name}`);
  return (
    <>
      <p>
        {answer.to === answer.from ? (
          words.triedStays
        ) : (
          <>
            <span aria-hidden className={classes["arrow"]}>
              →{" "}
            </span>
            <span className={classes["strong"]}>
              <StatePath state={answer.to} />
            </span>
          </>
        )}
      </p>
      {lines.length === 0 ? (
        <p className={classes["quiet"]}>{words.wouldDoNothing}</p>
      ) : (
        <ul className={classes["deeds"]} aria-label={words.wouldDo}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The name to show: for a deadline, only the name of its delay. */
function nameOf(name: string): string {
  return /^xstate\.after\.([^.]+)/.exec(name)?.[1] ?? name;
}
