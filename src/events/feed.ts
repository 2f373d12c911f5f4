// The live feed: every event, as it commits, to those who listen and may hear it (decisions 12).
//
// Events of this process come with their commit. On PostgreSQL those of other processes are found by a poll of the last seconds, while
// somebody listens: event ids do not grow with time across processes, so what was seen is remembered by id.
import type { WebSocket } from "ws";
import { sql, type Committed, type Reader } from "../db/index.ts";
import { socket, type Caller, type Socket } from "../http/index.ts";
import { EventRows, type EventRow } from "../runtime/index.ts";
import { mayHear } from "./audience.ts";
import { envelopeText } from "./envelope.ts";
import type { Log } from "./log.ts";

const POLL_MS = 1000;
/** Seconds that are looked back: longer than a commit takes and clocks differ. */
const LOOK_BACK = 30;
/** A reader that has this much waiting is cut off; the log has what it missed. */
const MOST_WAITING = 1 << 20;

export interface FeedDeps {
  readonly reads: Reader;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export class Feed {
  readonly #deps: FeedDeps;
  readonly #readers = new Map<WebSocket, Caller>();
  /** While polling: events sent out in the last seconds, id → Unix seconds. */
  readonly #seen = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #since = 0;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** The route of the feed. */
  readonly socket: Socket = socket({
    path: "/events/stream",
    scope: "",
    summary: "Live feed of envelopes, as far as the caller's scopes go",
    handle: (reader, { caller }) => this.#add(reader, caller),
  });

  /** Follows the commits of this process. */
  follow({ facts }: Committed): void {
    if (this.#readers.size === 0) return;
    // The fact `event` is the outbox's, and always a row of events.
    for (const event of (facts["event"] ?? []) as EventRow[]) {
      if (this.#timer) this.#seen.set(event.id, event.time);
      this.#tell(event);
    }
  }

  /** Looks once for events of other processes. Never rejects. */
  async poll(): Promise<void> {
    const { reads, now, log } = this.#deps;
    const seconds = Math.floor(now() / 1000);
    for (const [id, time] of this.#seen) if (time < seconds - 2 * LOOK_BACK) this.#seen.delete(id);
    try {
      const from = Math.max(this.#since, seconds - LOOK_BACK);
      const rows = await reads.rows(EventRows, sql`select * from events where time >= ${from} order by time, id`);
      for (const event of rows) {
        if (this.#seen.has(event.id)) continue;
        this.#seen.set(event.id, event.time);
        this.#tell(event);
      }
    } catch (error) {
      log.warn({ err: error }, "events of other processes could not be read");
    }
  }

  /** Ends the poll; the sockets are the server's to close. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #add(reader: WebSocket, caller: Caller): void {
    if (this.#readers.size === 0) this.#begin();
    this.#readers.set(reader, caller);
    reader.on("close", () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.stop();
    });
  }

  #begin(): void {
    this.#seen.clear();
    this.#since = Math.floor(this.#deps.now() / 1000);
    if (this.#deps.reads.dialect === "postgresql") this.#timer ??= setInterval(() => void this.poll(), POLL_MS);
  }

  #tell(event: EventRow): void {
    const text = envelopeText(event);
    for (const [reader, caller] of this.#readers) {
      // The caller's own scopes, which may be less than its account's.
      if (!mayHear(caller, caller.adminId, event)) continue;
      if (reader.bufferedAmount > MOST_WAITING) reader.close(1013, "too slow");
      else reader.send(text);
    }
  }
}
