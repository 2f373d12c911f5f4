// An event by its name in the chart, with the dot that the chart gives its kind; what it means is said on hover.
import { useWords } from "../../words/words.ts";
import type { EventSign } from "./event-sign.ts";
import classes from "./event.module.css";

export function EventName({ sign, raw }: { readonly sign: EventSign; readonly raw?: string }) {
  const text = useEventText();
  return (
    <span
      className={classes["event"]}
      data-kind={sign.kind}
      title={[sign.said, raw].filter((part) => part !== undefined && part !== "").join(" · ")}
    >
      {/* Said in full: where the attribute goes, a browser may keep the direction that it had. */}
      <bdi dir={sign.kind === "event" ? "ltr" : "auto"}>{text(sign)}</bdi>
    </span>
  );
}

/** The words of an event, for labels. */
export function useEventText(): (sign: EventSign) => string {
  const { events } = useWords("inspect");
  return ({ kind, name }) => {
    switch (kind) {
      case "timer":
        return events.after(name);
      case "done":
        return events.done(name);
      case "failed":
        return events.failed(name);
      case "due":
      case "created":
      case "deleted":
      case "restored":
        return events[kind];
      case "event":
        return name;
    }
  };
}

/** Says who caused a transition: a person or token by name, or a part of the panel in words. */
export function Who({ actor }: { readonly actor: string }) {
  const { who } = useWords("inspect");
  if (actor === "timer") return <>{who.timer}</>;
  if (actor === "effect") return <>{who.effect}</>;
  return actor === "" ? <>{who.nobody}</> : <bdi>{actor}</bdi>;
}

/** A state's path, as it is on the wire: outer states quiet, the innermost in ink. */
export function StatePath({ state }: { readonly state: string }) {
  const parts = state.split(".");
  const inner = parts.pop() ?? "";
  return (
    <bdi dir="ltr" className={classes["path"]}>
      {parts.map((part, index) => (
        <span key={`${index} ${part}`} className={classes["outer"]}>
          {part}
          <span aria-hidden> › </span>
        </span>
      ))}
      <span>{inner}</span>
    </bdi>
  );
}
