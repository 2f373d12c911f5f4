// What changes a record of the pool, of whatever kind. Each function is part of one commit; every rule is checked on
// locked rows.
import type { Draft } from "../../db/index.ts";
import { withStoredSecrets } from "../../dialect/index.ts";
import { notFound, refuseOutdated } from "../../http/index.ts";
import { type PrivateTargets, refuseFragment } from "../refused-fragment.ts";
import { type Body, fieldsOf, fragmentsIn, type Shape, type Stored } from "./shape.ts";

/** A create or a change, as far as other records are concerned. */
export interface Change<R, W> {
  readonly id: number;
  /** Undefined: the record is new. */
  readonly before: Readonly<R> | undefined;
  readonly after: Readonly<W>;
}

/** Throws for what may not be written, and writes what follows from it in other records. */
export type Follow<R, W> = (draft: Draft, change: Change<R, W>) => void;

/** What a write depends on beyond the record and the body. */
export interface Writing<R, W> {
  readonly privateTargets: PrivateTargets;
  readonly follow: Follow<R, W>;
}

/**
 * Stored values with the body's laid over them; what is absent stays. A secret that comes empty keeps its stored value:
 * a caller who may not read secrets sends them back empty. Secrets of another type are not copied.
 */
function merged<R extends Stored, W extends object, U extends Body<W>>(
  shape: Shape<R, W, U>,
  stored: Readonly<Partial<W>>,
  body: U,
): W {
  const values = fieldsOf(shape).map(([name, { read }]) => {
    const given: unknown = body[name];
    if (given === undefined) return [name, stored[name]] as const;
    return [name, read ? read(given) : given] as const;
  });
  // Fields that have no initial value are required by the schema of a create.
  const next = Object.fromEntries(values) as W;
  const before = new Map(fragmentsIn(shape, stored as W).map((each) => [each.name, each]));
  const whole = fragmentsIn(shape, next).flatMap(({ name, collection, type, value }) => {
    const old = before.get(name);
    if (body[name] === undefined || old?.type !== type) return [];
    return [[name, withStoredSecrets(collection, type, value, old.value)] as const];
  });
  return { ...next, ...Object.fromEntries(whole) };
}

/** Throws 400 naming the field of a faulty fragment. */
function checkFragments<R extends Stored, W extends object, U extends Body<W>>(
  shape: Shape<R, W, U>,
  record: W,
  body: U,
  privateTargets: PrivateTargets,
): void {
  for (const { name, recheck, issues, ...fragment } of fragmentsIn(shape, record)) {
    // A body has the fields of the record, some of them.
    if (body[name] === undefined && recheck?.(body as unknown as Partial<W>, record) !== true) continue;
    refuseFragment(name, fragment, issues(record), privateTargets);
  }
}

/** What was read before the commit is no longer so: nothing is changed, and it is to be read again. */
export class AskedTooEarly extends Error {
  override readonly name = "AskedTooEarly";
}

/** Inserts a record. Throws 400 naming the field of a faulty fragment, and `UniqueConflict` for a taken name. */
export function createFragment<R extends Stored, W extends object, U extends Body<W>>(
  draft: Draft,
  shape: Shape<R, W, U>,
  { privateTargets, follow }: Writing<R, W>,
  body: U,
): R {
  const initial = Object.fromEntries(fieldsOf(shape).map(([name, field]) => [name, field.initial]));
  const after = merged(shape, initial as Partial<W>, body);
  checkFragments(shape, after, body, privateTargets);
  const id = draft.nextId(shape.rows.name);
  follow(draft, { id, before: undefined, after });
  // Its own columns, those that a body writes, and those that others write: all of a row.
  const row = { id, ...after, ...shape.others, createdAt: draft.time, updatedAt: draft.time } as unknown as R;
  draft.insert(shape.rows, row);
  return row;
}

/** Changes a record; absent fields keep their value. `view`: as the caller sees it. */
export function updateFragment<R extends Stored & W, W extends object, U extends Body<W>>(
  draft: Draft,
  shape: Shape<R, W, U>,
  { privateTargets, follow }: Writing<R, W>,
  id: number,
  body: U,
  view: (row: Readonly<R>) => object,
): { readonly before: Readonly<R>; readonly after: Readonly<R> } {
  const before = draft.find(shape.rows, id) ?? notFound(shape.noun, id);
  refuseOutdated(body.version, before, () => view(before));
  const after = merged(shape, before, body);
  checkFragments(shape, after, body, privateTargets);
  follow(draft, { id, before, after });
  return { before, after: { ...draft.touch(shape.rows, id, after) } };
}

/** Deletes a record. `leave` throws for one that is in use, and takes it out of the records that name it. */
export function deleteFragment<R extends Stored, W extends object, U extends Body<W>>(
  draft: Draft,
  shape: Shape<R, W, U>,
  id: number,
  leave: (draft: Draft, row: Readonly<R>) => void,
): Readonly<R> {
  const row = draft.find(shape.rows, id) ?? notFound(shape.noun, id);
  leave(draft, row);
  draft.delete(shape.rows, id);
  return row;
}
