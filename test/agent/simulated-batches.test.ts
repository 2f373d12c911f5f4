// The ledger of a simulated node closes its batches as that of a real one does.
import { expect, test } from "vitest";
import { SimulatedNode } from "../../src/agent/simulate/node.ts";
import { BucketPool } from "../../src/agent/simulate/user-buckets.ts";
import { inbound, planUser } from "./fixture.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

test("a batch is of one quarter of an hour, however long nobody fetches it", async () => {
  let now = 5 * QUARTER + 10 * MINUTE;
  const pool = new BucketPool(7, 1);
  const figures = { address: "127.0.0.1", port: 1, pool, rate: 1000, seed: 7, begin: now, keepTotals: true };
  const node = new SimulatedNode({ ...figures, now: () => now });
  await node.apply({ revision: 1, objects: { put: inbound(1), drop: [] }, users: { put: [planUser(1)] } });
  for (let tick = 0; tick < 40; tick++) {
    now += MINUTE;
    node.tick();
  }
  const batches: { quarter: number; bytes: number }[] = [];
  for (let batch = node.nextBatch(); batch; batch = node.nextBatch()) {
    const [[, , up, down, at] = [0, 0, 0, 0, 0]] = batch.rows;
    expect(batch).toMatchObject({ up, down, to: at });
    batches.push({ quarter: Math.floor((at * 1000) / QUARTER), bytes: up + down });
    await node.acknowledge(batch.seq);
  }
  // Read by the minute: the reading at which a quarter begins belongs to it.
  expect(batches).toEqual([
    { quarter: 5, bytes: 240_000 },
    { quarter: 6, bytes: 900_000 },
    { quarter: 7, bytes: 900_000 },
    { quarter: 8, bytes: 360_000 },
  ]);
  expect(Array.from(node.totals?.rows() ?? [], ([, up, down]) => up + down)).toEqual([2_400_000]);
});
