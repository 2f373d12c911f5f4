// What the lines of an actor's drawing mean: only those that are drawn now.
import { useWords } from "../words/words.ts";
import classes from "./legend.module.css";

/** As `WireTone`, those that say something. */
export type LegendTone = "last" | "takeable" | "ghost";

export function Legend({ tones }: { readonly tones: readonly LegendTone[] }) {
  const words = useWords("chart");
  if (tones.length === 0) return null;
  return (
    <ul className={classes["legend"]} aria-label={words.legend}>
      {tones.map((tone) => (
        <li key={tone}>
          <svg width={22} height={8} aria-hidden="true">
            <path className={classes["sample"]} data-tone={tone} d="M1 4H21" />
          </svg>
          {words.tones[tone]}
        </li>
      ))}
    </ul>
  );
}
