// How many actors pass each wire of a chart per minute: the transitions of the last sixty seconds, in memory, whichever
// process committed them.
//
// A wire is an event between two states. There are as many as the charts have, so what is kept does not grow with the
// fleet.
import type { Transition } from "../../runtime/index.ts";

const SECONDS = 60;

/** A wire and what passed it in the last sixty seconds. */
export interface WireFlow {
  readonly event: string;
  /** Null: the actor was created. */
  readonly from: string | null;
  /** `deleted`: the actor is gone. */
  readonly to: string;
  readonly perMinute: number;
}

/** Flow by kind. */
export type Flow = Record<string, WireFlow[]>;

class Wire {
  readonly key: string;
  readonly kind: string;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  total = 0;
  /** Transitions by second, around a ring. */
  readonly seconds = new Uint32Array(SECONDS);

  constructor(key: string, { kind, event, from, to }: Transition) {
    this.key = key;
    this.kind = kind;
    this.event = event;
    this.from = from;
    this.to = to;
  }
}

/** Counts transitions by wire. Time comes in as whole seconds of a clock that does not go back. */
export class FlowMeter {
  readonly #wires = new Map<string, Wire>();
  #now = 0;

  /** Counts a transition; returns the name of its wire. */
  note(transition: Transition, second: number): string {
    this.advance(second);
    const { kind, event, from, to } = transition;
    const key = `${kind} ${from ?? ""} ${to} ${event}`;
    let wire = this.#wires.get(key);
    if (!wire) this.#wires.set(key, (wire = new Wire(key, transition)));
    const slot = this.#now % SECONDS;
    wire.seconds[slot] = (wire.seconds[slot] ?? 0) + 1;
    wire.total++;
    return key;
  }

  /**
   * Lets go of what is older than a minute. Returns the names of the wires whose flow became less; kinds by `kindOf`.
   */
  advance(second: number): string[] {
    if (second <= this.#now) return [];
    const passed = Math.min(SECONDS, second - this.#now);
    this.#now = second;
    const less: string[] = [];
    for (const wire of this.#wires.values()) {
      const before = wire.total;
      for (let back = 0; back < passed; back++) {
        const slot = (second - back) % SECONDS;
        wire.total -= wire.seconds[slot] ?? 0;
        wire.seconds[slot] = 0;
      }
      if (wire.total < before) less.push(wire.key);
    }
    return less;
  }

  /** The flow of wires by their names; of all that are not silent without any. */
  of(keys?: Iterable<string>): Flow {
    const flow: Flow = {};
    for (const key of keys ?? this.#wires.keys()) {
      const wire = this.#wires.get(key);
      if (!wire || (keys === undefined && wire.total === 0)) continue;
      const { kind, event, from, to, total } = wire;
      (flow[kind] ??= []).push({ event, from, to, perMinute: total });
    }
    return flow;
  }

  /** The flow of one kind. */
  ofKind(kind: string): Flow {
    return this.of(
      [...this.#wires.values()].filter((wire) => wire.kind === kind && wire.total > 0).map(({ key }) => key),
    );
  }

  kindOf(key: string): string | undefined {
    return this.#wires.get(key)?.kind;
  }
}
