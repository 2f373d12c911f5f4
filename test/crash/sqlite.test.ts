// The real panel on SQLite, killed again and again at fault points and at any moment: nothing answered is lost, nothing
// is half done, nothing is done twice.
import { test } from "vitest";
import { crashTest } from "./crash-test.ts";

test("a panel on SQLite survives its kills", { timeout: 1_800_000 }, async () => {
  await crashTest("sqlite", "mixed", 60);
});
