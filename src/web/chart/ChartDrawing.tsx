// A statechart as a drawing: where an actor is, which way it came and may go, or how many stand where and pass where.
//
// Every box and every wire renders separately, so ten changes a second render only what changed. Boxes are one stop of
// the tab key; arrows go between them.
import { useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { LANGUAGES } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";
import { BoxFrame, BoxHead, type BoxLook } from "./BoxShape.tsx";
import classes from "./chart.module.css";
import { neighbourOf } from "./direction.ts";
import type { Geometry } from "./geometry.ts";
import { holds, type Box, type ChartGraph } from "./graph.ts";
import { countWithin, heatOf, shortNumber } from "./heat.ts";
import { Stop } from "./Stop.tsx";
import { runToken } from "./token.ts";
import { StartMark, WireLine, WirePill, type WireTone } from "./WireShape.tsx";

export interface DrawingHandle {
  /** Lets a token run along wires, as a transition happens. */
  run(wires: readonly string[]): void;
}

export interface ChartDrawingProps {
  readonly graph: ChartGraph;
  readonly geometry: Geometry;
  /** What the drawing is of, for who cannot see it. */
  readonly label: string;
  /** The state that the actor is in. */
  readonly lit?: string | undefined;
  /** The wires of the last transition, and the row where it changed no state (`traceOf`). */
  readonly last?: readonly string[] | undefined;
  readonly lastRow?: string | undefined;
  /** Wires that it could take (`takeableFrom`). */
  readonly takeable?: ReadonlySet<string> | undefined;
  /** Where a tried event would lead. */
  readonly ghost?: { readonly state: string; readonly wires: readonly string[] } | undefined;
  /** What a deadline's row says instead of its name, by event: the time left. Not more than one change a second. */
  readonly due?: ReadonlyMap<string, string> | undefined;
  /** Actors by state. */
  readonly counts?: ReadonlyMap<string, number> | undefined;
  /** Transitions per minute by wire. */
  readonly flow?: ReadonlyMap<string, number> | undefined;
  /** Makes boxes links: to the actors in a state. */
  readonly hrefOf?: ((state: string) => string) | undefined;
  readonly onState?: ((state: string) => void) | undefined;
  readonly onWire?: ((wire: string) => void) | undefined;
  /** What is shown is not of now. */
  readonly dim?: boolean | undefined;
  readonly ref?: Ref<DrawingHandle> | undefined;
}

const NONE: readonly string[] = [];
const ARROWS: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

export function ChartDrawing(props: ChartDrawingProps) {
  const {
    graph,
    geometry,
    label,
    lit,
    last = NONE,
    lastRow,
    takeable,
    ghost,
    due,
    counts,
    flow,
    hrefOf,
    onState,
    onWire,
    dim,
    ref,
  } = props;
  const tokens = useRef<SVGGElement>(null);
  useImperativeHandle(
    ref,
    () => ({
      run(wires) {
        const paths = wires.flatMap((wire) => geometry.wires[wire]?.d ?? []);
        if (tokens.current && paths.length > 0) runToken(tokens.current, paths, classes["token"] ?? "");
      },
    }),
    [geometry],
  );

  const boxes = useMemo(() => [...graph.boxes.values()].toSorted((a, b) => depthOf(a) - depthOf(b)), [graph]);
  const wires = useMemo(() => [...graph.wires.values()], [graph]);
  const stops = useMemo(() => boxes.filter(({ kind }) => kind !== "any"), [boxes]);
  const { locale } = LANGUAGES[useLanguage().language];
  const [focused, setFocused] = useState<string>();
  const stop = focused ?? lit ?? stops[0]?.id;

  const largest = counts ? Math.max(1, ...counts.values()) : 1;
  const busiest = flow ? Math.max(1, ...flow.values()) : 1;
  const lookOf = (box: Box): BoxLook => {
    const count =
      counts === undefined || box.kind === "any" || box.passing
        ? 0
        : box.kind === "compound"
          ? countWithin(counts, box.id)
          : (counts.get(box.id) ?? 0);
    return {
      tone:
        lit === box.id
          ? "lit"
          : ghost?.state === box.id
            ? "ghost"
            : lit !== undefined && holds(box.id, lit)
              ? "around"
              : "plain",
      count: count === 0 ? "" : shortNumber(count, locale),
      heat: box.kind === "compound" ? 0 : heatOf(count, largest),
    };
  };
  const toneOf = (id: string): WireTone =>
    ghost?.wires.includes(id) ? "ghost" : last.includes(id) ? "last" : takeable?.has(id) ? "takeable" : "plain";
  const flowOf = (id: string) => flow?.get(id) ?? 0;
  // What matters is drawn last, above wires that it crosses.
  const drawnWires = wires.toSorted((a, b) => WEIGHT[toneOf(a.id)] - WEIGHT[toneOf(b.id)]);

  function keyed(event: KeyboardEvent<SVGSVGElement>) {
    if (stop === undefined || !ARROWS.has(event.code)) return;
    // At the side of the drawing, too: arrows mean nothing else while a state has the focus.
    event.preventDefault();
    const next = neighbourOf(
      geometry,
      stops.map(({ id }) => id),
      stop,
      event.code,
    );
    if (next === undefined) return;
    setFocused(next);
    event.currentTarget.querySelector<SVGElement>(`[data-state="${CSS.escape(next)}"]`)?.focus();
  }

  const box = (each: Box, part: "frame" | "head" | "both") => {
    const rectangle = geometry.boxes[each.id];
    if (!rectangle) return null;
    const look = lookOf(each);
    const frame = <BoxFrame box={each} rectangle={rectangle} {...look} />;
    const hasDeadline = each.rows.some(({ trigger }) => trigger?.kind === "timer");
    const head = (
      <BoxHead
        box={each}
        rectangle={rectangle}
        left={geometry.heads[each.id] ?? rectangle[0]}
        {...look}
        words={geometry.words}
        due={hasDeadline && lit !== undefined && holds(each.id, lit) ? due : undefined}
        lastRow={each.rows.some(({ id }) => id === lastRow) ? lastRow : undefined}
      />
    );
    if (part === "frame" || each.kind === "any")
      return (
        <g key={each.id}>
          {frame}
          {part === "both" && head}
        </g>
      );
    return (
      <Stop
        key={each.id}
        box={each}
        rectangle={rectangle}
        count={counts?.has(each.id) || each.kind === "compound" ? look.count : ""}
        lit={look.tone === "lit"}
        hot={look.heat > 0.3}
        tabbed={stop === each.id}
        onFocus={setFocused}
        href={each.passing ? undefined : hrefOf?.(each.id)}
        onState={onState}
      >
        {part === "both" && frame}
        {head}
      </Stop>
    );
  };

  return (
    <svg
      className={classes["drawing"]}
      viewBox={`0 0 ${geometry.width} ${geometry.height}`}
      width={geometry.width}
      height={geometry.height}
      direction="ltr"
      role="group"
      aria-label={label}
      data-dim={dim || undefined}
      onKeyDown={keyed}
    >
      {boxes.map((each) => each.kind === "compound" && box(each, "frame"))}
      {drawnWires.map((wire) => {
        const at = geometry.wires[wire.id];
        return (
          at && (
            <WireLine
              key={wire.id}
              wire={wire}
              geometry={at}
              tone={toneOf(wire.id)}
              heat={heatOf(flowOf(wire.id), busiest)}
              onWire={onWire}
            />
          )
        );
      })}
      {graph.starts.map(({ id }) => {
        const at = geometry.starts[id];
        return at && <StartMark key={id} {...at} />;
      })}
      {boxes.map((each) => each.kind !== "compound" && box(each, "both"))}
      {boxes.map((each) => each.kind === "compound" && box(each, "head"))}
      {drawnWires.map((wire) => {
        const at = geometry.wires[wire.id];
        const count = flowOf(wire.id);
        return (
          at && (
            <WirePill
              key={wire.id}
              wire={wire}
              geometry={at}
              tone={toneOf(wire.id)}
              words={geometry.words}
              flow={count > 0 ? shortNumber(count, locale) : ""}
              onWire={onWire}
            />
          )
        );
      })}
      <g ref={tokens} aria-hidden="true" />
    </svg>
  );
}

const WEIGHT: Readonly<Record<WireTone, number>> = { plain: 0, takeable: 1, last: 2, ghost: 3 };

function depthOf({ id }: Box): number {
  return id.split(".").length;
}
