// `node bin/node24.mjs scripts/engine-keys.ts`, after `scripts/install-engines`: writes the list of every key that the
// pinned engines read, from their sources in Go's module cache. A test holds the allow-list of fragments against it, so
// a new version of an engine makes somebody decide about each new key.
import { writeFileSync } from "node:fs";
import { engineSources, KEY_LISTS, readKeys } from "./engine-keys/sources.ts";

const sources = engineSources();
if (sources === undefined)
  throw new Error("the engines' sources are not in Go's module cache: run scripts/install-engines first");
for (const engine of ["sing-box", "xray"] as const) {
  writeFileSync(KEY_LISTS[engine], `${JSON.stringify(readKeys(engine, sources), null, 2)}\n`);
}
