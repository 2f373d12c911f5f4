// Places that are kept open as a list says, which may change at any time: what is new is opened, what is gone is given
// up after its running answers, and what cannot be opened is tried again.
import type { Server } from "node:net";
import type { ListenPlace } from "../../lib/listen-place.ts";
import { listen, listenFault } from "./listener.ts";

/** Waits between attempts to listen: as soon as that, doubled up to the second. */
const RETRY_MS = 2000;
const MOST_MS = 60_000;

/** A place that is wanted and not listened on. */
export interface ClosedPlace {
  /** As it was written. */
  readonly place: string;
  /** `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, or a sentence. */
  readonly fault: string;
}

/** Told when a place is listened on (`fault` undefined), or why it is not; once for each reason. */
export type PlaceTold = (place: string, fault: string | undefined) => void;

interface Opened {
  close(): Promise<void>;
}

interface Wanted extends ListenPlace {
  opened?: Opened;
  fault?: string;
}

export class PortSet {
  readonly #open: (place: ListenPlace) => Promise<Opened>;
  readonly #wanted = new Map<string, Wanted>();
  #told: PlaceTold = () => {};
  /** Changes come one after the other. */
  #work: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;

  constructor(open: (place: ListenPlace) => Promise<Opened>) {
    this.#open = open;
  }

  /** Keeps these open from now on, and no others. Resolves when each was tried; never rejects. */
  async set(places: readonly ListenPlace[], told: PlaceTold): Promise<void> {
    return this.#next(async () => {
      this.#told = told;
      const gone = [...this.#wanted.values()].filter(({ text }) => !places.some((place) => place.text === text));
      // Their running answers are nothing that a new place waits for.
      for (const { text, opened } of gone) {
        this.#wanted.delete(text);
        void opened?.close();
      }
      for (const place of places) if (!this.#wanted.has(place.text)) this.#wanted.set(place.text, { ...place });
      await this.#tryAll(RETRY_MS);
    });
  }

  /** Resolves when what was set before was tried. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /**
   * Why the first of these could not be listened on now, where it is not yet. Each is listened on for a moment, but for
   * one at the port of a place that these replace: that is known when the port is free.
   */
  async obstacle(places: readonly ListenPlace[]): Promise<ClosedPlace | undefined> {
    let found: ClosedPlace | undefined;
    await this.#next(async () => {
      const sockets: Server[] = [];
      const stay = new Set(places.map(({ text }) => text));
      const replaced = [...this.#wanted.values()].filter(({ text, opened }) => opened && !stay.has(text));
      const freed = new Set(replaced.map(({ port }) => port));
      for (const place of places) {
        if (found || this.#wanted.get(place.text)?.opened || freed.has(place.port)) continue;
        try {
          sockets.push(await listen(place, (connection) => connection.destroy()));
        } catch (error) {
          found = { place: place.text, fault: listenFault(error) };
        }
      }
      for (const socket of sockets) socket.close();
    });
    return found;
  }

  /** What is wanted and not listened on. */
  closed(): ClosedPlace[] {
    return [...this.#wanted.values()].flatMap(({ text, opened, fault }) =>
      opened || fault === undefined ? [] : [{ place: text, fault }],
    );
  }

  /** Wants nothing any more. What is open is its owner's to close. */
  forget(): void {
    clearTimeout(this.#retry);
    this.#wanted.clear();
  }

  async #next(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    await this.#work;
  }

  async #tryAll(wait: number): Promise<void> {
    clearTimeout(this.#retry);
    for (const each of this.#wanted.values()) if (!each.opened) await this.#try(each);
    if (this.closed().length === 0) return;
    const again = Math.min(2 * wait, MOST_MS);
    this.#retry = setTimeout(() => void this.#next(() => this.#tryAll(again)), wait).unref();
  }

  async #try(wanted: Wanted): Promise<void> {
    const before = wanted.fault;
    try {
      const opened = await this.#open(wanted);
      if (this.#wanted.get(wanted.text) !== wanted) return void opened.close();
      wanted.opened = opened;
      delete wanted.fault;
      this.#told(wanted.text, undefined);
    } catch (error) {
      wanted.fault = listenFault(error);
      if (wanted.fault !== before) this.#told(wanted.text, wanted.fault);
    }
  }
}
