// Lays out every chart once and prints a digest of it: for a test that compares processes.
import { createHash } from "node:crypto";
import { readCharts } from "../../../scripts/charts/charts.ts";
import { layOut } from "../../../scripts/charts/layout.ts";

const hash = createHash("sha256");
for (const { graph } of await readCharts()) hash.update(JSON.stringify(await layOut(graph, "heat", 0)));
console.log(hash.digest("hex"));
