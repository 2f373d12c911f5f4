// Numbers in a drawing: how strong a colour they give, and how they are written where there is little room.

/**
 * From faint to strong, by the logarithm, so that one state with most actors does not hide the others. Nothing for
 * none.
 */
export function heatOf(count: number, largest: number): number {
  if (count <= 0) return 0;
  return 0.08 + 0.72 * (largest <= 1 ? 1 : Math.min(1, Math.log(count) / Math.log(largest)));
}

/** In whole up to five digits, then with k or M. */
export function shortNumber(count: number, locale: string): string {
  const [size, sign] = count >= 1e9 ? [1e9, "G"] : count >= 1e6 ? [1e6, "M"] : count >= 1e5 ? [1e3, "k"] : [1, ""];
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: size > 1 && count / size < 100 ? 1 : 0 });
  return `${digits.format(count / size)}${sign}`;
}

/** How many of a compound's actors there are: those of the states within it. */
export function countWithin(counts: ReadonlyMap<string, number>, state: string): number {
  return [...counts].reduce(
    (sum, [each, count]) => (each === state || each.startsWith(`${state}.`) ? sum + count : sum),
    0,
  );
}
