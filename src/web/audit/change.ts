// Records of the audit log as the pages read them: what one is about, where that is, and its two sides. Pure.
import type { z } from "zod";
import type { Change as ChangeSchema, ChangeFacets } from "../../access/audit/changes.schema.ts";
import { isFields, isSame, type Path } from "../parts/diff/differences.ts";
import type { Words } from "../words/language.ts";

export type Change = z.output<typeof ChangeSchema>;
export type Facets = z.output<typeof ChangeFacets>;

/** Collections whose pages have another name than on the wire. */
const PLACES: Readonly<Record<string, string>> = { "oidc-providers": "/providers" };

/** The page of a record, as a pattern of the table of pages: `/users/:id`. */
export function placeOf(key: string): string {
  return `${PLACES[key] ?? `/${key}`}/:id`;
}

/** A verb in words; one of an older panel stays as it is. */
export function actionText(action: string, words: Words["actions"]): string {
  return Object.entries(words).find(([name]) => name === action)?.[1] ?? action;
}

/** A collection in words. */
export function keyText(key: string, words: Words["subjects"]): string {
  return Object.entries(words).find(([name]) => name === key)?.[1] ?? key;
}

interface Sides {
  readonly before?: unknown;
  readonly after?: unknown;
  /** What changed although both sides read the same: the log hides what was in it. */
  readonly hidden?: readonly Path[];
}

/** What was and what is: of a change of fields both, of what is new or gone one of them. */
export function sidesOf({ key, action, obj }: Pick<Change, "key" | "action" | "obj">): Sides {
  if (action === "delete") return { before: obj };
  const fields = Object.entries(obj);
  const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;
  if (action === "create" || fields.length === 0 || !fields.every(([, value]) => isPair(value))) return { after: obj };
  const side = (at: 0 | 1) =>
    Object.fromEntries(fields.map(([name, value]) => [name, isPair(value) ? value[at] : null]));
  const hidden = fields.flatMap(([name, value]) => (isPair(value) ? hiddenIn(key, name, value) : []));
  return { before: side(0), after: side(1), ...(hidden.length > 0 ? { hidden } : {}) };
}

/**
 * Paths of what changed although both sides read the same. For an account, the log names exactly the parts of its
 * credentials that changed.
 */
function hiddenIn(key: string, name: string, [before, after]: [unknown, unknown]): Path[] {
  if (key === "users" && name === "config" && isFields(before) && isFields(after)) {
    const parts = Object.keys(after).filter((part) => part in before && isSame(before[part], after[part]));
    return parts.map((part) => [name, part]);
  }
  return isSame(before, after) ? [[name]] : [];
}

/** What people call the record, where the change itself says it. */
export function nameIn({ obj }: Pick<Change, "obj">): string | undefined {
  for (const field of ["name", "username", "tag", "desc"]) {
    const value = isFields(obj) ? obj[field] : undefined;
    const now: unknown = Array.isArray(value) ? value[1] : value;
    if (typeof now === "string" && now !== "") return now;
  }
  return undefined;
}

/** Seconds of the spans that the list offers. */
export const SPANS = { hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
export type Span = keyof typeof SPANS;

/** The list's parameters: `since` as the time from which on. */
export function changeParameters<V>(api: Readonly<Record<string, V>>, now: number): Record<string, V | number> {
  const { since, ...rest } = api;
  const span = Object.entries(SPANS).find(([name]) => name === since)?.[1];
  return span === undefined ? rest : { ...rest, from: now - span };
}
