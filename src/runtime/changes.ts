// What a transition changed, as the journal keeps it: `{field: [before, after]}` as JSON, of at most 2 KiB, without
// secrets. A reader can undo the entries one by one to see an older state.
//
// Invariant: a field that changed is named. If its values are too long, or secret, marks replace them; nothing is left
// out without a mark.
import { isSealed } from "../lib/seal.ts";

const LIMIT = 2048;
/** In place of a value that is too long; as a field of its own: more changed than is named. */
export const CUT = "[cut]";
/** In place of a secret's values. */
export const REDACTED = "[redacted]";

export type Fields = Readonly<Record<string, unknown>>;
type Pair = readonly [before: unknown, after: unknown];

/** The differences between two sets of fields; the empty text where there is none. */
export function changesBetween(before: Fields, after: Fields, secrets: readonly string[] = []): string {
  const pairs = new Map<string, Pair>();
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pair: Pair = [before[field] ?? null, after[field] ?? null];
    if (pair[0] === pair[1] || JSON.stringify(pair[0]) === JSON.stringify(pair[1])) continue;
    const secret = secrets.includes(field) || pair.some((value) => typeof value === "string" && isSealed(value));
    pairs.set(field, secret ? [REDACTED, REDACTED] : pair);
  }
  if (pairs.size === 0) return "";
  const whole = textOf(pairs);
  return isShort(whole) ? whole : textOf(shortened(pairs));
}

function textOf(pairs: ReadonlyMap<string, Pair>): string {
  return JSON.stringify(Object.fromEntries(pairs));
}

const isShort = (text: string) => Buffer.byteLength(text) <= LIMIT;

/**
 * The longest values are cut first, those after the transition before those before it: with the latter one can still
 * look back.
 */
function shortened(all: ReadonlyMap<string, Pair>): Map<string, Pair> {
  const pairs = new Map(all);
  const values = [...all].flatMap(([field, pair]) =>
    pair.map((value, place) => ({ field, place, size: JSON.stringify(value).length })),
  );
  for (const { field, place } of values.toSorted((a, b) => b.size - a.size || b.place - a.place)) {
    const [before, after] = pairs.get(field) ?? [null, null];
    pairs.set(field, place === 0 ? [CUT, after] : [before, CUT]);
    if (isShort(textOf(pairs))) return pairs;
  }
  // Not even the names have room.
  for (const field of [...pairs.keys()].toReversed()) {
    pairs.delete(field);
    pairs.set(CUT, [CUT, CUT]);
    if (isShort(textOf(pairs))) break;
  }
  return pairs;
}
