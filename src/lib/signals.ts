// The port for watching: parts tell counts and durations, and whoever watches listens. It is an own port, not a channel
// of `node:diagnostics_channel`: one belongs to one panel, so two panels in a process are told apart, and a listener
// that throws cannot end the process (docs/performance.md has the costs of both).
//
// Invariants:
// - Unheard, a signal costs one comparison: no time is read and no object is made.
// - Listeners are called at once, in order. What one throws goes to `onError`, once for each listener; it never reaches
//   the part.
import type { SignalName, SignalTable } from "./signal-table.ts";

export type Listener<Fields> = (fields: Fields) => void;

/** One signal of the table, as its part holds it. */
export class Signal<Fields> {
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  /** Replaced at every change: a listener may remove itself while it is called. */
  #listeners: readonly Listener<Fields>[] = [];
  readonly #failed = new WeakSet<Listener<Fields>>();

  constructor(now: () => number, onError: (error: unknown) => void) {
    this.#now = now;
    this.#onError = onError;
  }

  /** Whether anybody listens. Ask before the fields are made. */
  get heard(): boolean {
    return this.#listeners.length > 0;
  }

  /** When work begins: the moment, where anybody listens. Work that began unheard is not told of. */
  begun(): number | undefined {
    return this.#listeners.length > 0 ? this.#now() : undefined;
  }

  /** Milliseconds since `begun`. */
  since(begun: number): number {
    return this.#now() - begun;
  }

  tell(fields: Fields): void {
    for (const listener of this.#listeners) {
      try {
        listener(fields);
      } catch (error) {
        if (this.#failed.has(listener)) continue;
        this.#failed.add(listener);
        this.#onError(error);
      }
    }
  }

  /** Returns the way to stop listening. */
  listen(listener: Listener<Fields>): () => void {
    // A function of its own, so that one which listens twice is called twice.
    const own: Listener<Fields> = (fields) => listener(fields);
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== own);
    };
  }
}

export interface SignalsOptions {
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
  /** A listener threw: a defect of it. Said once for each listener. */
  readonly onError?: (error: unknown, name: SignalName) => void;
}

/** All signals of one panel. */
export class Signals {
  readonly #options: Required<SignalsOptions>;
  readonly #signals = new Map<SignalName, unknown>();

  constructor({ now = () => performance.now(), onError = () => {} }: SignalsOptions = {}) {
    this.#options = { now, onError };
  }

  /** Milliseconds of a clock that is never set. */
  now(): number {
    return this.#options.now();
  }

  /** The signal of that name. Parts ask once, when they are made. */
  of<N extends SignalName>(name: N): Signal<SignalTable[N]> {
    const known = this.#signals.get(name);
    // Only this method puts signals into the map, each under its own name.
    if (known) return known as Signal<SignalTable[N]>;
    const { now, onError } = this.#options;
    const signal = new Signal<SignalTable[N]>(now, (error) => onError(error, name));
    this.#signals.set(name, signal);
    return signal;
  }

  /** Listens to a signal; returns the way to stop. */
  listen<N extends SignalName>(name: N, listener: Listener<SignalTable[N]>): () => void {
    return this.of(name).listen(listener);
  }
}
