// One monotonic reading over several processes that serve one after the other, or side by side while one drains.

export interface ByteCount {
  readonly up: number;
  readonly down: number;
}

/**
 * Sums what ended processes had counted (`base`) and the last reading of each living one.
 * Invariant: within one `instance` no name's sum ever falls. So a process is ended here with its last reading, never
 * forgotten.
 */
export class CounterTally {
  readonly instance: string;
  readonly #base: Map<string, ByteCount>;
  readonly #live = new Map<string, ReadonlyMap<string, ByteCount>>();

  constructor(instance: string, base: ReadonlyMap<string, ByteCount> = new Map()) {
    this.instance = instance;
    this.#base = new Map(base);
  }

  /** Takes the latest reading of a process. */
  update(processId: string, counters: ReadonlyMap<string, ByteCount>): void {
    this.#live.set(processId, counters);
  }

  last(processId: string): ReadonlyMap<string, ByteCount> {
    return this.#live.get(processId) ?? new Map();
  }

  /** The process counts no more: its last reading becomes part of the base. */
  end(processId: string): void {
    for (const [name, count] of this.last(processId)) add(this.#base, name, count);
    this.#live.delete(processId);
  }

  base(): ReadonlyMap<string, ByteCount> {
    return this.#base;
  }

  total(): Map<string, ByteCount> {
    const sum = new Map(this.#base);
    for (const counters of this.#live.values()) for (const [name, count] of counters) add(sum, name, count);
    return sum;
  }
}

function add(sums: Map<string, ByteCount>, name: string, count: ByteCount): void {
  const sum = sums.get(name);
  sums.set(name, sum ? { up: sum.up + count.up, down: sum.down + count.down } : count);
}

/**
 * Counters such that `counters + offset` begins at nothing: the base of a new instance that takes over a process with a
 * past.
 */
export function offsetOf(counters: ReadonlyMap<string, ByteCount>): Map<string, ByteCount> {
  return new Map([...counters].map(([name, count]) => [name, { up: -count.up, down: -count.down }]));
}
