// Reading the log from a place on: oldest first, what the caller may hear, and the place behind all that was looked at.
import { sql, type Reader } from "../db/index.ts";
import { Refusal, type Condition } from "../http/index.ts";
import { EventRows, type EventRow } from "../runtime/index.ts";
import { samePlace, type LogCursor, type LogCursors, type Place } from "./log-cursor.ts";
import { HEAD, LogHeadRows } from "./log-head.entity.ts";

/** Positions of one query: what a caller may not hear is walked through in pieces. */
const WINDOW = 10_000;
/** Positions that are worth a thread of their own on SQLite. */
const FAR = 500;

/** Events that have a position. */
export type LogEvent = EventRow & { readonly position: number };

/** Where somebody begins who has no cursor: at the oldest event that is kept, or where the end was a moment ago. */
export type Begin = "oldest" | { readonly position: number };

export interface LogPage {
  readonly rows: readonly LogEvent[];
  /** Behind all that was looked at. */
  readonly to: LogCursor;
  /** There is more that the caller may hear. */
  readonly more: boolean;
}

export interface LogState {
  readonly epoch: string;
  readonly head: Place;
  /** The log begins behind it. */
  readonly forgotten: Place;
}

export interface LogReaderDeps {
  readonly reads: Reader;
  readonly cursors: LogCursors;
  /** Makes the head where there is none yet. */
  readonly prepare: () => Promise<void>;
  /** Before it resolves nobody knows whether the log is still the one that was read before. */
  readonly ready: () => Promise<void>;
}

export class LogReader {
  readonly #deps: LogReaderDeps;

  constructor(deps: LogReaderDeps) {
    this.#deps = deps;
  }

  /** The text of a cursor. */
  textOf(cursor: LogCursor): string {
    return this.#deps.cursors.write(cursor);
  }

  async state(): Promise<LogState> {
    const { reads, prepare, ready } = this.#deps;
    await ready();
    const found = (await reads.find(LogHeadRows, HEAD)) ?? (await prepare(), await reads.find(LogHeadRows, HEAD));
    if (!found) throw new Error("the log of events has no head");
    return {
      epoch: found.epoch,
      head: { position: found.headPosition, id: found.headId, time: found.headTime },
      forgotten: { position: found.forgottenPosition, id: found.forgottenId, time: found.forgottenTime },
    };
  }

  /**
   * At most `limit` events behind a place that meet the conditions. Throws 410 where the place is none of this log, or
   * where something behind it is no longer kept.
   */
  async page(from: LogCursor | Begin, limit: number, where: readonly Condition[]): Promise<LogPage> {
    const before = await this.state();
    const cursor = isCursor(from) ? from : undefined;
    if (cursor) await this.#refuseStrange(cursor, before);
    const rows: LogEvent[] = [];
    const { head, epoch, forgotten } = before;
    const start = from === "oldest" ? forgotten.position : from.position;
    for (let after = start; after < head.position && rows.length <= limit; after += WINDOW)
      rows.push(
        ...(await this.#window(after, Math.min(after + WINDOW, head.position), limit + 1 - rows.length, where)),
      );
    // What was forgotten meanwhile was not seen.
    if (cursor && start < head.position && (await this.state()).forgotten.position > start) throw expired();
    const more = rows.length > limit;
    const kept = more ? rows.slice(0, limit) : rows;
    return { rows: kept, more, to: { epoch, ...placeOf(more ? kept.at(-1) : undefined, head) } };
  }

  /** Events of a stretch of the log, whoever may hear them. */
  async stretch(after: number, limit: number): Promise<LogEvent[]> {
    return this.#window(after, Number.MAX_SAFE_INTEGER, limit, []);
  }

  async #window(after: number, until: number, limit: number, where: readonly Condition[]): Promise<LogEvent[]> {
    const conditions = where.map((each) => sql`and ${each}`);
    const query = sql`select * from events where position > ${after} and position <= ${until}
      ${conditions.length === 0 ? sql`` : sql.join(conditions, sql` `)} order by position limit ${limit}`;
    const far = where.length > 0 && until - after > FAR;
    const rows = await this.#deps.reads.rows(EventRows, query, far ? { scans: true } : undefined);
    // The condition on the position leaves none without.
    return rows.map((row) => ({ ...row, position: row.position ?? 0 }));
  }

  async #refuseStrange(from: LogCursor, { epoch, head, forgotten }: LogState): Promise<void> {
    if (from.epoch !== epoch || from.position < forgotten.position) throw expired();
    if (samePlace(from, head) || samePlace(from, forgotten)) return;
    const [at] = await this.#deps.reads.query<{ id: number; time: number }>(
      sql`select id, time from events where position = ${from.position}`,
    );
    if (!at || !samePlace(from, { position: from.position, id: at.id, time: at.time })) throw expired();
  }
}

function isCursor(from: LogCursor | Begin): from is LogCursor {
  return typeof from === "object" && "epoch" in from;
}

/** Behind an event; behind the last one that there is where none is given. */
function placeOf(event: LogEvent | undefined, head: Place): Place {
  return event ? { position: event.position, id: event.id, time: event.time } : head;
}

function expired(): Refusal {
  return new Refusal("cursor_expired");
}
