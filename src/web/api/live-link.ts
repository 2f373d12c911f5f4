// One WebSocket to the stream of transitions: what it asks for follows the open page; frames are gathered and handed
// out once an animation frame.
import { learnClock } from "./clock.ts";
import { NOTHING_YET, withFrame, type Frame, type Live, type Transition } from "./frames.ts";
import { passHurdle } from "./hurdles.ts";

/**
 * `off`: no page listens, or the caller may not. `paused`: the tab is hidden. `lost`: not connected since then (Unix
 * ms), trying again.
 */
export type LinkState =
  | { readonly status: "off" }
  | { readonly status: "connecting" }
  | { readonly status: "live" }
  | { readonly status: "paused" }
  | { readonly status: "lost"; readonly since: number };

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

/**
 * Close codes of a socket whose session ended, and of one whose account may do more or less than when it was opened.
 */
const SESSION_ENDED = 4401;
const RIGHTS_CHANGED = 4403;
const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;
/** A tab that is only switched away from for a moment keeps its connection. */
const HIDDEN_FOR = 10_000;
/** Rows that wait for a tab which draws nothing. */
const MOST_WAITING = 5000;

class LiveLink {
  #live: Live = NOTHING_YET;
  #state: LinkState = { status: "off" };
  #socket: WebSocket | undefined;
  #wanted = false;
  #begun = false;
  #path = "";
  #failures = 0;
  #retry: number | undefined;
  #hiding: number | undefined;
  #drawing: number | undefined;
  #first = true;
  #frames: { readonly frame: Frame; readonly first: boolean }[] = [];
  readonly #readers = new Set<Reader>();
  readonly #listeners = new Set<() => void>();
  readonly #concerned = new Set<() => void>();

  constructor() {
    document.addEventListener("visibilitychange", () => this.#seen());
    addEventListener("online", () => this.#retryNow());
  }

  /** Begins or ends listening: a caller without the scope has no stream. */
  want(wanted: boolean): void {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    if (!wanted) this.#close({ status: "off" });
    else if (this.#begun) this.#connect();
    else this.#become({ status: "connecting" });
  }

  /**
   * A page is there. Before the first one nothing is connected: it may follow one actor, and what was begun for
   * everything would be for nothing.
   */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (!this.#socket) this.#connect();
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
  readonly state = (): LinkState => this.#state;

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
      if (!this.#socket || this.#path === this.#wantedPath()) return;
      this.#connect();
    });
  }

  #wantedPath(): string {
    const single = [...this.#readers].findLast(({ filter }) => filter.id !== undefined);
    if (!single) return "api/v1/actors/stream";
    const { kind = "", id = "" } = single.filter;
    return `api/v1/actors/stream?${new URLSearchParams({ kind, id }).toString()}`;
  }

  #connect(): void {
    this.#drop();
    if (!this.#wanted) return;
    if (document.hidden) return this.#become({ status: "paused" });
    this.#path = this.#wantedPath();
    if (this.#state.status !== "lost" && this.#state.status !== "live") this.#become({ status: "connecting" });
    const socket = new WebSocket(new URL(this.#path, document.baseURI));
    this.#socket = socket;
    this.#first = true;
    socket.addEventListener("message", (event) => this.#take(JSON.parse(String(event.data)) as Frame));
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (code === SESSION_ENDED) return void this.#signInAgain();
      if (code === RIGHTS_CHANGED) for (const listener of this.#concerned) listener();
      // Started again under the rights of now; where they do not reach the stream any more, `want` ends the tries.
      this.#retryLater();
    });
  }

  #take(frame: Frame): void {
    if (frame.at !== undefined) learnClock(frame.at);
    this.#frames.push({ frame, first: this.#first });
    this.#first = false;
    this.#failures = 0;
    if (this.#state.status !== "live") this.#become({ status: "live" });
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
    // Of everything rows are only ever a sample; of one actor each is meant to come.
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

  async #signInAgain(): Promise<void> {
    this.#become({ status: "lost", since: Date.now() });
    if (await passHurdle("session")) this.#connect();
  }

  #retryLater(): void {
    if (!this.#wanted) return;
    if (this.#state.status !== "lost") this.#become({ status: "lost", since: Date.now() });
    const most = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.#failures);
    this.#failures++;
    // Half of it is random, so that not all readers reconnect to a restarted panel at the same moment.
    this.#retry = window.setTimeout(() => this.#connect(), most / 2 + Math.random() * (most / 2));
  }

  #retryNow(): void {
    if (this.#wanted && this.#begun && !this.#socket) this.#connect();
  }

  #seen(): void {
    window.clearTimeout(this.#hiding);
    if (!document.hidden) return this.#retryNow();
    this.#hiding = window.setTimeout(() => {
      if (this.#wanted) this.#close({ status: "paused" });
    }, HIDDEN_FOR);
  }

  #close(state: LinkState): void {
    this.#drop();
    this.#become(state);
  }

  #drop(): void {
    window.clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The connection of this page load. */
export const link = new LiveLink();
