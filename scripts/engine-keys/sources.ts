// Where the engines' sources lie: the versions that `scripts/install-engines` pins, in Go's module cache.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KeyList } from "./key-list.ts";
import { singBoxKeys } from "./sing-box.ts";
import { xrayKeys } from "./xray.ts";

const list = (name: string): string =>
  fileURLToPath(new URL(`../../test/dialect/engine-keys/${name}.json`, import.meta.url));

/** The committed lists. */
export const KEY_LISTS = { "sing-box": list("sing-box"), xray: list("xray") } as const;
export type ListedEngine = keyof typeof KEY_LISTS;

/** The versions that are built and tested. */
export function pinnedVersions(): Readonly<Record<ListedEngine, string>> {
  const script = readFileSync(new URL("../install-engines", import.meta.url), "utf8");
  const pin = (name: string): string => new RegExp(`^${name}=(\\S+)$`, "m").exec(script)?.[1] ?? "";
  return { "sing-box": pin("sing_box"), xray: pin("xray") };
}

/** Folders of both engines' sources; undefined where they are not there. */
export function engineSources(
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<ListedEngine, string>> | undefined {
  const versions = pinnedVersions();
  const cache = env["GOMODCACHE"] ?? join(env["GOPATH"]?.split(":")[0] ?? join(homedir(), "go"), "pkg/mod");
  const sources = {
    "sing-box": join(cache, "github.com/sagernet", `sing-box@v${versions["sing-box"]}`),
    xray: join(cache, "github.com/xtls", `xray-core@${versions.xray}`),
  };
  return Object.values(sources).every((folder) => existsSync(folder)) ? sources : undefined;
}

export function readKeys(engine: ListedEngine, sources: Readonly<Record<ListedEngine, string>>): KeyList {
  const read = engine === "xray" ? xrayKeys : singBoxKeys;
  return read(pinnedVersions()[engine], sources[engine]);
}
