// The list of actors as a table. Pure: rows, the time and the width in, lines out.
import { colourOf, cut, plain, widthOf, type Colour, type Paint } from "../paint.ts";
import type { ActorList, ActorRow } from "./answers.ts";
import { span, until } from "./times.ts";

export interface Look {
  readonly paint: Paint;
  /** Unix seconds. */
  readonly now: number;
  /** Width of the terminal. */
  readonly columns: number;
}

interface Column {
  readonly head: string;
  readonly text: (row: ActorRow, now: number) => string;
  readonly colour?: (row: ActorRow) => Colour | undefined;
  /** Cut to no less than this where the lines are too long; absent: never cut. */
  readonly least?: number;
}

const COLUMNS: readonly Column[] = [
  { head: "KIND", text: ({ kind }) => kind, colour: () => "dim" },
  { head: "ID", text: ({ id }) => id },
  { head: "NAME", text: ({ name }) => plain(name), colour: () => "bold", least: 8 },
  { head: "STATE", text: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: "FOR", text: ({ since }, now) => span(now - since) },
  { head: "WAKES", text: ({ wakeAt }, now) => (wakeAt === null ? "-" : until(wakeAt, now)) },
  { head: "DOING", text: doing, colour: ({ fault }) => (fault ? "red" : undefined), least: 6 },
];
/** Only where something went wrong. */
const ERROR: Column = { head: "ERROR", text: ({ error }) => plain(error), colour: () => "red", least: 12 };
const GAP = "  ";

/**
 * The running effects, with the attempt number of a queued one; or a note that nothing runs, because the actor is in
 * quarantine.
 */
function doing({ running, attempts, fault }: ActorRow): string {
  const effects = running.map((src, index) =>
    index === running.length - 1 && attempts > 1 ? `${src} (attempt ${attempts})` : src,
  );
  return [...(fault ? ["quarantined"] : []), ...effects].join(", ") || "-";
}

/** A line a row below the names of the columns, and how many there are in all. */
export function tableLines({ items, total }: ActorList, { paint, now, columns }: Look): string[] {
  if (total === 0) return [paint("dim", "no actors")];
  const shown = items.some(({ error }) => error !== "") ? [...COLUMNS, ERROR] : COLUMNS;
  const cells = items.map((row) => shown.map(({ text }) => text(row, now)));
  const widths = fitted(
    shown,
    shown.map(({ head }, index) => Math.max(head.length, ...cells.map((row) => widthOf(row[index] ?? "")))),
    columns,
  );
  const line = (texts: readonly string[], colour: (index: number) => Colour | undefined) =>
    texts
      .map((text, index) => {
        const fit = cut(text, widths[index] ?? 0);
        const chosen = colour(index);
        const last = index === texts.length - 1;
        return (chosen ? paint(chosen, fit) : fit) + (last ? "" : " ".repeat((widths[index] ?? 0) - widthOf(fit)));
      })
      .join(GAP);
  return [
    line(
      shown.map(({ head }) => head),
      () => "dim",
    ),
    ...items.map((row, at) => line(cells[at] ?? [], (index) => shown[index]?.colour?.(row))),
    paint(
      "dim",
      items.length === total ? `${total} ${total === 1 ? "actor" : "actors"}` : `${items.length} of ${total} actors`,
    ),
  ];
}

/** Widths of columns that fit the line, as far as columns may be cut. */
function fitted(shown: readonly Column[], widths: readonly number[], columns: number): number[] {
  const fit = [...widths];
  let over = fit.reduce((sum, width) => sum + width, 0) + GAP.length * (fit.length - 1) - columns;
  for (const [index, { least }] of [...shown.entries()].toReversed()) {
    if (over <= 0) break;
    if (least === undefined) continue;
    const given = Math.min(over, Math.max(0, (fit[index] ?? 0) - least));
    fit[index] = (fit[index] ?? 0) - given;
    over -= given;
  }
  return fit;
}
