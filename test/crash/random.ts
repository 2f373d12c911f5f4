// Repeatable chance: everything that a crash test draws follows from its seed.

/** Numbers from 0 to 1 (mulberry32). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed that follows from others: neighbours have nothing in common. */
export function mix(...parts: readonly number[]): number {
  return parts.reduce((sum, part) => Math.imul(sum ^ part, 0x9e3779b1) ^ (sum >>> 15), 0x85ebca6b) >>> 0;
}

/** A whole number from 0 to `below` - 1. */
export function whole(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** One of a list that is not empty. */
export function oneOf<T>(random: Random, list: readonly T[]): T {
  const one = list[whole(random, list.length)];
  if (one === undefined) throw new Error("nothing to draw from");
  return one;
}

/** One of a list, each as often as its weight says. */
export function weighted<T>(random: Random, list: readonly (readonly [weight: number, one: T])[]): T {
  let left = random() * list.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, one] of list) {
    left -= weight;
    if (left < 0) return one;
  }
  throw new Error("nothing to draw from");
}
