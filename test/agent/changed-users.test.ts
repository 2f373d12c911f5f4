// If one field of a user changes, a real node and a simulated one see another user.
import { expect, test } from "vitest";
import { SimulatedNode } from "../../src/agent/simulate/node.ts";
import { BucketPool } from "../../src/agent/simulate/user-buckets.ts";
import { bucketOf, digestUser, formatBucket } from "../../src/protocol/digest.ts";
import { PlanUser, samePlanUser } from "../../src/protocol/plan.ts";
import { planUser } from "./fixture.ts";

const CHANGED: Required<Omit<PlanUser, "id">> = {
  uuid: "00000000-0000-4000-8000-000000000001",
  password: "another",
  ss16: "another",
  ss32: "another",
  flow: "another",
  speedLimit: 12,
  ipLimit: 12,
  inbounds: [2],
  by: { vless: { uuid: "00000000-0000-4000-8000-000000000002" } },
};

test("every field is tried", () => {
  expect(["id", ...Object.keys(CHANGED)].toSorted()).toEqual(PlanUser.keyof().options.toSorted());
});

test.each(Object.entries(CHANGED))("%s", async (field, value) => {
  const pool = new BucketPool(7, 1);
  const figures = { address: "127.0.0.1", port: 1, pool, rate: 0, seed: 7, begin: 0, keepTotals: false };
  const node = new SimulatedNode({ ...figures, now: () => 0 });
  const before = { ...planUser(1), inbounds: [1], by: { vless: { uuid: "00000000-0000-4000-8000-000000000003" } } };
  const after = { ...before, [field]: value };
  expect([samePlanUser(before, structuredClone(before)), samePlanUser(before, after)]).toEqual([true, false]);
  for (const [revision, user] of [before, after, before].entries()) {
    await node.apply({ revision, users: { put: [user] } });
    expect(node.digests().buckets[bucketOf(user.id)]).toBe(formatBucket(digestUser(user)));
  }
});
