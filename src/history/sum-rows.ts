// Where sums are stored: which table, which row, and what a row's numbers mean.
//
// A row has the sums of one kind, of one period and of one bucket of ids, packed (`packing.ts`). Its id is made of the
// three, the period first: so what belongs to a period lies together, is read as a range and forgotten as one.

/** What is summed by what. */
export interface Kind {
  readonly code: number;
  /** Which of the two ids says the bucket, and how many of them share one, as a power of two. */
  readonly by: "group" | "member";
  readonly bits: number;
  /** Whether months have it. */
  readonly monthly: boolean;
}

const kind = (code: number, by: Kind["by"], bits: number, monthly = false): Kind => ({ code, by, bits, monthly });

/** `accountNodes`: groups are accounts, members are nodes. Where there is one id alone, the group is 0. */
export const KINDS = {
  nodes: kind(0, "member", 10),
  owners: kind(1, "member", 10),
  inbounds: kind(2, "member", 10),
  nodeInbounds: kind(3, "group", 4),
  ownerNodes: kind(4, "group", 0),
  ownerAccounts: kind(5, "member", 12, true),
  accountNodes: kind(6, "group", 10),
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

const BY_CODE: readonly (Kind | undefined)[] = Object.values(KINDS).toSorted((a, b) => a.code - b.code);

const BUCKETS = 2 ** 26;
const CODES = 8;
/** Ids of a period's rows: so many. */
export const PERIOD = CODES * BUCKETS;
export const LAST_BUCKET = BUCKETS - 1;

export function bucketOf({ bits }: Kind, id: number): number {
  return Math.min(LAST_BUCKET, Math.floor(id / 2 ** bits));
}

/** `period`: the number of an hour, a day or a month (`periods.ts`). */
export function rowId({ code }: Kind, period: number, bucket: number): number {
  return period * PERIOD + code * BUCKETS + bucket;
}

export function periodOf(id: number): number {
  return Math.floor(id / PERIOD);
}

export function kindOf(id: number): Kind {
  const found = BY_CODE[Math.floor((id % PERIOD) / BUCKETS)];
  if (!found) throw new RangeError(`no kind of sums has the row ${id}`);
  return found;
}

/** The row of the same kind and bucket in another period. */
export function inPeriod(id: number, period: number): number {
  return period * PERIOD + (id % PERIOD);
}

/** The first row of a period: every period of which something is known has it, even if nothing moved in it. */
export function firstRow(period: number): number {
  return period * PERIOD;
}
