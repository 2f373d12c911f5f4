// The fence of a panel process: agents refuse a smaller one than they have seen, so it must grow with every start, whatever became of the database meanwhile.

/** The fence's sequence among the reserved ids. */
const SEQUENCE = "link_fence";

/**
 * Takes a fence for this process, once, at its start: durable, larger than every one taken from this database before, and not smaller than the time (`now`, Unix milliseconds) in seconds.
 * The sequence keeps it growing when the clock is set back; the time keeps it growing when the database is restored from a backup that has not seen the last starts:
 * with the sequence alone every agent would refuse the restored panel.
 */
export async function takeFence(reserve: (sequence: string, count: number) => Promise<number>, now: number): Promise<number> {
  const next = await reserve(SEQUENCE, 1);
  const missing = Math.floor(now / 1000) - next;
  if (missing <= 0) return next;
  return (await reserve(SEQUENCE, missing)) + missing - 1;
}
