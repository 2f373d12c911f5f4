// A chart's states with their numbers, for narrow screens: a row each, the bar as long as its share.
import { Link } from "wouter";
import type { StateCounts } from "../../api/live.ts";
import { heatOf } from "../../chart/heat.ts";
import { useFormat } from "../../format/use-format.ts";
import { stateTone, toneColour } from "../../parts/tone.ts";
import { ToneMark } from "../../parts/ToneMark.tsx";
import { useWords } from "../../words/words.ts";
import { listPath } from "../addresses.ts";
import { StatePath } from "../event/EventName.tsx";
import classes from "./fleet.module.css";
import { statesOf, type Chart } from "../use-machines.ts";

export function StateList({
  kind,
  chart,
  counts,
}: {
  readonly kind: string;
  readonly chart: Chart;
  readonly counts: StateCounts;
}) {
  const words = useWords("inspect");
  const format = useFormat();
  // Where nobody stands comes last.
  const states = [...new Set([...statesOf(chart), ...Object.keys(counts)])].toSorted(
    (a, b) => Number((counts[b] ?? 0) > 0) - Number((counts[a] ?? 0) > 0),
  );
  const largest = Math.max(1, ...Object.values(counts));
  return (
    <ul className={classes["states"]} aria-label={words.states}>
      {states.map((state) => {
        const count = counts[state] ?? 0;
        const tone = stateTone(kind, state);
        return (
          <li key={state}>
            <Link
              href={listPath(kind, { state })}
              className={classes["stateRow"] ?? ""}
              data-none={count === 0 || undefined}
            >
              <span
                className={classes["share"]}
                style={{ inlineSize: `${100 * heatOf(count, largest) * 1.25}%`, background: toneColour(tone) }}
                aria-hidden
              />
              <ToneMark tone={tone} />
              <StatePath state={state} />
              <span className={classes["number"]}>{format.number(count)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
