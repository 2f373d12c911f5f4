// The readers of the live stream with the same request, and their next frame: it is built once, serialized once, and
// sent to each.
import type { WebSocket } from "ws";
import type { FaultChange, Transition } from "../../runtime/index.ts";

/** Rows in a frame where no actor is named: a sample. What is left of it comes back by a few with each frame. */
const SAMPLE = 50;
const SAMPLE_BACK = 5;
/** Rows of one actor between two frames. */
const ROWS = 1000;
/** Actors in a frame that came into quarantine or left it: those that did last. */
const FAULTS = 50;
/** Milliseconds between two frames that tell of wires: figures per minute need not flicker. */
const FLOW_MS = 1000;
/** Unsent bytes above which a reader gets no frame: it loses rows, never counts. */
const BUFFERED = 256 * 1024;

/** Absolute figures of the states and wires that changed. */
export interface Figures {
  /** Names of states, `kind state`. */
  readonly states: ReadonlySet<string>;
  /** Names of wires, see `FlowMeter`. */
  readonly wires: ReadonlySet<string>;
}

/** A frame before it is text. */
export interface Frame extends Figures {
  readonly rows: readonly Transition[];
  readonly faults: readonly FaultChange[];
  readonly dropped: number;
}

interface Listener {
  readonly socket: WebSocket;
  /** No frame before this, in milliseconds of the stream's clock: at most ten a second. */
  notBefore: number;
  /**
   * What it has not been told: names of figures while it does not keep up, the rows too where it only has to wait for
   * its time.
   */
  missed:
    | { states: Set<string>; wires: Set<string>; rows: Transition[]; faults: FaultChange[]; dropped: number }
    | undefined;
}

const NONE: ReadonlySet<string> = new Set();

export class Audience {
  readonly kind: string | undefined;
  /** A stream of one actor, which gets every row. */
  readonly #single: boolean;
  readonly #listeners = new Set<Listener>();
  #rows: Transition[] = [];
  #faults: FaultChange[] = [];
  #dropped = 0;
  #sample = SAMPLE;
  #flowAt = 0;
  #states = new Set<string>();
  #wires = new Set<string>();

  constructor(kind: string | undefined, single: boolean) {
    this.kind = kind;
    this.#single = single;
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(socket: WebSocket, notBefore: number): () => void {
    const listener: Listener = { socket, notBefore, missed: undefined };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(code: number): void {
    for (const { socket } of this.#listeners) socket.close(code);
  }

  row(transition: Transition): void {
    if (this.#rows.length >= (this.#single ? ROWS : this.#sample)) this.#dropped++;
    else this.#rows.push(transition);
  }

  fault(change: FaultChange): void {
    this.#faults = lastFaults([...this.#faults, change]);
  }

  state(name: string): void {
    this.#states.add(name);
  }

  wire(name: string): void {
    this.#wires.add(name);
  }

  /** What there is to tell now. */
  #take(now: number): Frame {
    const wires = now >= this.#flowAt ? this.#wires : NONE;
    const frame = { rows: this.#rows, faults: this.#faults, dropped: this.#dropped, states: this.#states, wires };
    this.#sample = Math.min(SAMPLE, this.#sample - this.#rows.length + SAMPLE_BACK);
    this.#rows = [];
    this.#faults = [];
    this.#dropped = 0;
    this.#states = new Set();
    if (wires.size > 0) {
      this.#wires = new Set();
      this.#flowAt = now + FLOW_MS;
    }
    return frame;
  }

  /** Sends what there is to tell. `text` writes a frame. */
  send(now: number, text: (frame: Frame) => string): void {
    const frame = this.#take(now);
    const isEmpty =
      frame.rows.length === 0 && frame.faults.length === 0 && frame.states.size === 0 && frame.wires.size === 0;
    let shared: string | undefined;
    for (const listener of this.#listeners) {
      const { socket, missed } = listener;
      if (isEmpty && !missed) continue;
      const isEarly = now < listener.notBefore;
      if (isEarly || socket.bufferedAmount > BUFFERED) {
        miss(listener, frame, isEarly);
        continue;
      }
      listener.missed = undefined;
      socket.send(missed ? text(together(frame, missed)) : (shared ??= text(frame)));
    }
  }
}

function miss(listener: Listener, { rows, faults, dropped, states, wires }: Frame, keepsRows: boolean): void {
  const missed = (listener.missed ??= { states: new Set(), wires: new Set(), rows: [], faults: [], dropped: 0 });
  for (const state of states) missed.states.add(state);
  for (const wire of wires) missed.wires.add(wire);
  missed.faults = lastFaults([...missed.faults, ...faults]);
  missed.dropped += dropped;
  if (keepsRows) {
    missed.rows.push(...rows);
    return;
  }
  missed.dropped += missed.rows.length + rows.length;
  missed.rows = [];
}

/** The newest of each actor, and of many the newest. */
function lastFaults(changes: readonly FaultChange[]): FaultChange[] {
  const last = new Map(changes.map((change) => [`${change.kind} ${change.id}`, change]));
  return [...last.values()].slice(-FAULTS);
}

function together(frame: Frame, missed: NonNullable<Listener["missed"]>): Frame {
  return {
    rows: [...missed.rows, ...frame.rows],
    faults: lastFaults([...missed.faults, ...frame.faults]),
    dropped: frame.dropped + missed.dropped,
    states: new Set([...missed.states, ...frame.states]),
    wires: new Set([...missed.wires, ...frame.wires]),
  };
}
