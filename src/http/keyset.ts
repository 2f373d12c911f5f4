// Pages that go on where the last one ended, whatever was written meanwhile (rule http.list.7): the values by which its
// last row was sorted, as an opaque cursor that is bound to the list, its filters and its order.
import { createHash } from "node:crypto";
import { sql, type Query } from "../db/index.ts";
import { invalid } from "./refusals/errors.ts";
import { rule } from "./refusals/rules.ts";

/** One column of an order that is total. */
export interface Term {
  /** SQL; code, never input. */
  readonly by: string;
  readonly descending: boolean;
}

/** The values of a row's terms. */
export type Keys = readonly (string | number)[];

/** The place in a list where the page of one request begins, and where the next page begins. */
export interface Keyset {
  /** Undefined: from the beginning. */
  readonly after: Keys | undefined;
  /** Set by whoever read the page and knows that more follows. */
  next: Keys | undefined;
}

/** `id desc`, `sort_order, id`: an order as terms. */
export function termsOf(order: string): Term[] {
  return order.split(",").map((part) => {
    const text = part.trim();
    const descending = text.endsWith(" desc");
    return { by: descending ? text.slice(0, -" desc".length) : text, descending };
  });
}

/** What comes after a row of these keys. The first part lets an index begin there. */
export function comesAfter(terms: readonly Term[], keys: Keys): Query<boolean> {
  const value = (index: number) => keys[index] ?? 0;
  const further = ({ by, descending }: Term, index: number, equal: boolean): Query<boolean> =>
    sql<boolean>`${sql.raw(`${by} ${descending ? "<" : ">"}${equal ? "=" : ""}`)} ${value(index)}`;
  const ways = terms.map((term, index) => {
    const same = terms.slice(0, index).map(({ by }, at) => sql<boolean>`${sql.raw(by)} = ${value(at)}`);
    return sql<boolean>`(${sql.join([...same, further(term, index, false)], sql` and `)})`;
  });
  const begins = terms.slice(0, 1).map((term) => further(term, 0, true));
  return sql<boolean>`(${sql.join([...begins, sql<boolean>`(${sql.join(ways, sql` or `)})`], sql` and `)})`;
}

/** What a cursor belongs to: a list and all parameters but those that page. */
function bindingOf(list: string, query: unknown): string {
  const given = Object.entries(Object(query) as Record<string, unknown>)
    .filter(([name]) => !["limit", "offset", "cursor"].includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([list, given]))
    .digest("base64url")
    .slice(0, 16);
}

export function cursorOf(list: string, query: unknown, keys: Keys): string {
  return Buffer.from(JSON.stringify([bindingOf(list, query), ...keys])).toString("base64url");
}

/** Throws 400 naming `cursor` for one that was not given out for this list, these filters and this order. */
export function keysOf(cursor: string, list: string, query: unknown): Keys {
  const [binding, ...keys] = read(cursor);
  if (binding !== bindingOf(list, query) || keys.length === 0) invalid("cursor", rule("unfit"));
  return keys;
}

/** Others no row holds, and not every database takes them. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

function read(cursor: string): Keys {
  try {
    const bytes = Buffer.from(cursor, "base64url");
    const parts: unknown = JSON.parse(bytes.toString());
    if (
      bytes.toString("base64url") === cursor &&
      Array.isArray(parts) &&
      parts.every((part) => typeof part === "number" || (typeof part === "string" && isStorable(part)))
    )
      return parts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [];
}
