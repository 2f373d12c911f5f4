// Where an actor stood at a moment, and what it would do with an event, in words. Pure: answers in, lines out.
import { z } from "zod";
import { colourOf, plain } from "../paint.ts";
import { eventWords, Journal, type Preview } from "./answers.ts";
import { journalLines } from "./detail.ts";
import type { Look } from "../terminal/table.ts";
import { clockTime, span } from "../terminal/times.ts";

/** An actor at a moment: its last transition until then, and those before. `state` null: it was not there yet. */
export const Then = z.object({
  kind: z.string(),
  id: z.string(),
  at: z.number(),
  state: z.string().nullable(),
  journal: Journal.shape.items,
  total: z.number(),
});
export type Then = z.output<typeof Then>;

export function thenLines({ kind, id, at, state, journal, total }: Then, look: Look): string[] {
  const { paint, now } = look;
  const when = `${kind} ${id} at ${clockTime(at, now)}, ${span(now - at)} ago`;
  const [last] = journal;
  if (state === null || !last) return [`${paint("bold", when)}: it was not there yet`];
  // Steps that lead back to the same state do not begin a stay.
  const entered = journal.find(({ from, to }) => from !== to);
  const since = entered ? `, since ${clockTime(entered.at, now)}` : "";
  return [
    `${paint("bold", when)}: ${paint(colourOf(state), state)}${since}`,
    `last ${eventWords(last.event)}, by ${plain(last.actor)}, at ${clockTime(last.at, now)}`,
    ...Object.entries(last.changed).map(([field, [before, after]]) => `  ${field}: ${said(before)} → ${said(after)}`),
    "",
    ...journalLines({ items: journal, total }, look),
  ];
}

const said = (value: unknown) => plain(typeof value === "string" ? value || "-" : JSON.stringify(value));

const DEEDS: Readonly<Record<string, string>> = {
  start: "starts",
  arm: "sets the deadline",
  cancel: "cancels the deadline",
  emit: "says",
};

/** `event` as it was asked for. */
export function previewLines(event: string, { from, to, actions, taken, refused }: Preview, { paint }: Look): string[] {
  if (!taken) return [`${eventWords(event)} would not be taken: ${plain(refused)}`];
  return [
    `${eventWords(event)} would lead: ${paint(colourOf(from), from)} → ${paint(colourOf(to), to)}`,
    ...actions.map(({ type, name }) => `  ${DEEDS[type] ?? type} ${eventWords(name).replace(/^after /, "")}`),
    paint("dim", "nothing was changed"),
  ];
}
