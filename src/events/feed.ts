// The live feed: what came since a place in the log, then every event as it gets its position, to those who listen and
// may hear it (rules events.log). Where reading ends and listening begins nothing is lost and nothing comes twice.
import type { WebSocket } from "ws";
import { Refusal, socket as socketRoute, type Caller, type Condition, type Socket } from "../http/index.ts";
import { mayHear } from "./audience.ts";
import type { Catalogue } from "./catalogue.ts";
import { envelopeText } from "./envelope.ts";
import type { CursorParameter } from "./cursor-parameter.ts";
import type { Log } from "./log.ts";
import type { LogCursor } from "./log-cursor.ts";
import type { Begin, LogEvent, LogReader } from "./log-reader.ts";
import type { LogTail, Seat } from "./log-tail.ts";
import { isSelected, selectedSql, SelectionQuery, type Selection } from "./selection.ts";

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
  /** Conditions for the events of the log that a caller may hear. */
  readonly heardBy: (caller: Caller) => Condition[];
  readonly log: Log;
}

interface FeedReader {
  readonly socket: WebSocket;
  readonly caller: Caller;
  readonly wanted: Selection;
}

export class Feed {
  readonly #deps: FeedDeps;
  /** The route of the feed. */
  readonly socket: Socket;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.socket = socketRoute({
      path: "/events/stream",
      scope: "",
      summary: "Live feed of envelopes, as far as the caller's scopes go",
      query: SelectionQuery.extend({ cursor: deps.cursor.optional() }),
      // The end as it is now: what comes after the handshake is heard, however long the first look takes.
      handle: (socket, { caller, query }) =>
        void this.#serve({ socket, caller, wanted: query }, query.cursor ?? this.#end()),
    });
  }

  #end(): Begin | undefined {
    const { position } = this.#deps.tail;
    return position === undefined ? undefined : { position };
  }

  async #serve(reader: FeedReader, from: LogCursor | Begin | undefined): Promise<void> {
    const { socket } = reader;
    let seat: Seat | undefined;
    socket.on("close", () => seat?.leave());
    try {
      seat = await this.#deps.tail.join();
      if (isOver(socket)) return seat.leave();
      await this.#catchUp(reader, from ?? { position: seat.position }, seat);
    } catch (error) {
      seat?.leave();
      if (error instanceof Refusal && error.kind === "cursor_expired")
        return socket.close(CURSOR_EXPIRED, error.message);
      this.#deps.log.warn({ err: error }, "a live feed could not be begun");
      socket.close(1013, "try again");
    }
  }

  /**
   * Sends what came since, until the end of the log is reached, and listens from there on. That the end is reached and
   * the listening are one step: between two, an event would be lost.
   */
  async #catchUp(reader: FeedReader, from: LogCursor | Begin, seat: Seat): Promise<void> {
    const { tail } = this.#deps;
    const { socket, caller, wanted } = reader;
    const where = [...this.#deps.heardBy(caller), ...selectedSql(wanted)];
    let at = from;
    for (;;) {
      const { rows, more, to } = await this.#deps.reader.page(at, PAGE, where);
      if (isOver(socket)) return seat.leave();
      let sent: Promise<void> = Promise.resolve();
      for (const event of rows) sent = this.#send(socket, to.epoch, event);
      if (!more && (tail.position ?? 0) <= to.position) {
        return seat.listen((events) => {
          for (const event of events) if (event.position > to.position) this.#tell(reader, to.epoch, event);
        });
      }
      at = to;
      // A reader that takes its time takes that of nobody else.
      await sent;
    }
  }

  #tell({ socket, caller, wanted }: FeedReader, epoch: string, event: LogEvent): void {
    // The caller's own scopes, which may be less than its account's. A reader whose rights change is closed.
    if (!isSelected(wanted, event) || !mayHear(this.#deps.catalogue, caller, caller.adminId, event)) return;
    if (socket.bufferedAmount > MOST_WAITING) socket.close(1013, "too slow");
    else void this.#send(socket, epoch, event);
  }

  /** Resolves when it is on its way, or the reader has gone. */
  #send(socket: WebSocket, epoch: string, event: LogEvent): Promise<void> {
    const cursor = this.#deps.reader.textOf({ epoch, position: event.position, id: event.id, time: event.time });
    const text = `${envelopeText(event).slice(0, -1)},"cursor":${JSON.stringify(cursor)}}`;
    return new Promise((resolve) => socket.send(text, () => resolve()));
  }
}

function isOver({ readyState, OPEN }: WebSocket): boolean {
  return readyState !== OPEN;
}
