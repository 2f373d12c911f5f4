// The shape of a few figures in a line of text; what it says stands beside it, or in its name.
import classes from "./spark.module.css";

export interface SparklineProps {
  /** Null: nothing is known of that moment. */
  readonly values: readonly (number | null)[];
  /** In words, for who does not see it. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

export function Sparkline({ values, label, width = 96, height = 24 }: SparklineProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / Math.max(values.length - 1, 1);
  const runs: string[][] = [];
  let open: string[] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      open = undefined;
      continue;
    }
    const place = `${index * step},${height - 2 - (value / most) * (height - 4)}`;
    if (open) open.push(place);
    else runs.push((open = [place]));
  }
  return (
    <svg className={classes["spark"]} width={width} height={height} role="img" aria-label={label}>
      {runs.map((run) => (
        <polyline key={run[0]} points={(run.length === 1 ? [...run, ...run] : run).join(" ")} />
      ))}
    </svg>
  );
}
