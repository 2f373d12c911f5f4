// The thread of the history: packs, merges and adds up, away from the thread that answers everybody.
import { parentPort } from "node:worker_threads";
import { allOf, heaviestOf, pointsOf, type Addition } from "./adding-up.ts";
import { accountsOf, partsOf, type Part } from "./chunk-sums.ts";
import { merged } from "./packing.ts";
import { Periods } from "./periods.ts";
import type { Rest, Sum } from "./tally.ts";

/** What the thread does, by name: what each takes and what it answers. */
export interface Jobs {
  accounts: [{ readonly chunks: readonly Uint8Array[] }, number[]];
  parts: [
    { readonly chunks: readonly Uint8Array[]; readonly owners: readonly number[]; readonly zone: string },
    Part[],
  ];
  /** Each list becomes one. */
  merge: [{ readonly lists: readonly (readonly Uint8Array[])[] }, Uint8Array<ArrayBuffer>[]];
  heaviest: [Addition & { readonly limit: number; readonly points: boolean }, Heaviest];
  points: [Addition & { readonly ids: readonly number[] }, Float64Array<ArrayBuffer>];
  all: [Addition, Float64Array<ArrayBuffer>];
}
export interface Heaviest {
  readonly top: Sum[];
  readonly rest: Rest;
  /** Points of the heaviest, when they were asked for. */
  readonly points: Float64Array<ArrayBuffer>;
}

export type JobName = keyof Jobs;
export type Given<N extends JobName> = Jobs[N][0];
export type Answer<N extends JobName> = Jobs[N][1];
export type Order = { [N in JobName]: { readonly id: number; readonly job: N; readonly given: Given<N> } }[JobName];
export type Answered = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: string });

const port = parentPort;
if (!port) throw new Error("the history adds up in a worker thread");

let known = new Periods("");
function periodsOf(zone: string): Periods {
  if (known.zone !== zone) known = new Periods(zone);
  return known;
}

const NONE = new Uint8Array(0);

function carryOut(order: Order): unknown {
  switch (order.job) {
    case "accounts":
      return [...accountsOf(order.given.chunks)] satisfies Answer<"accounts">;
    case "parts": {
      const { chunks, owners, zone } = order.given;
      const pairs = new Map<number, number>();
      for (let at = 0; at < owners.length; at += 2) pairs.set(owners[at] ?? 0, owners[at + 1] ?? 0);
      return partsOf(chunks, pairs, periodsOf(zone)) satisfies Answer<"parts">;
    }
    case "merge":
      return order.given.lists.map((list) =>
        list
          .slice(1)
          .reduce<Uint8Array<ArrayBuffer>>((all, each) => merged(all, each), new Uint8Array(list[0] ?? NONE)),
      ) satisfies Answer<"merge">;
    case "heaviest": {
      const { limit, points, ...addition } = order.given;
      const periods = periodsOf(addition.tail.zone);
      const found = heaviestOf(addition, periods, limit);
      const ids = points ? found.top.map(({ id }) => id) : [];
      const steps = points ? pointsOf(addition, periods, ids) : new Float64Array(0);
      return { ...found, points: steps } satisfies Answer<"heaviest">;
    }
    case "points": {
      const { ids, ...addition } = order.given;
      return pointsOf(addition, periodsOf(addition.tail.zone), ids) satisfies Answer<"points">;
    }
    case "all":
      return allOf(order.given, periodsOf(order.given.tail.zone)) satisfies Answer<"all">;
  }
}

port.on("message", (order: Order) => {
  let answered: Answered;
  try {
    answered = { id: order.id, answer: carryOut(order) };
  } catch (error) {
    answered = { id: order.id, failure: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(answered);
});
