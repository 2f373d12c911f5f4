// The shards of a test's only process on a database.
import type { Database } from "../../src/db/index.ts";
import { SoleShards } from "../../src/runtime/index.ts";

export function soleShards({ store }: Database, now: () => number = Date.now): SoleShards {
  return new SoleShards({
    reserve: (sequence, count) => store.reserve(sequence, count),
    now,
    onError: (error) => {
      throw error;
    },
  });
}
