// Simulations by seed, part 2; see `seeds.ts`.
import { test } from "vitest";
import { runSeeds } from "./seeds.ts";

test("nothing is lost, doubled or halved, whatever fails", { timeout: 600_000 }, () => runSeeds(2, 250, 12));
