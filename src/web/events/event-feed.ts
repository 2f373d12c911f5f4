// The events of a page: the newest of the log, the live feed on top of them, older ones on request. Each comes once,
// none is missed; while somebody reads, new ones wait.
//
// Where the feed begins is before the newest page is read: what is in both is known by its id. After a break the feed
// goes on behind the last cursor.
import type { ApiError } from "../../client/api-error.ts";
import type { KeptSocket, LinkState, SocketOwner } from "../api/socket-owner.ts";
import type { RaisedEvent } from "./raised-event.ts";

/** Events of one request. */
export const PAGE = 50;
/** A list that follows keeps so many: the rest is in the log. */
const MOST_FOLLOWED = 500;
/** So many wait for a reader; with more of them the list is read again. */
const MOST_WAITING = 200;
/** Frames that come together are drawn once. */
const PACE_MS = 100;
/** Close code of a feed whose cursor is not known any more. */
const CURSOR_EXPIRED = 4410;
/** Close code of a feed whose account may do more or less than when it was opened. */
const RIGHTS_CHANGED = 4403;

interface LogPage {
  readonly items: readonly RaisedEvent[];
}

export interface FeedSource {
  /** The log from the newest on, without the first `offset`. */
  readonly list: (offset: number, signal: AbortSignal) => Promise<LogPage>;
  /** A connection to the feed; the owner's path is the cursor behind which it begins, empty: now. */
  readonly socket: (owner: SocketOwner) => KeptSocket;
}

export interface FeedPicture {
  /** Newest first. */
  readonly rows: readonly RaisedEvent[];
  /** New ones that are not shown yet. `many`: these, or more. */
  readonly waiting: number;
  readonly many: boolean;
  readonly older: "some" | "none" | "loading";
  /** The first answer has come. */
  readonly read: boolean;
  /** Why the last request failed. */
  readonly error: ApiError | undefined;
  readonly link: LinkState;
}

interface Frame extends RaisedEvent {
  readonly cursor: string;
}

export class EventFeed {
  readonly #source: FeedSource;
  readonly #socket: KeptSocket;
  readonly #listeners = new Set<() => void>();
  #ended = new AbortController();
  #rows: readonly RaisedEvent[] = [];
  #waiting: readonly RaisedEvent[] = [];
  #many = false;
  #known = new Set<number>();
  #cursor = "";
  #held = false;
  #older: FeedPicture["older"] = "none";
  #read = false;
  #error: ApiError | undefined;
  #frames: Frame[] = [];
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #picture: FeedPicture;

  constructor(source: FeedSource) {
    this.#source = source;
    this.#socket = source.socket({
      path: () => this.#cursor,
      opened: () => {
        this.#socket.works();
        // With a cursor the feed sends what came meanwhile; without one only the log knows it.
        if (this.#cursor === "" || !this.#read || this.#error) void this.#readNewest();
      },
      message: (data) => this.#take(data as Frame),
      ended: (code) => {
        // What was read belongs to another history, or to other rights.
        if (code !== CURSOR_EXPIRED && code !== RIGHTS_CHANGED) return;
        this.#cursor = "";
        this.#clear();
      },
      changed: () => this.#tell(),
    });
    this.#picture = this.#paint();
  }

  start(): void {
    this.#ended = new AbortController();
    this.#socket.open();
    void this.#readNewest();
  }

  stop(): void {
    this.#ended.abort();
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#socket.close();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly picture = (): FeedPicture => this.#picture;

  /** While held, what comes waits. */
  hold(held: boolean): void {
    if (this.#held === held) return;
    this.#held = held;
    if (!held) this.release();
  }

  /** Shows what waits. */
  release(): void {
    if (this.#many) {
      this.#clear();
      this.#tell();
      return void this.#readNewest();
    }
    if (this.#waiting.length === 0) return;
    const news = this.#waiting;
    this.#waiting = [];
    this.#show(news);
    this.#tell();
  }

  readonly retry = (): void => void this.#readNewest();

  /** Adds events that happened before the last one that is shown. */
  readonly readOlder = async (): Promise<void> => {
    if (this.#older !== "some") return;
    this.#older = "loading";
    this.#tell();
    let offset = this.#rows.length + this.#waiting.length;
    for (;;) {
      const page = await this.#ask(offset);
      if (page === undefined) {
        this.#older = "some";
        return this.#tell();
      }
      const fresh = this.#fresh(page.items);
      this.#rows = [...this.#rows, ...fresh];
      this.#older = page.items.length < PAGE ? "none" : "some";
      // New events push older ones back: a page of known ones says only that there were many.
      if (fresh.length > 0 || this.#older === "none") return this.#tell();
      offset += page.items.length;
    }
  };

  async #readNewest(): Promise<void> {
    const page = await this.#ask(0);
    if (page === undefined) return this.#tell();
    const first = !this.#read;
    const fresh = this.#fresh(page.items);
    const full = page.items.length === PAGE;
    this.#read = true;
    if (first) {
      this.#rows = [...this.#rows, ...fresh].toSorted((a, b) => b.time - a.time);
      this.#older = full ? "some" : "none";
    } else if (full && fresh.length === PAGE) this.#gap(fresh);
    else if (fresh.length > 0) this.#arrive(fresh);
    this.#tell();
  }

  /** Nothing of a whole page was known: between it and what is shown something may be missing. */
  #gap(page: readonly RaisedEvent[]): void {
    if (this.#held) {
      this.#many = true;
      this.#waiting = [];
      return;
    }
    // What came while the page was read is newer than it.
    const newest = page[0]?.time ?? 0;
    const newer = this.#rows.filter(({ time }) => time >= newest);
    this.#clear();
    this.#read = true;
    this.#rows = [...this.#fresh(newer), ...this.#fresh(page)];
    this.#older = "some";
  }

  #clear(): void {
    this.#rows = [];
    this.#waiting = [];
    this.#many = false;
    this.#known = new Set();
    this.#read = false;
    this.#older = "none";
  }

  async #ask(offset: number): Promise<LogPage | undefined> {
    const { signal } = this.#ended;
    try {
      const page = await this.#source.list(offset, signal);
      this.#error = undefined;
      return signal.aborted ? undefined : page;
    } catch (error) {
      if (!signal.aborted) this.#error = error as ApiError;
      return undefined;
    }
  }

  #take(frame: Frame): void {
    this.#socket.works();
    this.#cursor = frame.cursor;
    this.#frames.push(frame);
    this.#drawing ??= setTimeout(() => this.#draw(), PACE_MS);
  }

  #draw(): void {
    this.#drawing = undefined;
    const frames = this.#frames.toReversed();
    this.#frames = [];
    const fresh = this.#fresh(frames);
    if (fresh.length === 0) return;
    this.#arrive(fresh);
    this.#tell();
  }

  /** Returns the events that are new here, newest first as they came, and adds them to the known ones. */
  #fresh(events: readonly RaisedEvent[]): readonly RaisedEvent[] {
    const fresh = events.filter(({ id }) => !this.#known.has(id));
    for (const { id } of fresh) this.#known.add(id);
    return fresh;
  }

  #arrive(fresh: readonly RaisedEvent[]): void {
    if (!this.#held) return this.#show(fresh);
    if (this.#many) return;
    this.#waiting = [...fresh, ...this.#waiting];
    if (this.#waiting.length <= MOST_WAITING) return;
    this.#many = true;
    this.#waiting = [];
  }

  #show(news: readonly RaisedEvent[]): void {
    const rows = [...news, ...this.#rows];
    this.#rows = rows.slice(0, MOST_FOLLOWED);
    if (rows.length === this.#rows.length) return;
    for (const { id } of rows.slice(MOST_FOLLOWED)) this.#known.delete(id);
    this.#older = "some";
  }

  #paint(): FeedPicture {
    return {
      rows: this.#rows,
      waiting: this.#many ? MOST_WAITING : this.#waiting.length,
      many: this.#many,
      older: this.#older,
      read: this.#read,
      error: this.#error,
      link: this.#socket.state,
    };
  }

  #tell(): void {
    this.#picture = this.#paint();
    for (const listener of this.#listeners) listener();
  }
}
