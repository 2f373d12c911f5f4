// What differs between two JSON documents, field by field. Pure.

/** Keys from the document down; items of a list by the name that the item itself has, else by their place. */
export type Path = readonly string[];

/** `undefined` on a side: the field is not there. */
export interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** By the first of these that every item of both lists has, and that tells them apart, items are compared. */
const NAMES = ["id", "tag", "name", "key"] as const;

/**
 * Fields that were added, removed or changed, in the order of `after`. Lists of texts and numbers are one field each.
 * `ignored`: names of top fields that say nothing, `updatedAt` for one.
 */
export function differences(before: unknown, after: unknown, ignored: readonly string[] = []): readonly Difference[] {
  return between(before, after, []).filter(({ path: [top] }) => top === undefined || !ignored.includes(top));
}

function between(before: unknown, after: unknown, path: Path): Difference[] {
  if (isSame(before, after)) return [];
  const [then, now] = [partsOf(before, after), partsOf(after, before)];
  if (!then || !now) return [{ path, before, after }];
  const names = [...now.keys(), ...[...then.keys()].filter((name) => !now.has(name))];
  return names.flatMap((name) => between(then.get(name), now.get(name), [...path, name]));
}

/** What a value consists of; undefined where it is one piece. What is not there has no parts if the other has some. */
function partsOf(value: unknown, other: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isFields(value)) return isFields(other) || other === undefined ? new Map(Object.entries(value)) : undefined;
  if (isItems(value)) {
    if (!isItems(other) && other !== undefined) return undefined;
    const name = nameOf([...value, ...(isItems(other) ? other : [])]);
    const unique = name !== undefined && [value, other].every((list) => !isItems(list) || isToldApart(list, name));
    return new Map(value.map((item, index) => [unique ? String(item[name]) : String(index + 1), item]));
  }
  if (value !== undefined) return undefined;
  return (isFields(other) && Object.keys(other).length > 0) || isItems(other) ? new Map() : undefined;
}

function nameOf(items: readonly Fields[]): (typeof NAMES)[number] | undefined {
  const isName = (value: unknown) => typeof value === "string" || typeof value === "number";
  return NAMES.find((name) => items.every((item) => isName(item[name])));
}

function isToldApart(items: readonly Fields[], name: string): boolean {
  return new Set(items.map((item) => String(item[name]))).size === items.length;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects that has any. */
function isItems(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

/** Whether two JSON values say the same; the order of keys says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
}

/** Empty: nothing is there, or nothing that says anything. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}
