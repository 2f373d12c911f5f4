// Simulations by seed, part 1; see `seeds.ts`.
import { test } from "vitest";
import { runSeeds } from "./seeds.ts";

test("nothing is lost, doubled or halved, whatever fails", { timeout: 600_000 }, () => runSeeds(1, 250, 12));
