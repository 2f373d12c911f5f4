// Shows answers once, or for as long as somebody watches: drawn on a terminal, as JSON in a pipe.
import { setTimeout as pause } from "node:timers/promises";
import { cut, paintFor, plain } from "../paint.ts";
import { Screen, sizeOf } from "./screen.ts";
import type { Source } from "../source.ts";
import type { Look } from "./table.ts";

/** Between looks while somebody watches. */
const WATCH_MS = 500;

export interface View {
  readonly targets: readonly string[];
  /** The JSON that is printed, from the answers to `targets`. Throws a sentence where there is nothing to show. */
  answer(answers: readonly unknown[]): object;
  lines(answer: object, look: Look): string[];
}

export interface ShowOptions {
  readonly json: boolean;
  readonly watch: boolean;
}

const seconds = () => Math.floor(Date.now() / 1000);

/**
 * Resolves when it is shown; of a watch, when its reader ends it or goes away. Rejects with a sentence when it cannot
 * be read at first.
 */
export async function show(source: Source, view: View, { json, watch }: ShowOptions): Promise<void> {
  const { stdout } = process;
  const paint = paintFor(stdout);
  const read = async () => view.answer(await source.read(view.targets));
  const first = await read();
  const drawn = (answer: object, columns: number) => view.lines(answer, { paint, now: seconds(), columns });
  if (!watch) {
    if (json) stdout.write(`${JSON.stringify(first)}\n`);
    else {
      for (const line of drawn(first, sizeOf(stdout).columns)) stdout.write(`${line}\n`);
      if (source.note !== undefined) process.stderr.write(`${source.note}\n`);
    }
    return;
  }
  const ended = watchEnds(stdout);
  if (json) return follow(read, first, ended, (answer) => void stdout.write(`${JSON.stringify(answer)}\n`));
  let answer = first;
  let away: string | undefined;
  const screen = new Screen(stdout, ({ columns, rows }) => {
    const note = away ?? source.note;
    const status = note === undefined ? "Ctrl-C ends" : plain(note);
    // The line of the watch itself stands below what fits, and is not left behind.
    const body = drawn(answer, columns).slice(0, Math.max(1, rows - 3));
    return rows === Number.MAX_SAFE_INTEGER
      ? body
      : [...body, "", paint(note === undefined ? "dim" : "yellow", cut(status, columns))];
  });
  screen.open();
  // Moments run on between two answers.
  const ticks = setInterval(() => screen.draw(), 1000);
  try {
    await follow(
      async () => {
        const next = await read();
        away = undefined;
        return next;
      },
      first,
      ended,
      (next) => {
        answer = next;
        screen.draw();
      },
      (error) => {
        away ??= `no answer since ${new Date().toTimeString().slice(0, 8)}: ${messageOf(error)}`;
      },
    );
  } finally {
    clearInterval(ticks);
    screen.close();
  }
}

/**
 * Tells every answer that differs from the one before, beginning with the first, until ended. A read that fails is told
 * and repeated.
 */
async function follow(
  read: () => Promise<object>,
  first: object,
  ended: AbortSignal,
  tell: (answer: object) => void,
  fail: (error: unknown) => void = (error) => process.stderr.write(`${messageOf(error)}\n`),
): Promise<void> {
  let told = JSON.stringify(first);
  let failing = "";
  tell(first);
  while (await waited(ended)) {
    try {
      const answer = await read();
      failing = "";
      const text = JSON.stringify(answer);
      if (text !== told) tell(answer);
      told = text;
    } catch (error) {
      if (messageOf(error) !== failing) fail(error);
      failing = messageOf(error);
    }
  }
}

/** False once the watch has ended. */
async function waited(ended: AbortSignal): Promise<boolean> {
  try {
    await pause(WATCH_MS, undefined, { signal: ended });
    return true;
  } catch (error) {
    if (!ended.aborted) throw error;
    return false;
  }
}

/** Aborted by Ctrl-C, by a signal to end, and when the reader of the pipe has closed it. */
function watchEnds(stdout: NodeJS.WriteStream): AbortSignal {
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end.abort());
  stdout.on("error", () => end.abort());
  return end.signal;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
