// Figures over time: lines, stacked areas or bars. Left to right in every language; under it the same as a table, which
// is what screen readers and keyboards use.
//
// Drawn here, as SVG in the colours of the theme: a library (uPlot, 22 kB) would need its own colours, its own sizes
// and a canvas that says nothing to a screen reader.
import { useState, type PointerEvent } from "react";
import { useElementSize } from "@mantine/hooks";
import { useFormat } from "../../format/use-format.ts";
import type { DateStyle } from "../../format/dates.ts";
import { own } from "../../words/isolate.ts";
import { PlotTable } from "./PlotTable.tsx";
import { HUES } from "./hues.ts";
import classes from "./plot.module.css";
import { nearest, rowsOf, runsOf, stacked, ticks, type PlotRow, type PlotSeries } from "./scale.ts";

export type PlotKind = "lines" | "stack" | "bars";

export interface PlotProps {
  /** What it shows: "Traffic by node". */
  readonly label: string;
  readonly kind: PlotKind;
  readonly series: readonly PlotSeries[];
  /** A value as text: bytes, a number. */
  readonly show: (value: number) => string;
  /** Steps of the scale are powers of 1024. */
  readonly bytes?: boolean;
  /** How moments are written. */
  readonly moments?: DateStyle;
  readonly height?: number;
}

const LEFT = 70;
const BELOW = 22;
const ABOVE = 8;
const RIGHT = 8;
/** Width of what is known of one moment alone. */
const LONE = 8;

export function Plot({ label, kind, series, show, bytes, moments = "dateTime", height = 220 }: PlotProps) {
  const { ref, width } = useElementSize();
  const format = useFormat();
  const [pointed, point] = useState<number>();
  const rows = rowsOf(series);
  const drawn = kind === "lines" ? rows : stacked(rows);
  const scale = ticks(
    Math.max(0, ...drawn.flatMap(({ values }) => values.map((value) => value ?? 0))),
    4,
    bytes ? 1024 : 10,
  );
  const top = scale.at(-1) ?? 1;
  const [from, to] = [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 1];
  const room = { width: Math.max(width, 120) - LEFT - RIGHT, height: height - ABOVE - BELOW };
  const barWidth = Math.max(1, (room.width / Math.max(rows.length, 1)) * 0.72);
  const inset = kind === "bars" ? barWidth / 2 + 1 : 0;
  const x = (at: number) => LEFT + inset + ((at - from) / Math.max(to - from, 1)) * (room.width - 2 * inset);
  const y = (value: number) => ABOVE + room.height - (value / top) * room.height;
  const row = pointed === undefined ? undefined : rows[pointed];
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT - inset;
    point(nearest(rows, from + (place / Math.max(room.width - 2 * inset, 1)) * (to - from)));
  };
  return (
    <figure className={classes["plot"]} ref={ref}>
      <figcaption className={classes["caption"]}>{label}</figcaption>
      <svg
        width={room.width + LEFT + RIGHT}
        height={height}
        aria-hidden
        onPointerMove={follow}
        onPointerLeave={() => point(undefined)}
      >
        {scale.map((step) => (
          <g key={step} className={classes["grid"]}>
            <line x1={LEFT} x2={LEFT + room.width} y1={y(step)} y2={y(step)} />
            <text x={LEFT - 8} y={y(step) + 4} textAnchor="end">
              {show(step)}
            </text>
          </g>
        ))}
        {edges(rows, room.width).map((at, index, all) => (
          <text
            key={at}
            className={classes["moment"]}
            x={x(at)}
            y={height - 6}
            textAnchor={index === 0 ? "start" : index === all.length - 1 ? "end" : "middle"}
          >
            {own(format.date(at, moments))}
          </text>
        ))}
        {series.map(({ id }, index) => (
          <Drawn key={id} kind={kind} rows={drawn} index={index} x={x} y={y} barWidth={barWidth} />
        ))}
        {row ? (
          <line className={classes["cursor"]} x1={x(row.at)} x2={x(row.at)} y1={ABOVE} y2={ABOVE + room.height} />
        ) : null}
      </svg>
      <ul className={classes["legend"]}>
        {series.map(({ id, name }, index) => {
          const value = row?.values[index];
          return (
            <li key={id} data-hue={index % HUES}>
              <bdi>{name}</bdi>
              {row ? <b>{value === null || value === undefined ? "–" : show(value)}</b> : null}
            </li>
          );
        })}
        {row ? <li className={classes["at"]}>{format.date(row.at, moments)}</li> : null}
      </ul>
      <PlotTable label={label} series={series} rows={rows} show={show} moments={moments} />
    </figure>
  );
}

/** Moments that are written below: both ends, and some between where there is room. */
function edges(rows: readonly PlotRow[], width: number): readonly number[] {
  const count = Math.min(rows.length, Math.max(2, Math.floor(width / 200)));
  const places = Array.from({ length: count }, (_, index) =>
    Math.round((index * (rows.length - 1)) / Math.max(count - 1, 1)),
  );
  return [...new Set(places)].flatMap((place) => rows[place]?.at ?? []);
}

interface DrawnProps {
  readonly kind: PlotKind;
  readonly rows: readonly PlotRow[];
  readonly index: number;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly barWidth: number;
}

function Drawn({ kind, rows, index, x, y, barWidth }: DrawnProps) {
  const top = (row: PlotRow) => y(row.values[index] ?? 0);
  const bottom = (row: PlotRow) => y(row.values.slice(0, index).findLast((value) => value !== null) ?? 0);
  return (
    <g data-hue={index % HUES} className={classes[kind]}>
      {runsOf(rows, index).map((run) => {
        const key = run[0]?.at;
        if (kind === "bars") {
          return run.map((row) => (
            <rect
              key={row.at}
              x={x(row.at) - barWidth / 2}
              width={barWidth}
              y={top(row)}
              height={Math.max(bottom(row) - top(row), 0)}
            />
          ));
        }
        const line = run.map((row) => `${x(row.at)},${top(row)}`);
        // One known moment between gaps is a dot; of a stack it is as much of the height as an area would be.
        const [only] = run;
        if (only && run.length === 1) {
          if (kind === "lines") return <circle key={key} cx={x(only.at)} cy={top(only)} r={2.5} />;
          const height = Math.max(bottom(only) - top(only), 0);
          return <rect key={key} x={x(only.at) - LONE / 2} width={LONE} y={top(only)} height={height} />;
        }
        if (kind === "lines") return <polyline key={key} points={line.join(" ")} />;
        const back = run.map((row) => `${x(row.at)},${bottom(row)}`).toReversed();
        return <polygon key={key} points={[...line, ...back].join(" ")} />;
      })}
    </g>
  );
}
