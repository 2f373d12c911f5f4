// What wakes the actor next: its deadlines, the soonest first, each with where it leads and how much of the time has
// passed.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { serverNow } from "../../api/clock.ts";
import { Countdown } from "../../parts/Ago.tsx";
import { useNow } from "../../parts/now.ts";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import { EventName } from "../event/EventName.tsx";
import { Places } from "./Places.tsx";
import { Section } from "./Section.tsx";
import type { Chart } from "../use-machines.ts";
import { placesOf } from "./ways.ts";
import type { ActorDetail, Preview } from "../wire.ts";

export function WakesSection({ chart, actor }: { readonly chart: Chart | undefined; readonly actor: ActorDetail }) {
  const words = useWords("inspect");
  const timers = actor.timers.toSorted((a, b) => a.dueAt - b.dueAt);
  return (
    <Section title={words.actor.wakes}>
      {timers.length === 0 && <p className={classes["quiet"]}>{words.actor.wakesNothing}</p>}
      {timers.map((timer) => (
        <Wake key={`${timer.name} ${timer.dueAt}`} chart={chart} actor={actor} timer={timer} />
      ))}
    </Section>
  );
}

function Wake({
  chart,
  actor,
  timer,
}: {
  readonly chart: Chart | undefined;
  readonly actor: ActorDetail;
  readonly timer: ActorDetail["timers"][number];
}) {
  const words = useWords("inspect");
  const format = useFormat();
  const now = useNow();
  const sign = chart?.sign(timer.event) ?? { kind: "event" as const, name: timer.event };
  const led = useDeadlineTarget(actor, timer.event);
  const places = led === undefined ? (chart ? placesOf(chart.graph, actor.state, timer.event) : []) : [led];
  const left = timer.dueAt - now;
  return (
    <div className={classes["card"]}>
      <div className={classes["wake"]}>
        <Places places={places} here={actor.state} />
        <span className={classes["left"]}>
          {left <= 0 ? (
            words.actor.wakesNow
          ) : left > 86_400 ? (
            words.actor.wakesIn(format.duration(left))
          ) : (
            <Countdown to={timer.dueAt} />
          )}
        </span>
      </div>
      {/* A chart's deadline runs since the state was entered; when a column's deadline was set is not known. */}
      {sign.kind === "timer" && <Bar key={timer.dueAt} from={actor.since * 1000} to={timer.dueAt * 1000} />}
      <p className={classes["quiet"]}>
        <EventName sign={sign} raw={timer.event} />{" "}
        <span title={format.date(timer.dueAt, "precise")}>
          {format.date(timer.dueAt, left > 72_000 ? "dateTime" : "time")}
        </span>
      </p>
    </div>
  );
}

/**
 * Where a deadline of the chart leads as things are: the panel is asked, since guards are code. Of a deadline that
 * follows from columns only the moment itself decides.
 */
function useDeadlineTarget({ kind, id, rev }: ActorDetail, event: string): string | undefined {
  const { data } = useQuery({
    queryKey: ["deadline", kind, id, rev, event],
    queryFn: async () =>
      call<Preview>("POST", `/actors/${kind}/${id}/events`, {
        query: { dryRun: true },
        body: { type: event },
        dry: true,
      }),
    enabled: event.startsWith("xstate."),
    staleTime: Infinity,
  });
  return data?.taken ? data.to : undefined;
}

/** Runs by itself, in CSS: nothing is drawn again while the time passes. */
function Bar({ from, to }: { readonly from: number; readonly to: number }) {
  const length = Math.max(1, to - from);
  return (
    <div className={classes["bar"]} aria-hidden>
      <div style={{ animationDuration: `${length}ms`, animationDelay: `${Math.min(0, from - serverNow())}ms` }} />
    </div>
  );
}
