// The shape of a few figures in a line of text; what it says stands beside it, or in its name.
import { sparkLine } from "./spark-line.ts";
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
  const { runs, columns, ground } = sparkLine(values, width, height);
  return (
    <svg className={classes["spark"]} width={width} height={height} role="img" aria-label={label}>
      {values.includes(null) ? <line className={classes["ground"]} x1={0} x2={width} y1={ground} y2={ground} /> : null}
      {columns.map(({ x, y }) => (
        <line key={x} className={classes["column"]} x1={x} x2={x} y1={ground} y2={y} />
      ))}
      {runs.map((points) => (
        <polyline key={points} points={points} />
      ))}
    </svg>
  );
}
