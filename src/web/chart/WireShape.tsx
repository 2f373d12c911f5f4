// A wire: its line with the arrow's head below the boxes, its words and its number above everything.
import { memo, type MouseEvent } from "react";
import classes from "./chart.module.css";
import type { StartGeometry, WireGeometry } from "./geometry.ts";
import type { Wire } from "./graph.ts";
import { PILL, ROW, START } from "./metrics.ts";
import { ARROW } from "./signs.ts";
import { textWidth } from "./text-width.ts";

/** `last`: the actor came this way. `takeable`: it could leave this way. `ghost`: a tried event would go this way. */
export type WireTone = "last" | "takeable" | "ghost" | "plain";

interface LineProps {
  readonly wire: Wire;
  readonly geometry: WireGeometry;
  readonly tone: WireTone;
  /** 0 to 1: how much passes here. */
  readonly heat: number;
  readonly onWire: ((id: string) => void) | undefined;
}

export const WireLine = memo(function WireLine({ wire, geometry, tone, heat, onWire }: LineProps) {
  return (
    <g className={classes["wire"]} data-tone={tone} data-flowing={heat > 0 || undefined}>
      <path
        className={classes["line"]}
        d={geometry.d}
        strokeDasharray={wire.dashed || tone === "ghost" ? "4 3.5" : undefined}
        style={heat > 0 ? { strokeWidth: 1.4 + 1.8 * heat } : undefined}
      />
      <Arrow tip={geometry.tip} />
      {onWire && (
        <path className={classes["grip"]} d={geometry.d} data-wire={wire.id} onClick={() => onWire(wire.id)} />
      )}
    </g>
  );
});

function Arrow({ tip: [x, y, angle] }: Pick<WireGeometry, "tip">) {
  return <path className={classes["arrow"]} d={ARROW} transform={`translate(${x} ${y}) rotate(${angle})`} />;
}

export function StartMark({ at, d, tip }: StartGeometry) {
  return (
    <g className={classes["start"]}>
      <circle cx={at[0]} cy={at[1]} r={START / 2} />
      <path className={classes["line"]} d={d} />
      <Arrow tip={tip} />
    </g>
  );
}

interface PillProps {
  readonly wire: Wire;
  readonly geometry: WireGeometry;
  readonly tone: WireTone;
  readonly words: boolean;
  /** Per minute, as written; empty for none. */
  readonly flow: string;
  readonly onWire: ((id: string) => void) | undefined;
}

export const WirePill = memo(function WirePill({ wire, geometry, tone, words, flow, onWire }: PillProps) {
  const click = onWire && ((event: MouseEvent) => (event.stopPropagation(), onWire(wire.id)));
  return (
    <g className={classes["pillGroup"]} data-tone={tone} data-clickable={onWire ? true : undefined} onClick={click}>
      {words && geometry.pill && <Words wire={wire} at={geometry.pill} />}
      {flow !== "" && <Flow text={flow} at={geometry.flow} />}
    </g>
  );
});

function Words({
  wire,
  at: [x, y, width, height],
}: {
  readonly wire: Wire;
  readonly at: readonly [number, number, number, number];
}) {
  return (
    <>
      <rect className={classes["pill"]} x={x} y={y} width={width} height={height} rx={Math.min(height / 2, 10)} />
      {wire.labels.map(({ kind, text, guard }, index) => {
        const middle = y + PILL.top + (index + 0.5) * PILL.row;
        const after = text === "" ? 0 : textWidth(text, ROW.size, ROW.weight) + PILL.gap;
        return (
          <g key={`${kind}${text}${guard}`}>
            <circle className={classes["dot"]} data-kind={kind} cx={x + PILL.dot} cy={middle} r={2.5} />
            <text className={classes["words"]} x={x + PILL.start} y={middle + 4}>
              {text}
              {guard !== "" && (
                <tspan className={classes["guard"]} x={x + PILL.start + after}>
                  {guard}
                </tspan>
              )}
            </text>
          </g>
        );
      })}
    </>
  );
}

function Flow({ text, at: [x, y] }: { readonly text: string; readonly at: readonly [number, number] }) {
  const width = Math.max(16, text.length * 6.6 + 9);
  return (
    <>
      <rect className={classes["flow"]} x={x - width / 2} y={y - 7.5} width={width} height={15} rx={7.5} />
      <text className={classes["flowText"]} x={x} y={y + 3.6} textAnchor="middle">
        {text}
      </text>
    </>
  );
}
