// Every key that Xray reads, from its sources: the structs of the package `infra/conf`. Many of them stand under raw
// JSON, so each is a root of its own.
import { join } from "node:path";
import { readGoPackage } from "./go-structs.ts";
import { type KeyList, listKeys } from "./key-list.ts";

export function xrayKeys(version: string, sources: string): KeyList {
  const go = readGoPackage(join(sources, "infra/conf"), new Map());
  const read = [...go.structs].filter(([, fields]) => fields.some(({ tagged }) => tagged)).map(([name]) => name);
  const roots = Object.fromEntries(read.toSorted().map((name) => [name, name]));
  return { engine: "xray", version, roots: { configuration: "Config" }, blocks: listKeys(roots, go, {}) };
}
