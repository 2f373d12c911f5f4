// Jobs on a terminal: the list as a table, and one with what it refused. Pure: answers in, lines out.
import { cut, plain, type Colour } from "../paint.ts";
import { fieldLine, fieldLines } from "../terminal/fields.ts";
import { countLine, rowLines, type Column, type Look } from "../terminal/table.ts";
import { clockTime, span } from "../terminal/times.ts";
import type { Job, JobList } from "./answers.ts";

const COLOURS: Readonly<Record<string, Colour>> = { succeeded: "green", failed: "red", cancelled: "yellow" };

const COLUMNS: readonly Column<Job>[] = [
  { head: "ID", text: ({ id }) => String(id) },
  { head: "KIND", text: ({ kind }) => plain(kind), colour: () => "dim" },
  { head: "DOES", text: ({ op }) => plain(op), colour: () => "bold" },
  { head: "STATE", text: ({ state }) => state, colour: ({ state }) => COLOURS[state] ?? "cyan" },
  { head: "DONE", text: ({ done, total }) => `${done} of ${total}` },
  { head: "REFUSED", text: ({ blocked, failed }) => String(blocked + failed) },
  { head: "BEGAN", text: ({ createdAt }, now) => `${span(now - createdAt)} ago` },
  { head: "BY", text: ({ actor }) => plain(actor), least: 6 },
];

export function jobTable({ items, total }: JobList, look: Look): string[] {
  if (total === 0) return [look.paint("dim", "no jobs")];
  return [...rowLines(COLUMNS, items, look), countLine(items.length, total, "job", look)];
}

export function jobLines(job: Job, look: Look): string[] {
  const { paint, now } = look;
  const { id, kind, op, state, total, done, affected, blocked, failed, error, undoUntil, undoneBy, undoes } = job;
  const field = (label: string, text: string) => fieldLines(label, [text], look);
  const share = total > 0 ? `, ${Math.floor((Math.min(done, total) / total) * 100)} %` : "";
  return [
    `${paint("bold", plain(op))}  ${paint("dim", `job ${id}, ${plain(kind)}`)}`,
    "",
    fieldLine("State", `${paint(COLOURS[state] ?? "cyan", state)}  ${timesOf(job, now)}`, look),
    ...(error === "" ? [] : field("Because", plain(error))),
    ...field("Done", `${done} of ${total}${share}`),
    ...field("Came to", `${affected} changed, ${blocked} kept as they are, ${failed} refused`),
    ...field("By", `${plain(job.actor)}, at ${clockTime(job.createdAt, now)}`),
    ...(undoUntil > now ? field("Undo", `until ${clockTime(undoUntil, now)}`) : []),
    ...(undoneBy > 0 ? field("Undo", `job ${undoneBy} takes it back`) : []),
    ...(undoes > 0 ? field("Undo", `takes job ${undoes} back`) : []),
    ...problemLines(job, look),
  ];
}

function timesOf({ startedAt, finishedAt, createdAt }: Job, now: number): string {
  if (finishedAt > 0) return `after ${span(finishedAt - createdAt)}, at ${clockTime(finishedAt, now)}`;
  return startedAt > 0 ? `for ${span(now - startedAt)}` : `waits for ${span(now - createdAt)}`;
}

/** The first hundred, as the API lists them. */
function problemLines({ problems, blocked, failed, kind }: Job, { paint, columns }: Look): string[] {
  if (problems.length === 0) return [];
  const all = blocked + failed;
  const what = kind === "users.import" ? "line" : kind === "users.generate" ? "number" : "user";
  return [
    "",
    paint("dim", all > problems.length ? `Refused, the first ${problems.length} of ${all}` : "Refused"),
    ...problems.map(({ id, name, field, error }) => {
      const who = name === undefined ? `${what} ${id}` : `${plain(name)} (${id})`;
      const why = field === undefined || error.startsWith(`${field}:`) ? error : `${field}: ${error}`;
      return cut(`  ${who}  ${plain(why)}`, columns);
    }),
  ];
}
