// Tests that kill agents leave their port maps behind, as killed agents do; those whose directory is gone by the end of
// the run are taken away.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Vitest calls it once, after all files. */
export function teardown(): void {
  for (const table of list("tables").matchAll(/inet signalbox_[0-9a-f]{12}/g)) {
    const path = /comment "([^"]+)"/.exec(list(`table ${table[0]}`, "-t"))?.[1];
    if (path?.startsWith(tmpdir()) !== true || existsSync(path)) continue;
    for (const name of [table[0], `${table[0]}_speed`]) nft("delete", "table", ...name.split(" "));
  }
}

function list(what: string, ...options: string[]): string {
  return nft(...options, "list", ...what.split(" "));
}

/** Empty where nft is missing, or may not: then there are no tables either. */
function nft(...words: string[]): string {
  try {
    return execFileSync("nft", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}
