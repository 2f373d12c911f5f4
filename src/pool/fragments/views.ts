// Records of the pool as the API answers them: who may not change them reads no secrets, and everybody reads what of
// them is forbidden today.
import { type Collection, forbiddenPaths, privateTargetPaths, withoutSecrets } from "../../dialect/index.ts";
import type { Caller } from "../../http/index.ts";
import { fieldOf, type PrivateTargets } from "../refused-fragment.ts";
import { type Body, fragmentsIn, type Shape, type Stored } from "./shape.ts";

/** What a reader may see of a record. */
export interface FragmentReader {
  readonly secrets: boolean;
  readonly privateTargets: PrivateTargets;
}

/** Private keys and passwords of fragments are for those who could replace them. */
export function readerOf({ scopes }: Caller, privateTargets: PrivateTargets): FragmentReader {
  return { secrets: scopes.has("pool:write"), privateTargets };
}

/** Fields of a stored fragment that a write would refuse today, as the API names them. */
export function forbiddenFieldsOf(
  under: string,
  collection: Collection,
  type: string,
  fragment: unknown,
  privateTargets: PrivateTargets,
): string[] {
  const targets = privateTargets === "allow" ? [] : privateTargetPaths(collection, type, fragment);
  return [...forbiddenPaths(collection, type, fragment), ...targets].map((path) => fieldOf(under, path));
}

/** Forbidden fields in a record's own fragments. The records that it carries list theirs themselves. */
export function forbiddenOf<R extends Stored, W extends object, U extends Body<W>>(
  shape: Pick<Shape<R, W, U>, "fields">,
  row: Readonly<W>,
  privateTargets: PrivateTargets,
): string[] {
  return fragmentsIn(shape, row).flatMap(({ name, collection, type, value }) =>
    forbiddenFieldsOf(name, collection, type, value, privateTargets),
  );
}

/** A record as the audit log keeps it: without the columns that other records write. */
export function recordOf<R extends Stored & W, W extends object, U extends Body<W>>(
  { others }: Pick<Shape<R, W, U>, "others">,
  row: Readonly<R>,
): W & Stored {
  const kept = Object.entries(row).filter(([column]) => !Object.hasOwn(others, column));
  // The columns of a row are those of `Stored`, of `W` and of `others`.
  return Object.fromEntries(kept) as unknown as W & Stored;
}

/** A record as a caller reads it. */
export function viewOf<R extends Stored & W, W extends object, U extends Body<W>>(
  shape: Shape<R, W, U>,
  row: Readonly<R>,
  { secrets, privateTargets }: FragmentReader,
): W & Stored & { forbidden: string[] } {
  const hidden = fragmentsIn(shape, row).filter((fragment) => fragment.secrets && !secrets);
  const shown = hidden.map(({ name, collection, type, value }) => [name, withoutSecrets(collection, type, value)]);
  return {
    ...recordOf(shape, row),
    ...Object.fromEntries(shown),
    forbidden: forbiddenOf(shape, row, privateTargets),
  };
}
