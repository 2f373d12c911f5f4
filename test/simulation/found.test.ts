// Seeds that break a promise without the mending of what they found. A seed is worth something for as long as the
// simulation goes the same way, so each defect that one call or one store in memory can show has a test of its own
// beside the code, too (`test/db/late-answers.test.ts`).
import { beforeAll, expect, test } from "vitest";
import { SimulatedDatabase } from "./database.ts";
import { entities } from "./job.ts";
import { simulate } from "./simulation.ts";

const OLD_NEWS =
  "News of another process, heard before the answer to an own earlier commit of that row, were overwritten by the older row.";
const FOUND = [
  { seed: 91, defect: OLD_NEWS },
  { seed: 126, defect: OLD_NEWS },
  { seed: 191, defect: OLD_NEWS },
];

let database: SimulatedDatabase;

beforeAll(async () => {
  database = await SimulatedDatabase.open(entities);
});

test.each(FOUND)("seed $seed: $defect", async ({ seed }) => {
  const { broken } = await simulate({ database, seed });
  expect(broken).toEqual([]);
});
