// One WebSocket to the stream of transitions: what it asks for follows the open page; frames are gathered and handed
// out once an animation frame.
import { learnClock } from "./clock.ts";
import { NOTHING_YET, withFrame, type Frame, type Live, type Transition } from "./frames.ts";
import type { LinkState } from "./socket-owner.ts";
import { SteadySocket } from "./steady-socket.ts";

export type { LinkState } from "./socket-owner.ts";

/** Which transitions one reader wants: of one actor, of one kind, or all. */
export interface TransitionFilter {
  readonly kind?: string;
  readonly id?: string;
}

/**
 * `gap`: some may be missing between these and the ones before (a new connection; of one actor, a reader that fell
 * behind), or an actor came into quarantine or left it: what was read must be read again.
 */
export type TransitionListener = (rows: readonly Transition[], gap: boolean) => void;

interface Reader {
  readonly filter: TransitionFilter;
  readonly listener: TransitionListener;
}

/** Close code of a socket whose account may do more or less than when it was opened. */
const RIGHTS_CHANGED = 4403;
/** Rows that wait for a tab which draws nothing. */
const MOST_WAITING = 5000;

const CONNECTING: LinkState = { status: "connecting" };

class LiveLink {
  #live: Live = NOTHING_YET;
  readonly #socket: SteadySocket;
  #wanted = false;
  #begun = false;
  #path = "";
  #drawing: number | undefined;
  #first = true;
  #frames: { readonly frame: Frame; readonly first: boolean }[] = [];
  readonly #readers = new Set<Reader>();
  readonly #listeners = new Set<() => void>();
  readonly #concerned = new Set<() => void>();

  constructor() {
    this.#socket = new SteadySocket({
      path: () => {
        this.#first = true;
        return (this.#path = this.#wantedPath());
      },
      message: (data) => this.#take(data as Frame),
      ended: (code) => {
        if (code === RIGHTS_CHANGED) for (const listener of this.#concerned) listener();
      },
      changed: () => this.#tell(),
    });
  }

  /** Begins or ends listening: a caller without the scope has no stream. */
  want(wanted: boolean): void {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    if (!wanted) this.#socket.close();
    else if (this.#begun) this.#socket.open();
    else this.#tell();
  }

  /**
   * A page is there. Before the first one nothing is connected: it may follow one actor, and what was begun for
   * everything would be for nothing.
   */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (this.#wanted) this.#socket.open();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /**
   * Calls `listener` when the account's rights changed: what was read under the old ones must be read again. Returns
   * the way to stop.
   */
  readonly whenRightsChange = (listener: () => void): (() => void) => {
    this.#concerned.add(listener);
    return () => this.#concerned.delete(listener);
  };
  readonly live = (): Live => this.#live;
  readonly state = (): LinkState => (this.#wanted && !this.#begun ? CONNECTING : this.#socket.state);

  read(filter: TransitionFilter, listener: TransitionListener): () => void {
    const reader: Reader = { filter, listener };
    this.#readers.add(reader);
    this.#follow();
    return () => {
      this.#readers.delete(reader);
      this.#follow();
    };
  }

  /**
   * Asks for one actor if the page shows one, otherwise for everything. Going from one page to the next uses one
   * connection, not two.
   */
  #follow(): void {
    queueMicrotask(() => {
      if (this.#path !== this.#wantedPath()) this.#socket.renew();
    });
  }

  #wantedPath(): string {
    const single = [...this.#readers].findLast(({ filter }) => filter.id !== undefined);
    if (!single) return "api/v1/actors/stream";
    const { kind = "", id = "" } = single.filter;
    return `api/v1/actors/stream?${new URLSearchParams({ kind, id }).toString()}`;
  }

  #take(frame: Frame): void {
    if (frame.at !== undefined) learnClock(frame.at);
    this.#frames.push({ frame, first: this.#first });
    this.#first = false;
    this.#socket.works();
    if (this.#frames.length > MOST_WAITING) this.#draw();
    this.#drawing ??= requestAnimationFrame(() => this.#draw());
  }

  /** Everything that arrived since the last drawing, once. */
  #draw(): void {
    if (this.#drawing !== undefined) cancelAnimationFrame(this.#drawing);
    this.#drawing = undefined;
    const frames = this.#frames;
    this.#frames = [];
    const rows = frames.flatMap(({ frame }) => frame.rows);
    // A stream of all actors is only a sample, so dropped rows are no gap. A stream of one actor is meant to have
    // every row, so a dropped row is a gap.
    const whole = this.#path.includes("id=");
    const gap = frames.some(({ frame, first }) => first || (whole && frame.dropped > 0));
    this.#live = frames.reduce((live, { frame, first }) => withFrame(live, frame, first), this.#live);
    const faults = frames.flatMap(({ frame }) => frame.faults ?? []);
    for (const { filter, listener } of this.#readers) {
      const isWanted = ({ kind, id }: { readonly kind: string; readonly id: string }) =>
        (filter.kind ?? kind) === kind && (filter.id ?? id) === id;
      const wanted = rows.filter(isWanted);
      // Only a new answer says what a fault is.
      const stale = gap || faults.some(isWanted);
      if (wanted.length > 0 || stale) listener(wanted, stale);
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The connection of this page load. */
export const link = new LiveLink();
