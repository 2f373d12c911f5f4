// A state's box: frame, name, number, and rows for what happens inside. Outer boxes are drawn in two turns, frame and
// head, since wires run between.
import { memo } from "react";
import classes from "./chart.module.css";
import type { Rectangle } from "./geometry.ts";
import type { Box, BoxRow } from "./graph.ts";
import { ANY, COUNT_GAP, PAD, ROW, rowText, ROWS_TOP, SIGN, TITLE, TITLE_HEIGHT } from "./metrics.ts";
import { SIGN_PATHS, signOf } from "./signs.ts";
import { textWidth } from "./text-width.ts";

/** `lit`: the actor is here. `around`: it is in a state within. `ghost`: where a tried event would lead. */
export type BoxTone = "lit" | "around" | "ghost" | "plain";

export interface BoxLook {
  readonly tone: BoxTone;
  /** As written; empty for none. */
  readonly count: string;
  /** 0 to 1. */
  readonly heat: number;
}

interface ShapeProps extends BoxLook {
  readonly box: Box;
  readonly rectangle: Rectangle;
}

export const BoxFrame = memo(function BoxFrame({ box, rectangle, tone, heat }: ShapeProps) {
  const [x, y, width, height] = rectangle;
  const radius = box.kind === "any" ? ANY.height / 2 : box.kind === "compound" ? 11 : 8;
  const kind = box.passing ? "passing" : box.kind;
  return (
    <>
      {box.kind === "final" && (
        <rect className={classes["end"]} x={x - 3} y={y - 3} width={width + 6} height={height + 6} rx={radius + 2} />
      )}
      {tone === "lit" && (
        <rect className={classes["glow"]} x={x - 3} y={y - 3} width={width + 6} height={height + 6} rx={radius + 3} />
      )}
      <rect
        className={classes["frame"]}
        data-kind={kind}
        data-tone={tone}
        x={x}
        y={y}
        width={width}
        height={height}
        rx={radius}
      />
      {heat > 0 && (
        <rect
          className={classes["heat"]}
          x={x}
          y={y}
          width={width}
          height={height}
          rx={radius}
          style={{ opacity: heat }}
        />
      )}
    </>
  );
});

interface HeadProps extends ShapeProps {
  /** Left of the name's room: the box's own, but where wires would run through an outer box's name. */
  readonly left: number;
  readonly words: boolean;
  /** What a deadline's row says of the time left, by its event. */
  readonly due: ReadonlyMap<string, string> | undefined;
  /** The row that the last transition went through. */
  readonly lastRow: string | undefined;
}

export const BoxHead = memo(function BoxHead({ box, rectangle, left, tone, count, words, due, lastRow }: HeadProps) {
  const [x, y, width, height] = rectangle;
  const start = left + PAD;
  // A name that stands alone stands in the middle of its box, which is higher where many wires end.
  const alone = box.kind !== "compound" && !(words && box.rows.length > 0);
  const baseline = y + (alone ? height / 2 + TITLE.baseline - TITLE_HEIGHT / 2 : TITLE.baseline);
  if (box.kind === "any") {
    return (
      <text className={classes["row"]} x={x + ANY.pad} y={y + height / 2 + 4}>
        {box.name}
      </text>
    );
  }
  return (
    <>
      <text
        className={classes["title"]}
        data-kind={box.passing ? "passing" : box.kind}
        data-tone={tone}
        x={start}
        y={baseline}
      >
        {box.name}
      </text>
      {count !== "" && (
        <text
          className={classes["count"]}
          data-kind={box.kind}
          x={
            box.kind === "compound"
              ? start + textWidth(box.name, TITLE.size, TITLE.weight) + COUNT_GAP
              : x + width - PAD
          }
          y={baseline}
          textAnchor={box.kind === "compound" ? "start" : "end"}
        >
          {count}
        </text>
      )}
      {words &&
        box.rows.map((row, index) => (
          <Row
            key={row.id}
            row={row}
            x={start}
            y={y + ROWS_TOP + index * ROW.height}
            due={due}
            last={row.id === lastRow}
          />
        ))}
    </>
  );
});

interface RowProps {
  readonly row: BoxRow;
  readonly x: number;
  readonly y: number;
  readonly due: ReadonlyMap<string, string> | undefined;
  readonly last: boolean;
}

function Row({ row, x, y, due, last }: RowProps) {
  const sign = signOf(row);
  const { text, guard } = rowText(row);
  const left = row.trigger ? due?.get(row.trigger.event) : undefined;
  return (
    <g className={classes["rowGroup"]} aria-hidden="true" data-last={last || undefined}>
      <path className={classes["sign"]} data-sign={sign} d={SIGN_PATHS[sign]} transform={`translate(${x} ${y + 4})`} />
      <text className={classes["row"]} data-due={left === undefined ? undefined : true} x={x + SIGN} y={y + 13}>
        {left ?? text}
        {guard !== "" && (
          <tspan className={classes["guard"]} x={x + SIGN + gapAfter(left ?? text)}>
            {guard}
          </tspan>
        )}
      </text>
    </g>
  );
}

function gapAfter(text: string): number {
  return text === "" ? 0 : textWidth(text, ROW.size, ROW.weight) + 4;
}
