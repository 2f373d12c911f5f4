// Where the actor is, for how long, what that means; and the step that led there, with the reason that was told.
import { Since } from "../../parts/Ago.tsx";
import { useFormat, type Format } from "../../format/use-format.ts";
import { stateTone } from "../../parts/tone.ts";
import type { PanelCause } from "../../words/translate.ts";
import { useCause } from "../../words/use-cause.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import type { EventSign } from "../event/event-sign.ts";
import { EventName, StatePath, Who } from "../event/EventName.tsx";
import { stayText } from "./field.ts";
import type { Moment } from "../actor/moment.ts";
import { Returns } from "./Returns.tsx";
import { Section } from "./Section.tsx";
import { DELETED } from "../wire.ts";
import type { Trouble } from "../trouble.ts";
import { meaningIn, type Chart } from "../use-machines.ts";

interface MomentProps {
  readonly chart: Chart | undefined;
  readonly moment: Moment;
  readonly past: boolean;
}

interface NowProps extends MomentProps {
  readonly kind: string;
  /** Undefined: it is gone. */
  readonly id: string | undefined;
  readonly trouble: Trouble | undefined;
}

export function NowSection({ kind, id, chart, moment, past, trouble }: NowProps) {
  const words = useWords("inspect");
  const format = useFormat();
  const { state, sinceMs, untilMs } = moment;
  const meaning = chart ? meaningIn(chart.graph, state) : "";
  const outside = chart !== undefined && !chart.graph.boxes.has(state) && state !== DELETED;
  const since = words.actor.since(shortMoment(sinceMs, format));
  return (
    <Section title={past ? words.actor.atThatTime : words.actor.now}>
      <p className={classes["state"]}>
        <StatePath state={state} />
      </p>
      <p className={classes["quiet"]}>
        {past ? (
          untilMs !== undefined && <>{words.actor.stayed(stayText(untilMs - sinceMs, format))} · </>
        ) : (
          <>
            <Since at={Math.floor(sinceMs / 1000)} /> ·{" "}
          </>
        )}
        <span title={format.date(Math.floor(sinceMs / 1000), "precise")}>{since}</span>
      </p>
      {trouble && trouble.failures > 1 && (
        <p className={classes["trouble"]}>
          {words.actor.troubled(shortMoment(trouble.sinceMs, format))} ·{" "}
          {words.actor.failures(trouble.failures, format.number(trouble.failures))}
        </p>
      )}
      {!past && id !== undefined && <Returns kind={kind} id={id} state={state} sinceMs={sinceMs} />}
      {meaning !== "" && <p className={classes["meaning"]}>{meaning}</p>}
      {outside && <p className={classes["quiet"]}>{words.actor.outsideChart}</p>}
    </Section>
  );
}

/** The time of day; with the date where that is not today's. */
function shortMoment(ms: number, format: Format): string {
  return format.date(Math.floor(ms / 1000), Date.now() - ms < 20 * 3_600_000 ? "time" : "dateTime");
}

export function WhySection({ kind, chart, moment }: MomentProps & { readonly kind: string }) {
  const words = useWords("inspect");
  const causeText = useCause();
  const { step, entered } = moment;
  if (!step) return null;
  const error = causeText(causeIn(moment.context), errorIn(moment.context));
  const tone = stateTone(kind, moment.state);
  return (
    <Section title={words.actor.why}>
      {entered && <Cause step={entered} chart={chart} />}
      {entered && <p className={classes["quiet"]}>{words.actor.sinceThen}</p>}
      <Cause step={step} chart={chart} />
      {typeof step.from === "string" && step.from !== step.to && (
        <p className={classes["quiet"]}>
          <bdi dir="ltr">
            <StatePath state={step.from} /> <span aria-hidden>→</span> <StatePath state={step.to} />
          </bdi>
        </p>
      )}
      {error !== "" && tone !== "ok" && (
        <p className={tone === "running" ? classes["quiet"] : classes["error"]}>
          {tone === "running" && <>{words.actor.lastError}: </>}
          <bdi>{error}</bdi>
        </p>
      )}
    </Section>
  );
}

/** What happened, who caused it, and when. */
function Cause({
  step: { event, actor, atMs },
  chart,
}: {
  readonly step: NonNullable<Moment["entered"]>;
  readonly chart: Chart | undefined;
}) {
  const format = useFormat();
  const sign: EventSign = chart?.sign(event) ?? { kind: "event", name: event };
  return (
    <>
      <p className={classes["why"]}>
        <EventName sign={sign} raw={event} />
        <span className={classes["quiet"]}>
          <Who actor={actor} /> ·{" "}
          <span title={format.date(Math.floor(atMs / 1000), "precise")}>{shortMoment(atMs, format)}</span>
        </span>
      </p>
      {sign.said !== undefined && sign.said !== sign.name && <p className={classes["quiet"]}>{sign.said}</p>}
    </>
  );
}

/** The last error, in the words of the code that met it: charts store it under one of these names. */
export function errorIn(context: Moment["context"]): string {
  for (const field of ["message", "error", "reason", "lastError"]) {
    const remembered = context.get(field);
    if (remembered?.known && typeof remembered.value === "string" && remembered.value !== "") return remembered.value;
  }
  return "";
}

/** The same as a cause with a code, where the chart notes one. */
export function causeIn(context: Moment["context"]): PanelCause | null {
  const remembered = context.get("cause");
  if (!remembered?.known || typeof remembered.value !== "object" || remembered.value === null) return null;
  const { code, values } = remembered.value as Partial<PanelCause>;
  return typeof code === "string" && Array.isArray(values) ? { code, values } : null;
}
