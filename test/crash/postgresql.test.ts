// The real panel on PostgreSQL, killed again and again at fault points and at any moment: nothing answered is lost,
// nothing is half done, nothing is done twice.
import { test } from "vitest";
import { dialects } from "../database.ts";
import { crashTest } from "./crash-test.ts";

test.skipIf(!dialects.includes("postgresql"))(
  "a panel on PostgreSQL survives its kills",
  { timeout: 1_800_000 },
  async () => {
    await crashTest("postgresql", "mixed", 70);
  },
);
