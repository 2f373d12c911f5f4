// One thing after the other for many, a few at a time; what fails stops nobody else.

export interface Outcome<T> {
  readonly item: T;
  /** Undefined: done. */
  readonly error: unknown;
}

/** Equal texts once, with how many there are: the most frequent first. */
export function countedOf(texts: readonly string[]): readonly { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
}

const AT_ONCE = 4;

/** Outcomes in the order of `items`. `onStep` hears how many are settled. */
export async function eachOf<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onStep: (settled: number) => void,
): Promise<readonly Outcome<T>[]> {
  const outcomes: Outcome<T>[] = items.map((item) => ({ item, error: undefined }));
  let next = 0;
  let settled = 0;
  const worker = async (): Promise<void> => {
    for (let place = next++; place < items.length; place = next++) {
      const outcome = outcomes[place];
      if (!outcome) return;
      try {
        await act(outcome.item);
      } catch (error) {
        outcomes[place] = { item: outcome.item, error };
      }
      onStep(++settled);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return outcomes;
}
