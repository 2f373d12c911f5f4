// Equal texts, counted.

/** Equal texts once, with how many there are: the most frequent first. */
export function countedOf(texts: readonly string[]): readonly { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
}
