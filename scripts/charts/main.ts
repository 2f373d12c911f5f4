// `npm run charts`: lays out every chart of machines/ and writes the geometry that the interface draws by, and the
// pages in docs/charts/. A test fails when they differ from the charts. Many ways of laying out are tried: half a
// minute for each drawing.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { chartFiles, GEOMETRIES, PAGES } from "./files.ts";

const files = await chartFiles();
for (const folder of [PAGES, GEOMETRIES]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [path, text] of files) {
  writeFileSync(path, text);
  console.log(path.pathname);
}
