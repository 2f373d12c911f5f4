// Which configuration points: it says where customers, their programs or their credentials go, or is a link that one of
// them follows. Each record and each setting declares it for all its fields. Whoever may not read accounts writes
// nothing there that was not there before (rules admins.point).
import type { Extra } from "./context.ts";

/** What a value points with, each part by itself; none: nowhere. */
export type Pointing<in T = unknown> = (value: T) => readonly string[];

/** For every field of a record. */
export type Points<T> = { readonly [K in keyof T]-?: Pointing<Exclude<T[K], undefined>> };

/** Figures, switches, names, and what only the panel or a node reads. */
export const nowhere: Pointing = () => [];

/** Where nodes send what customers ask for: the work of the record's own scope (docs/access.md). */
export const traffic: Pointing = () => [];

/** The value as it is. */
export const whole: Pointing = (value) => (isNothing(value) ? [] : [sortedJson(value)]);

/** Each item of a list by itself: their order says nothing. */
export const each: Pointing<readonly unknown[]> = (values) => values.map(sortedJson);

/** Links in a text, and in all texts of an object. */
export const links: Pointing = (value) => textsIn(value).flatMap(linksIn);

/** All that a record points with. */
export function partsOf<T extends object>(points: Points<T>, record: T): string[] {
  return (Object.keys(points) as (keyof T & string)[]).flatMap((field) => {
    const value = record[field];
    if (value === undefined) return [];
    // The key comes from the table, which has the function for this field's type.
    return (points[field] as Pointing)(value).map((part) => `${field} ${part}`);
  });
}

/** Whether something is pointed to that was not before. */
export function pointsAnew(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  return after.some((part) => !known.has(part));
}

/** What a request needs that points somewhere. `when` completes "needed". */
export function toPoint(when: string): Extra {
  return { when, also: ["users:read"] };
}

function isNothing(value: unknown): boolean {
  if (value === null || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The same text for the same value, in whatever order its members stand: databases store them in their own. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const SEPARATORS = /[\s"'`<>(){}[\]|,;!*«»“”„、，。；！（）「」]+/u;
/** What opens a program whatever follows. */
const OPENING = /^(?:mailto|tel|sms|tg|intent|magnet|javascript):./iu;

/**
 * The words of a text that programs make links of: with a scheme, names of hosts, addresses, and names behind an `@`.
 * One pass over the text.
 */
export function linksIn(text: string): string[] {
  // Characters without width part no word for who reads it.
  const plain = text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "");
  return plain.split(SEPARATORS).filter((word) => word.includes("://") || OPENING.test(word) || isAddressed(word));
}

function isAddressed(word: string): boolean {
  if (/@[\p{L}\p{N}_]{2}/u.test(word)) return true;
  // Behind the host may stand a port, a path, a query.
  const [host = ""] = word.replace(/^[^\p{L}\p{N}]+/u, "").split(/[:/?#\\]/u, 1);
  const labels = host.slice(0, lastLetter(host)).split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length < 2 || labels.includes("")) return false;
  return /^(?:\p{L}{2,}|xn--[\p{L}\p{N}-]+)$/iu.test(last) || (labels.length === 4 && labels.every(isByte));
}

/** The place behind the last letter or digit. A pattern for the end of a text would try at each of its characters. */
function lastLetter(text: string): number {
  let end = text.length;
  while (end > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(end - 1))) end--;
  return end;
}

function isByte(label: string): boolean {
  return /^\d{1,3}$/.test(label);
}
