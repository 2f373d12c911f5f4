// The list of actors as a table. Pure: rows, the time and the width in, lines out.
import { colourOf, plain } from "../paint.ts";
import { countLine, rowLines, type Column, type Look } from "../terminal/table.ts";
import { span, until } from "../terminal/times.ts";
import type { ActorList, ActorRow } from "./answers.ts";

const COLUMNS: readonly Column<ActorRow>[] = [
  { head: "KIND", text: ({ kind }) => kind, colour: () => "dim" },
  { head: "ID", text: ({ id }) => id },
  { head: "NAME", text: ({ name }) => plain(name), colour: () => "bold", least: 8 },
  { head: "STATE", text: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: "FOR", text: ({ since }, now) => span(now - since) },
  { head: "WAKES", text: ({ wakeAt }, now) => (wakeAt === null ? "-" : until(wakeAt, now)) },
  { head: "DOING", text: doing, colour: ({ fault }) => (fault ? "red" : undefined), least: 6 },
];
/** Only where something went wrong. */
const ERROR: Column<ActorRow> = { head: "ERROR", text: ({ error }) => plain(error), colour: () => "red", least: 12 };

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
export function tableLines({ items, total }: ActorList, look: Look): string[] {
  if (total === 0) return [look.paint("dim", "no actors")];
  const shown = items.some(({ error }) => error !== "") ? [...COLUMNS, ERROR] : COLUMNS;
  return [...rowLines(shown, items, look), countLine(items.length, total, "actor", look)];
}
