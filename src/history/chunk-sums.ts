// Sorts chunks into the rows that they belong to: for every hour and kind of sums, what is to be added where.
import { added } from "../lib/exact.ts";
import { eachChunkRow } from "./chunks.ts";
import { Packer } from "./packing.ts";
import type { Periods } from "./periods.ts";
import { bucketOf, kindOf, KINDS, rowId, type Kind, type KindName } from "./sum-rows.ts";

/** What is added to one row of hours. */
export interface Part {
  readonly id: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Both ids of a sum as one number that keeps their order: one of them is counted within its bucket. */
const WIDE = 2 ** 42;

class Sums {
  readonly up: number[] = [];
  readonly down: number[] = [];
  readonly #at = new Map<number, number>();

  add(key: number, up: number, down: number): void {
    const at = this.#at.get(key);
    if (at === undefined) {
      this.#at.set(key, this.up.length);
      this.up.push(up);
      this.down.push(down);
    } else {
      this.up[at] = added(this.up[at] ?? 0, up);
      this.down[at] = added(this.down[at] ?? 0, down);
    }
  }

  packed({ by, bits }: Kind, bucket: number): Uint8Array<ArrayBuffer> {
    const packer = new Packer();
    const base = bucket * 2 ** bits;
    const width = by === "group" ? WIDE : 2 ** bits;
    for (const key of Float64Array.from(this.#at.keys()).toSorted()) {
      const [group, member] = [Math.floor(key / width), key % width];
      const at = this.#at.get(key) ?? 0;
      const [up, down] = [this.up[at] ?? 0, this.down[at] ?? 0];
      if (by === "group") packer.add(group + base, member, up, down);
      else packer.add(group, member + base, up, down);
    }
    return packer.bytes();
  }
}

/** All accounts of chunks. */
export function accountsOf(chunks: readonly Uint8Array[]): Set<number> {
  const accounts = new Set<number>();
  for (const chunk of chunks) eachChunkRow(chunk, ({ account }) => accounts.add(account));
  return accounts;
}

/** What chunks add to which rows. `owners`: of accounts that resellers have; all others are the panel's. */
export function partsOf(chunks: readonly Uint8Array[], owners: ReadonlyMap<number, number>, periods: Periods): Part[] {
  const rows = new Map<number, Sums>();
  const add = (name: KindName, hour: number, group: number, member: number, up: number, down: number) => {
    const kind: Kind = KINDS[name];
    const bucket = bucketOf(kind, kind.by === "group" ? group : member);
    const id = rowId(kind, hour, bucket);
    let sums = rows.get(id);
    if (!sums) rows.set(id, (sums = new Sums()));
    const base = bucket * 2 ** kind.bits;
    sums.add(kind.by === "group" ? (group - base) * WIDE + member : group * 2 ** kind.bits + member - base, up, down);
  };
  for (const chunk of chunks)
    eachChunkRow(chunk, ({ quarter, node, account, inbound, up, down }) => {
      const hour = periods.hourOf(quarter);
      const owner = owners.get(account) ?? 0;
      add("nodes", hour, 0, node, up, down);
      add("owners", hour, 0, owner, up, down);
      add("inbounds", hour, 0, inbound, up, down);
      add("nodeInbounds", hour, node, inbound, up, down);
      add("ownerNodes", hour, owner, node, up, down);
      add("ownerAccounts", hour, owner, account, up, down);
      add("accountNodes", hour, account, node, up, down);
    });
  return [...rows].map(([id, sums]) => ({ id, data: sums.packed(kindOf(id), id % 2 ** 26) }));
}
