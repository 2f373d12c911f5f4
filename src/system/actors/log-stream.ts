// The log of an actor's errands as it is written, by any process (rules inspector.log).
//
// Invariants:
// - A frame has the lines behind the cursor of the one before it, in their order, none twice and none left out. The
//   first frame comes at once, also if there are no lines.
// - A slow reader gets its next frame when the one before was sent: what waits for it waits in the database.
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Committed, Committer, Reader } from "../../db/index.ts";
import { queryCount, socket, type Socket } from "../../http/index.ts";
import { ERRAND_LINES } from "../../runtime/index.ts";
import { actorParams, type ActorParams } from "./actor.schema.ts";
import { DEFAULT_LINES, logPage } from "./log.queries.ts";
import { LogPage } from "./log.schema.ts";

export interface LogStreamOptions {
  readonly reads: Reader;
  readonly commits: Pick<Committer, "onCommit">;
  readonly onError: (error: unknown) => void;
}

interface LogReader {
  readonly kind: string;
  readonly id: number;
  readonly socket: WebSocket;
  cursor: number;
  sending: boolean;
  /** Lines were written since it was looked last. */
  more: boolean;
}

/** Close code where the log could not be read: the reader comes again with its cursor. */
const TRY_AGAIN = 1013;

export class LogStream {
  readonly #options: LogStreamOptions;
  readonly #readers = new Map<string, Set<LogReader>>();
  readonly #stopListening: () => void;

  constructor(options: LogStreamOptions) {
    this.#options = options;
    this.#stopListening = options.commits.onCommit((committed) => this.#committed(committed));
  }

  stop(): void {
    this.#stopListening();
    for (const readers of this.#readers.values()) for (const reader of readers) reader.socket.close(1001);
  }

  /** Begins to tell a reader the lines behind a cursor. */
  add(opened: WebSocket, kind: string, id: number, cursor: number): void {
    const name = nameOf(kind, id);
    const readers = this.#readers.get(name) ?? new Set<LogReader>();
    this.#readers.set(name, readers);
    const reader = { kind, id, socket: opened, cursor, sending: false, more: false };
    readers.add(reader);
    opened.on("close", () => {
      readers.delete(reader);
      if (readers.size === 0 && this.#readers.get(name) === readers) this.#readers.delete(name);
    });
    void this.#send(reader, true);
  }

  #committed({ facts }: Committed): void {
    for (const { kind, id } of facts.of(ERRAND_LINES))
      for (const reader of this.#readers.get(nameOf(kind, id)) ?? []) void this.#send(reader, false);
  }

  async #send(reader: LogReader, first: boolean): Promise<void> {
    reader.more = true;
    if (reader.sending) return;
    reader.sending = true;
    try {
      for (let isFirst = first; reader.more && reader.socket.readyState === reader.socket.OPEN; isFirst = false) {
        reader.more = false;
        const { kind, id, cursor } = reader;
        const page = (await logPage(this.#options.reads, kind, id, cursor)) ?? { rows: [], cursor: 0 };
        reader.cursor = page.cursor;
        // A frame that is not full went to the end: what comes behind it is told by its commit.
        if (page.rows.length === DEFAULT_LINES) reader.more = true;
        if (isFirst || page.rows.length > 0) await sent(reader.socket, JSON.stringify(page));
      }
    } catch (error) {
      this.#options.onError(error);
      reader.socket.close(TRY_AGAIN);
    } finally {
      reader.sending = false;
    }
  }
}

const nameOf = (kind: string, id: number) => `${kind} ${id}`;

/** Resolves when the text is on its way, or the socket is gone. */
function sent(opened: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => opened.send(text, () => resolve()));
}

/** `existing` refuses actors that neither are there nor have a log. */
export function logSockets(stream: LogStream, existing: (params: ActorParams) => Promise<void>): Socket[] {
  return [
    socket({
      path: "/actors/{kind}/{id}/log/stream",
      scope: "stats:read",
      summary: "The log of an actor's errands as it is written",
      description: "What stands behind `cursor` comes first; each frame carries the cursor to go on with.",
      params: actorParams,
      query: z.object({ cursor: queryCount.optional() }),
      frames: LogPage,
      admit: (_caller, params) => existing(params),
      handle: (client, { params: { kind, id }, query: { cursor = 0 } }) => stream.add(client, kind, id, cursor),
    }),
  ];
}
