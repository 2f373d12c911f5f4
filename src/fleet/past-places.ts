// Where somebody stood, and when: spans of time, rebuilt from where they stand now and from what was written down of
// each change.

/** A time, Unix milliseconds, and the templates in it; null: every template. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly on: readonly number[] | null;
}

/** An agent receives changes one at a time: within this time, two of them may have arrived in another order. */
const ORDER_MS = 5000;

/**
 * `departures` in order of time: what was until each. `is`: what is since the last. Before `begin` nothing is known, or
 * nobody was there.
 */
export function spansOf(
  departures: readonly { readonly until: number; readonly was: readonly number[] | null }[],
  is: readonly number[] | null,
  begin: number,
): Span[] {
  const spans: Span[] = [];
  let from = begin;
  for (const { until, was } of departures) {
    spans.push({ from, to: until, on: was });
    from = Math.max(begin, until);
  }
  return [...spans, { from, to: Infinity, on: is }];
}

/** Whether an account and a node were on a template at the same time. */
export function meet(account: readonly Span[], node: readonly Span[]): boolean {
  return node.some((there) =>
    account.some((here) => {
      if (here.to + ORDER_MS < there.from || there.to + ORDER_MS < here.from) return false;
      return there.on !== null && there.on.some((id) => here.on === null || here.on.includes(id));
    }),
  );
}
