// Two people changed one document: what each changed alone is kept of both, and what both changed is a conflict. Lists
// are one piece. Pure.
import { isFields, isSame } from "../diff/differences.ts";
import type { Json } from "./document-draft.ts";

export interface Merged {
  /** Their document with my changes; where both changed the same, mine. */
  readonly document: Json;
  /** Fields, as paths, that both changed to something else. */
  readonly both: readonly string[];
}

export function mergeDocuments(base: Json, mine: Json, theirs: Json): Merged {
  const both: string[] = [];
  return { document: mergeFields({ base, mine, theirs }, "", both), both };
}

interface Versions<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

/** In the order of their document; undefined stands for a field that is not there. */
function mergeFields({ base, mine, theirs }: Versions<Json>, path: string, both: string[]): Json {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const entries = [...names].map((name): [string, unknown] => {
    const at = path === "" ? name : `${path}.${name}`;
    return [name, mergeValue({ base: own(base, name), mine: own(mine, name), theirs: own(theirs, name) }, at, both)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function mergeValue({ base, mine, theirs }: Versions<unknown>, path: string, both: string[]): unknown {
  if (isSame(mine, base)) return theirs;
  if (isSame(theirs, base) || isSame(mine, theirs)) return mine;
  if (isFields(mine) && isFields(theirs))
    return mergeFields({ base: isFields(base) ? base : {}, mine, theirs }, path, both);
  both.push(path);
  return mine;
}

function own(fields: Json, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
