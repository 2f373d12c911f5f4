// The log of errands: what work outside the database did, line by line, for people who watch it and programs that read
// it. Lines wait in memory for a moment and are written by actor, many in one insert.
//
// Invariants:
// - Lines of one actor have numbers without a gap, whichever processes write them: its row of `errands` is locked.
// - Whoever reads up to a number has read everything before it: a line is never written behind the numbers that others
//   have read.
// - A log has bounds: of the length of a line, of lines between two writes (the rest is counted and said), and of lines
//   in all (the oldest go). It goes with its actor, within the hour.
// - `flush` resolves when the lines before it are on disk or were given up: a result is committed after its lines.
import { stripVTControlCharacters } from "node:util";
import { lock, sql, sweepRows, type Committer, type Draft, type Entity, type SweepStore } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { oneLine } from "../lib/one-line.ts";
import type { ActorRow } from "./actor.entity.ts";
import { errandId, ErrandLineRows, errandLineId, ErrandRows } from "./errand.entity.ts";
import { ERRAND_LINES } from "./facts.ts";

export type LineLevel = "info" | "warning" | "error";
export type LineValue = string | number;

/** The code of a line that a remote program wrote. */
export const OUTPUT = "output";
/** The code of a line that tells how many were left out after the one before it. */
const LEFT_OUT = "lines_left_out";

/** Lines of an actor that are kept. */
export const KEPT_LINES = 5000;
/** Lines of an actor between two writes. */
export const WAITING_LINES = 500;
const TEXT_LENGTH = 2000;
const VALUE_LENGTH = 500;
const CODE_LENGTH = 100;
const MOST_VALUES = 8;
/** How long lines wait for others: five writes a second for an actor at most. */
const WAIT_MS = 200;
/** After a write that failed. */
const AGAIN_MS = 1000;
/** A write is tried this often before its lines are given up. */
const TRIES = 3;

export interface ErrandLine {
  readonly level: LineLevel;
  readonly code: string;
  readonly values: readonly LineValue[];
  readonly text: string;
}

interface DatedLine extends ErrandLine {
  /** Unix milliseconds. */
  readonly at: number;
}

interface Waiting {
  readonly kind: string;
  readonly actorId: number;
  lines: DatedLine[];
  leftOut: number;
  cancel: Cancel | undefined;
  writing: Promise<void> | undefined;
}

export interface ErrandLogOptions {
  readonly commits: Committer;
  readonly clock: Clock;
  readonly onError: (error: unknown, about: string) => void;
}

export class ErrandLog {
  readonly #options: ErrandLogOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #stopping = Promise.withResolvers<void>();
  #stopped = false;

  constructor(options: ErrandLogOptions) {
    this.#options = options;
  }

  add(kind: string, actorId: number, line: ErrandLine): void {
    const waiting = this.#of(kind, actorId);
    if (waiting.lines.length >= WAITING_LINES) {
      waiting.leftOut++;
      return;
    }
    waiting.lines.push({ ...bounded(line), at: this.#options.clock.now() });
    this.#writeLater(waiting, WAIT_MS);
  }

  /** Writes what an actor's errands said so far. Never rejects. */
  async flush(kind: string, actorId: number): Promise<void> {
    const waiting = this.#waiting.get(errandId(kind, actorId));
    if (waiting) await this.#write(waiting);
  }

  /** Writes what waits, once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.resolve();
    await Promise.all([...this.#waiting.values()].map((waiting) => this.#write(waiting)));
  }

  #of(kind: string, actorId: number): Waiting {
    const id = errandId(kind, actorId);
    let waiting = this.#waiting.get(id);
    if (!waiting) {
      waiting = { kind, actorId, lines: [], leftOut: 0, cancel: undefined, writing: undefined };
      this.#waiting.set(id, waiting);
    }
    return waiting;
  }

  #writeLater(waiting: Waiting, milliseconds: number): void {
    if (this.#stopped) return;
    waiting.cancel ??= this.#options.clock.after(milliseconds, () => {
      waiting.cancel = undefined;
      void this.#write(waiting);
    });
  }

  /** Writes of one actor follow each other. */
  async #write(waiting: Waiting): Promise<void> {
    const before = waiting.writing;
    const writing = (async () => {
      await before;
      await this.#writeOnce(waiting);
    })();
    waiting.writing = writing;
    await writing;
    if (waiting.writing !== writing) return;
    waiting.writing = undefined;
    if (waiting.lines.length === 0) this.#waiting.delete(errandId(waiting.kind, waiting.actorId));
  }

  async #writeOnce(waiting: Waiting): Promise<void> {
    const { kind, actorId, leftOut } = waiting;
    const { commits, clock, onError } = this.#options;
    waiting.cancel?.();
    waiting.cancel = undefined;
    const lines = waiting.lines;
    if (lines.length === 0) return;
    waiting.lines = [];
    waiting.leftOut = 0;
    const at = lines.at(-1)?.at ?? clock.now();
    if (leftOut > 0) lines.push({ level: "warning", code: LEFT_OUT, values: [leftOut], text: "", at });
    const unit = {
      name: "errand.lines",
      locks: [lock(ErrandRows, errandId(kind, actorId))],
      decide: (draft: Draft) => append(draft, kind, actorId, lines),
    };
    for (let tried = 1; ; tried++) {
      try {
        return await commits.submit(unit);
      } catch (error) {
        onError(error, `the log of ${kind} ${actorId}`);
        if (this.#stopped || tried === TRIES) return;
      }
      const pause = Promise.withResolvers<void>();
      const cancel = clock.after(AGAIN_MS, pause.resolve);
      await Promise.race([pause.promise, this.#stopping.promise]);
      cancel();
    }
  }
}

/** Writes lines behind those that the actor has, and forgets the oldest. */
function append(draft: Draft, kind: string, actorId: number, lines: readonly DatedLine[]): void {
  const id = errandId(kind, actorId);
  const row = draft.find(ErrandRows, id) ?? { id, kind, actorId, lines: 0, home: null, ticket: null };
  let seq = row.lines;
  for (const line of lines) {
    seq++;
    const { at, level, code, values: args, text } = line;
    draft.insert(ErrandLineRows, {
      id: errandLineId(kind, actorId, seq),
      kind,
      actorId,
      seq,
      at,
      level,
      code,
      args,
      text,
    });
    if (seq > KEPT_LINES) draft.delete(ErrandLineRows, errandLineId(kind, actorId, seq - KEPT_LINES));
  }
  draft.upsert(ErrandRows, { ...row, lines: seq });
  draft.publish(ERRAND_LINES, { kind, id: actorId, seq });
}

/** Kinds of actors by name, as far as a sweep must know them. */
type Kinds = ReadonlyMap<string, { readonly definition: { readonly entity: Entity<ActorRow> } }>;

/**
 * Forgets the logs of actors that are gone; to be called hourly. Lines go before the row that names them, so an
 * interrupted sweep goes on with the next one.
 */
export async function forgetLogs(store: SweepStore, kinds: Kinds): Promise<void> {
  for (const [kind, { definition }] of kinds) {
    const gone = sql`select e.id from errands e where e.kind = ${kind}
      and not exists (select 1 from ${sql.table(definition.entity.name)} u where u.id = e.actor_id)`;
    await sweepRows(store, {
      name: "errand.lines.forget",
      table: "errand_lines",
      alias: "l",
      ids: sql`select l.id from errand_lines l join errands h on h.kind = l.kind and h.actor_id = l.actor_id
        where h.id in (${gone})`,
    });
    await sweepRows(store, { name: "errand.forget", table: "errands", alias: "e", ids: gone });
  }
}

/** A line that any database takes: of bounded length, well formed, with finite numbers. */
function bounded({ level, code, values, text }: ErrandLine): ErrandLine {
  return {
    level,
    code: cut(code, CODE_LENGTH),
    values: values
      .slice(0, MOST_VALUES)
      .map((value) => (Number.isFinite(value) ? value : cut(String(value), VALUE_LENGTH))),
    text: cut(text, TEXT_LENGTH),
  };
}

/** A character in two halves may have been cut apart. */
function cut(text: string, length: number): string {
  return oneLine(oneLine(text).slice(0, length));
}

/** What a remote program wrote, as lines without what would move a terminal's cursor. */
export function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n|\r/)
    .map((line) => oneLine(line))
    .filter((line) => line !== "");
}
