// The log of an actor's errands as it is written: the newest lines, by number, none twice. After a break it goes on
// behind the last one that came.
import type { KeptSocket, SocketOwner } from "../../api/socket-owner.ts";
import type { LogLine, LogPage } from "../wire.ts";

/** A page shows the newest lines; all of them are in the API. */
export const MOST_SHOWN = 500;

export interface LogPicture {
  /** Oldest first. */
  readonly rows: readonly LogLine[];
  /** The first frame has come. */
  readonly read: boolean;
  /** There are older lines that are not shown. */
  readonly cut: boolean;
}

export class LogFeed {
  readonly #socket: KeptSocket;
  readonly #listeners = new Set<() => void>();
  #cursor = 0;
  #picture: LogPicture = { rows: [], read: false, cut: false };

  /** `socket`: a connection; the owner's path is the cursor behind which it begins. */
  constructor(socket: (owner: SocketOwner) => KeptSocket) {
    this.#socket = socket({
      path: () => String(this.#cursor),
      message: (data) => this.#take(data as LogPage),
      changed: () => {},
    });
  }

  readonly picture = (): LogPicture => this.#picture;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  start(): void {
    this.#socket.open();
  }

  stop(): void {
    this.#socket.close();
  }

  #take({ rows, cursor }: LogPage): void {
    this.#socket.works();
    // A panel that came back from a backup has fewer lines, or others under the same numbers.
    const another = cursor < this.#cursor || (rows[0] !== undefined && rows[0].seq <= this.#cursor);
    this.#cursor = cursor;
    if (this.#picture.read && !another && rows.length === 0) return;
    const all = another ? rows : [...this.#picture.rows, ...rows];
    const shown = all.slice(-MOST_SHOWN);
    this.#picture = { rows: shown, read: true, cut: (shown[0]?.seq ?? 1) > 1 };
    for (const listener of this.#listeners) listener();
  }
}
