// Simulations by seed, part 0; see `seeds.ts`.
import { test } from "vitest";
import { runSeeds } from "./seeds.ts";

test("nothing is lost, doubled or halved, whatever fails", { timeout: 600_000 }, () => runSeeds(0, 250, 12));
