// Adds up stored sums for a question: pure work over packed bytes, done on the thread of the history.
import { added } from "../lib/exact.ts";
import { eachChunkRow, type ChunkRow } from "./chunks.ts";
import { eachMember } from "./packing.ts";
import { startOfHour, type Periods } from "./periods.ts";
import { bucketOf, KINDS, type Kind, type KindName } from "./sum-rows.ts";
import { Tally, type Rest, type Sum } from "./tally.ts";

/** Which sums of a kind, and by which of their ids they are told apart. */
export interface Selection {
  readonly kind: KindName;
  readonly key: "group" | "member" | "total";
  /** Only these. */
  readonly groups?: readonly number[] | undefined;
  readonly members?: readonly number[] | undefined;
}

/** A stored row. `at`: Unix seconds of the step that it belongs to. */
export interface Source {
  readonly at: number;
  readonly data: Uint8Array;
}

/** What was counted and is not in the sums yet. */
export interface Tail {
  readonly chunks: readonly Uint8Array[];
  /** Account and owner in turns, of accounts that resellers have. */
  readonly owners: readonly number[];
  readonly zone: string;
  /** Unix seconds: hours that begin from `start` up to and without `end`. */
  readonly start: number;
  readonly end: number;
  readonly step: "hour" | "day";
  /** Buckets of this part of a question; the others are of other parts. */
  readonly part: { readonly from: number; readonly to: number };
}

export interface Addition {
  readonly selection: Selection;
  readonly sources: readonly Source[];
  readonly tail: Tail;
}

type Visit = (at: number, id: number, up: number, down: number) => void;

function eachSum({ selection, sources, tail }: Addition, periods: Periods, visit: Visit): void {
  const { key } = selection;
  const groups = selection.groups && new Set(selection.groups);
  const members = selection.members && new Set(selection.members);
  for (const { at, data } of sources)
    eachMember(data, groups, members, (group, member, up, down) =>
      visit(at, key === "total" ? 0 : key === "group" ? group : member, up, down),
    );
  const owners = new Map<number, number>();
  for (let at = 0; at < tail.owners.length; at += 2) owners.set(tail.owners[at] ?? 0, tail.owners[at + 1] ?? 0);
  const idsOf = IDS[selection.kind];
  const kind: Kind = KINDS[selection.kind];
  for (const chunk of tail.chunks)
    eachChunkRow(chunk, (row) => {
      const hour = periods.hourOf(row.quarter);
      const begins = startOfHour(hour);
      if (begins < tail.start || begins >= tail.end) return;
      const [group, member] = idsOf(row, owners);
      if ((groups && !groups.has(group)) || (members && !members.has(member))) return;
      const bucket = bucketOf(kind, kind.by === "group" ? group : member);
      if (bucket < tail.part.from || bucket > tail.part.to) return;
      const at = tail.step === "hour" ? begins : periods.startOf(periods.dateOf(hour));
      visit(at, key === "total" ? 0 : key === "group" ? group : member, row.up, row.down);
    });
}

/** Group and member of a row that is not in the sums yet. */
const IDS: Record<KindName, (row: ChunkRow, owners: ReadonlyMap<number, number>) => readonly [number, number]> = {
  nodes: ({ node }) => [0, node],
  owners: ({ account }, owners) => [0, owners.get(account) ?? 0],
  inbounds: ({ inbound }) => [0, inbound],
  nodeInbounds: ({ node, inbound }) => [node, inbound],
  ownerNodes: ({ account, node }, owners) => [owners.get(account) ?? 0, node],
  ownerAccounts: ({ account }, owners) => [owners.get(account) ?? 0, account],
  accountNodes: ({ account, node }) => [account, node],
};

/** Kinds whose sums tell resellers apart. */
export const OWNED: ReadonlySet<KindName> = new Set(["owners", "ownerNodes", "ownerAccounts"]);

export function heaviestOf(addition: Addition, periods: Periods, limit: number): { top: Sum[]; rest: Rest } {
  const tally = new Tally();
  eachSum(addition, periods, (_at, id, up, down) => tally.add(id, up, down));
  return tally.heaviest(limit);
}

/** Everybody who moved something, in the order of ids: id, up and down in turns. */
export function allOf(addition: Addition, periods: Periods): Float64Array<ArrayBuffer> {
  const tally = new Tally();
  eachSum(addition, periods, (_at, id, up, down) => tally.add(id, up, down));
  const all: number[] = [];
  tally.each((id, up, down) => all.push(id, up, down));
  return Float64Array.from(all);
}

/** Points of these ids: id, at, up and down in turns. Steps in which nothing moved are not there. */
export function pointsOf(addition: Addition, periods: Periods, ids: readonly number[]): Float64Array<ArrayBuffer> {
  const points = new Map<number, Map<number, [number, number]>>(ids.map((id) => [id, new Map()]));
  eachSum(addition, periods, (at, id, up, down) => {
    const mine = points.get(id);
    if (!mine) return;
    const sums = mine.get(at);
    if (!sums) mine.set(at, [up, down]);
    else {
      sums[0] = added(sums[0], up);
      sums[1] = added(sums[1], down);
    }
  });
  const all: number[] = [];
  for (const [id, steps] of points) for (const [at, [up, down]] of steps) all.push(id, at, up, down);
  return Float64Array.from(all);
}
