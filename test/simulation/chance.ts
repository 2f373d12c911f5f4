// The one source of randomness of a simulation: everything that could go one way or another is drawn from a seed.

/**
 * A repeatable stream of numbers (sfc32). The same seed and the same questions give the same answers on every machine.
 */
export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `name` keeps the streams of one seed apart, so that a further question to one does not move the others. */
  constructor(seed: number, name = "") {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = hashOf(name);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** From 0 to below 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum / 2 ** 32;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Whole numbers, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(among: readonly T[]): T {
    const picked = among[Math.floor(this.next() * among.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }
}

/** FNV-1a, 32 bits. `from`: goes on from an earlier text's. */
export function hashOf(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
