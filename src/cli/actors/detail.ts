// One actor in words: what it is in and why, what wakes it next, what runs, its fault, and the newest rows of its
// journal. Pure: answers, the time and the width in, lines out.
import { colourOf, cut, plain, widthOf } from "../paint.ts";
import { fieldLine, fieldLines } from "../terminal/fields.ts";
import { eventWords, type ActorDetail, type Journal } from "./answers.ts";
import type { Look } from "../terminal/table.ts";
import { clockTime, shortSpan, span, until } from "../terminal/times.ts";

type Effect = ActorDetail["effects"][number];

/** All that is known of an actor; empty lines part its sections. */
export function detailLines(actor: ActorDetail, journal: Journal, look: Look): string[] {
  const { paint, now } = look;
  const field = (label: string, paragraphs: readonly string[]) => fieldLines(label, paragraphs, look);
  const title = `${paint("bold", plain(actor.name))}  ${paint("dim", `${actor.kind} ${actor.id}`)}`;
  return [
    title,
    "",
    fieldLine(
      "State",
      `${paint(colourOf(actor.state), actor.state)}  for ${span(now - actor.since)}, since ${clockTime(actor.since, now)}`,
      look,
    ),
    ...field("Why", whyLines(actor, now)),
    ...field("Entered", enteredLines(actor, now)),
    ...field("Wakes", wakeLines(actor, now)),
    ...field("Runs", runLines(actor, now)),
    ...faultLines(actor, look, field),
    ...field("Takes", [actor.next.length === 0 ? "no event" : actor.next.join(", ")]),
    ...field("Chart", [`version ${actor.version}; the actor is at revision ${actor.rev}`]),
    "",
    ...contextLines(actor, look),
    "",
    ...journalLines(journal, look),
  ];
}

/**
 * The state's meaning, what the record itself says to it (a node: why it could not be reached), and the transition that
 * led here.
 */
function whyLines({ why, meaning, context: { message } }: ActorDetail, now: number): string[] {
  const lines = [meaning];
  if (typeof message === "string" && message !== "") lines.push(plain(message));
  if (why)
    lines.push(
      `${eventWords(why.event)}, by ${plain(why.actor)}, at ${clockTime(why.at, now)}, ${span(now - why.at)} ago`,
    );
  return lines;
}

/** The transition that brought the actor into its state; empty when that is the last transition. */
function enteredLines({ entered, rev }: ActorDetail, now: number): string[] {
  if (entered?.seq === rev) return [];
  if (!entered) return ["by a transition that is too many steps ago"];
  return [
    `${eventWords(entered.event)}, by ${plain(entered.actor)}, at ${clockTime(entered.at, now)}, ${span(now - entered.at)} ago`,
  ];
}

function wakeLines({ timers }: ActorDetail, now: number): string[] {
  if (timers.length === 0) return ["nothing is set to wake it"];
  return timers
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .map(({ event, dueAt }) => `${eventWords(event)} ${until(dueAt, now)}, at ${clockTime(dueAt, now)}`);
}

/** Queued effects with their attempts, and the effects that run as long as the state. */
function runLines({ running, effects }: ActorDetail, now: number): string[] {
  const queued = new Set(effects.map(({ src }) => src));
  const lines = [
    ...effects.map((effect) => effectWords(effect, now)),
    ...running.filter((src) => !queued.has(src)).map((src) => `${src}, as long as this state lasts`),
  ];
  return lines.length === 0 ? ["nothing"] : lines;
}

function effectWords({ src, attempt, maxAttempts, startedAt, nextAttemptAt, lastError }: Effect, now: number): string {
  const attempts = `attempt ${Math.max(1, attempt)} of ${maxAttempts}`;
  const under = startedAt === null ? "" : `, running for ${span(now - startedAt)}`;
  const next =
    nextAttemptAt === null ? under : attempt === 0 ? ", about to begin" : ` failed, next ${until(nextAttemptAt, now)}`;
  return `${src}: ${attempts}${next}${lastError === "" ? "" : `; last error: ${plain(lastError)}`}`;
}

function faultLines(
  { fault }: ActorDetail,
  { paint, now }: Look,
  field: (label: string, paragraphs: readonly string[]) => string[],
) {
  if (!fault) return [];
  const lines = [
    `left alone since ${clockTime(fault.at, now)}, ${span(now - fault.at)} ago, after ${fault.count} faults; resume it in the panel, or with POST …/resume`,
    plain(fault.message),
  ];
  return field("Fault", lines).map((line) => paint("red", line));
}

function contextLines({ context, measured }: ActorDetail, { paint, columns }: Look): string[] {
  const fields = Object.entries({ ...context, ...measured });
  if (fields.length === 0) return [paint("dim", "Context is empty")];
  const width = Math.max(...fields.map(([name]) => widthOf(name)));
  return [
    paint("dim", "Context"),
    ...fields.map(
      ([name, value]) =>
        `  ${paint("dim", name.padEnd(width))}  ${cut(valueText(name, value), Math.max(8, columns - width - 4))}`,
    ),
  ];
}

/** A timestamp is shown as a date, next to its number. */
function valueText(name: string, value: unknown): string {
  const text = plain(typeof value === "string" ? value || "-" : JSON.stringify(value));
  return typeof value === "number" && value > 1e9 && value < 1e10 && /(At|expiry|reset|now|since|until)$/i.test(name)
    ? `${text}  (${clockTime(value, 0)})`
    : text;
}

/** Its journal alone. */
export function journalLines({ items, total }: Journal, { paint, now, columns }: Look): string[] {
  if (items.length === 0) return [paint("dim", "Journal: nothing of that")];
  const rows = items.map((row) => ({ ...row, time: clockTime(row.at, now), words: eventWords(row.event) }));
  const widest = (text: (row: (typeof rows)[number]) => string) => Math.max(...rows.map((row) => widthOf(text(row))));
  const [seq, time, words] = [widest((row) => String(row.seq)), widest((row) => row.time), widest((row) => row.words)];
  return [
    paint(
      "dim",
      items.length === total ? "Journal, newest first" : `Journal, newest first: ${items.length} of ${total}`,
    ),
    ...rows.map((row) => {
      const head = `  ${String(row.seq).padStart(seq)}  ${row.time.padEnd(time)}  ${row.words.padEnd(words)}  `;
      const states = `${row.from ?? "(new)"} → ${row.to}`;
      const tail = `  ${plain(row.actor)}${row.from === null ? "" : `, after ${shortSpan(row.took)}`}`;
      const room = columns - widthOf(head) - widthOf(states);
      return `${paint("dim", head)}${row.from ?? "(new)"} → ${paint(colourOf(row.to), row.to)}${paint("dim", room > 4 ? cut(tail, room) : "")}`;
    }),
  ];
}
