// What became of rows between two answers. Pure.

/** How many rows of `now` differ from those of `then`, or came or went. */
export function countChanged<T>(then: readonly T[], now: readonly T[], keyOf: (row: T) => string | number): number {
  const before = new Map(then.map((row) => [keyOf(row), JSON.stringify(row)]));
  const after = new Map(now.map((row) => [keyOf(row), JSON.stringify(row)]));
  const gone = [...before.keys()].filter((key) => !after.has(key)).length;
  return gone + [...after].filter(([key, row]) => before.get(key) !== row).length;
}
