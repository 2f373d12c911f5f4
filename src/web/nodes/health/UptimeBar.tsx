// The uptime bar: the range from left to right in the colours of its states. Under it what each colour is, and how long
// it was.
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import classes from "./health.module.css";
import { secondsOf, type Bar, type HealthState } from "./stretches.ts";

const STATES: readonly HealthState[] = ["up", "partial", "down", "unknown"];

export function UptimeBar({ bar, label }: { readonly bar: Bar; readonly label: string }) {
  const { states } = useWords("nodes").health;
  const format = useFormat();
  const seconds = secondsOf(bar);
  const first = bar[0];
  const last = bar.at(-1);
  return (
    <>
      <div className={classes["bar"]} role="img" aria-label={label}>
        {bar.map(({ start, end, state }) => (
          <span
            key={start}
            className={classes["part"]}
            data-state={state}
            style={{ flexGrow: end - start }}
            title={`${states[state]}: ${format.date(start)} – ${format.date(end)}`}
          />
        ))}
      </div>
      <div className={classes["ends"]} dir="ltr">
        <bdi>{first ? format.date(first.start) : ""}</bdi>
        <bdi>{last ? format.date(last.end) : ""}</bdi>
      </div>
      <ul className={classes["states"]}>
        {STATES.filter((state) => seconds[state] > 0).map((state) => (
          <li key={state} data-state={state}>
            {states[state]} <b>{format.duration(seconds[state])}</b>
          </li>
        ))}
      </ul>
    </>
  );
}
