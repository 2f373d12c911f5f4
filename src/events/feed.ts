// The live feed: what came since a place in the log, then every event as it gets its position, to those who listen and
// may hear it (rules events.log). Where reading ends and listening begins nothing is lost and nothing comes twice.
import type { WebSocket } from "ws";
import { z } from "zod";
import { Refusal, socket, type Caller, type Condition, type Socket } from "../http/index.ts";
import { mayHear } from "./audience.ts";
import type { Catalogue } from "./catalogue.ts";
import { envelopeText } from "./envelope.ts";
import type { CursorParameter } from "./cursor-parameter.ts";
import type { Log } from "./log.ts";
import type { LogCursor } from "./log-cursor.ts";
import type { Begin, LogEvent, LogReader } from "./log-reader.ts";
import type { LogTail, Seat } from "./log-tail.ts";

/** A reader that has this much waiting is cut off; the log has what it missed. */
const MOST_WAITING = 1 << 20;
/** Close code of a stream whose cursor is no longer known. */
const CURSOR_EXPIRED = 4410;
/** Events that are read at once for somebody who was away. */
const PAGE = 500;

export interface FeedDeps {
  readonly catalogue: Catalogue;
  readonly reader: LogReader;
  readonly tail: LogTail;
  readonly cursor: CursorParameter;
  /** What of the log a caller may hear. */
  readonly heardBy: (caller: Caller) => Condition[];
  readonly log: Log;
}

export class Feed {
  readonly #deps: FeedDeps;
  /** The route of the feed. */
  readonly socket: Socket;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.socket = socket({
      path: "/events/stream",
      scope: "",
      summary: "Live feed of envelopes, as far as the caller's scopes go",
      query: z.object({ cursor: deps.cursor.optional() }),
      // The end as it is now: what comes after the handshake is heard, however long the first look takes.
      handle: (reader, { caller, query }) => void this.#serve(reader, caller, query.cursor ?? this.#end()),
    });
  }

  #end(): Begin | undefined {
    const { position } = this.#deps.tail;
    return position === undefined ? undefined : { position };
  }

  async #serve(reader: WebSocket, caller: Caller, from: LogCursor | Begin | undefined): Promise<void> {
    let seat: Seat | undefined;
    reader.on("close", () => seat?.leave());
    try {
      seat = await this.#deps.tail.join();
      if (isOver(reader)) return seat.leave();
      await this.#catchUp(reader, caller, from ?? { position: seat.position }, seat);
    } catch (error) {
      seat?.leave();
      if (error instanceof Refusal && error.kind === "cursor_expired")
        return reader.close(CURSOR_EXPIRED, error.message);
      this.#deps.log.warn({ err: error }, "a live feed could not be begun");
      reader.close(1013, "try again");
    }
  }

  /**
   * Sends what came since, until the end of the log is reached, and listens from there on. That the end is reached and
   * the listening are one step: between two, an event would be lost.
   */
  async #catchUp(reader: WebSocket, caller: Caller, from: LogCursor | Begin, seat: Seat): Promise<void> {
    const { tail } = this.#deps;
    const where = this.#deps.heardBy(caller);
    let at = from;
    for (;;) {
      const { rows, more, to } = await this.#deps.reader.page(at, PAGE, where);
      if (isOver(reader)) return seat.leave();
      let sent: Promise<void> = Promise.resolve();
      for (const event of rows) sent = this.#send(reader, to.epoch, event);
      if (!more && (tail.position ?? 0) <= to.position) {
        return seat.listen((events) => {
          for (const event of events) if (event.position > to.position) this.#tell(reader, caller, to.epoch, event);
        });
      }
      at = to;
      // A reader that takes its time takes that of nobody else.
      await sent;
    }
  }

  #tell(reader: WebSocket, caller: Caller, epoch: string, event: LogEvent): void {
    // The caller's own scopes, which may be less than its account's. A reader whose rights change is closed.
    if (!mayHear(this.#deps.catalogue, caller, caller.adminId, event)) return;
    if (reader.bufferedAmount > MOST_WAITING) reader.close(1013, "too slow");
    else void this.#send(reader, epoch, event);
  }

  /** Resolves when it is on its way, or the reader has gone. */
  #send(reader: WebSocket, epoch: string, event: LogEvent): Promise<void> {
    const cursor = this.#deps.reader.textOf({ epoch, position: event.position, id: event.id, time: event.time });
    const text = `${envelopeText(event).slice(0, -1)},"cursor":${JSON.stringify(cursor)}}`;
    return new Promise((resolve) => reader.send(text, () => resolve()));
  }
}

function isOver({ readyState, OPEN }: WebSocket): boolean {
  return readyState !== OPEN;
}
