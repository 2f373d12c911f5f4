// A counter of usage without the rest of the fleet: every node serves everybody on every inbound, over any line, unless
// a test says otherwise.
import { servedAccounts } from "../../src/accounts/testing.ts";
import type { Committer, Reader } from "../../src/db/index.ts";
import { UsageCounter, type UsageOptions } from "../../src/fleet/usage/usage.ts";
import type { SentBatch } from "../../src/fleet/usage/usage-judge.ts";
import { cellsOf } from "../usage-cells.ts";

const everyInbound = { has: () => true } as unknown as ReadonlySet<number>;

/** A batch with its rows as an agent says them. */
export interface AgentBatch extends Omit<SentBatch, "until" | "batch"> {
  readonly batch: Omit<SentBatch["batch"], "rows"> & { readonly rows: readonly (readonly number[])[] };
}

export class OpenCounter {
  readonly counter: UsageCounter;
  readonly #now: () => number;

  constructor(
    { commits, reads }: { commits: Committer; reads: Reader },
    now: () => number,
    more: Partial<UsageOptions> = {},
  ) {
    this.#now = now;
    this.counter = new UsageCounter({
      commits,
      reads,
      now,
      served: {
        known: () => Promise.resolve(),
        serves: () => true,
        userChangedAt: () => undefined,
        inboundsOf: () => Promise.resolve(everyInbound),
      },
      counting: servedAccounts.counting,
      recordTraffic: () => [],
      maxNodeGbps: 0,
      onRefused: () => {},
      ...more,
    });
  }

  /** Counts a batch of an agent that has been told everything. */
  count({ batch, ...sent }: AgentBatch): Promise<number> {
    return this.counter.count({ until: this.#now(), ...sent, batch: { ...batch, rows: cellsOf(batch.rows) } });
  }
}
