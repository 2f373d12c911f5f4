// Where somebody stood, and when: spans of time, rebuilt from where they stand now and from what was written down of
// each change.

/** Where an account or a node stood. */
export interface Stand {
  /** Templates; null: every one. */
  readonly on: readonly number[] | null;
  /** For an account, the only inbounds that it might use; null: every one. */
  readonly inbounds: readonly number[] | null;
}

/** The same for a time, Unix milliseconds. */
export interface Span extends Stand {
  readonly from: number;
  readonly to: number;
}

/** An agent receives changes one at a time: within this time, two of them may have arrived in another order. */
const ORDER_MS = 5000;

/**
 * `departures` in order of time: what was until each. `is`: what is since the last. Before `begin` nothing is known, or
 * nobody was there.
 */
export function spansOf(
  departures: readonly {
    readonly until: number;
    readonly was: readonly number[] | null;
    readonly inbounds: readonly number[] | null;
  }[],
  is: Stand,
  begin: number,
): Span[] {
  const spans: Span[] = [];
  let from = begin;
  for (const { until, was, inbounds } of departures) {
    spans.push({ from, to: until, on: was, inbounds });
    from = Math.max(begin, until);
  }
  return [...spans, { from, to: Infinity, on: is.on, inbounds: is.inbounds }];
}

/**
 * The inbounds that an account might use while it and a node were on a template at the same time; null: every one;
 * undefined: they never were.
 */
export function meet(account: readonly Span[], node: readonly Span[]): ReadonlySet<number> | null | undefined {
  const met = account.filter((here) =>
    node.some((there) => {
      if (here.to + ORDER_MS < there.from || there.to + ORDER_MS < here.from) return false;
      return there.on !== null && there.on.some((id) => here.on === null || here.on.includes(id));
    }),
  );
  if (met.length === 0) return undefined;
  return met.some(({ inbounds }) => inbounds === null) ? null : new Set(met.flatMap(({ inbounds }) => inbounds ?? []));
}
