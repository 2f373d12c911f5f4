// What an event of the catalogue is. Each feature declares those that it raises; the panel derives the catalogue, and
// what is not in it cannot be raised.
import type { Scope } from "../http/index.ts";

/** What a field holds. `NodeCause` and `NodeNotice` are schemas of the API's description. */
export const FIELD_TYPES = [
  "integer",
  "string",
  "boolean",
  "integer[]",
  "string[]",
  "object",
  "NodeCause",
  "NodeNotice[]",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** One event as `GET /api/events` shows it. `scope` is what a listener needs; empty: none. */
export interface CatalogueEvent {
  readonly name: string;
  /** What it is about: `user`. */
  readonly family: string;
  readonly scope: Scope | "";
  readonly description: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
}

/** Fields of an event's payload. */
export type EventFields = Readonly<Record<string, FieldType>>;

/** Events by name. */
export type EventEntries = Readonly<Record<string, CatalogueEvent>>;

type Line = readonly [description: string, fields: EventFields];

/** Events of a family that the same scope may hear; their names are types from here on. */
export function defineEvents<F extends string, N extends string>(
  family: F,
  scope: Scope | "",
  lines: Readonly<Record<N, Line>>,
): Readonly<Record<`${F}.${N}`, CatalogueEvent>> {
  const entries = Object.entries<Line>(lines).map(([line, [description, fields]]) => {
    const name = `${family}.${line}`;
    const listed = Object.entries(fields).map(([field, type]) => ({ name: field, type }));
    return [name, { name, family, scope, description, fields: listed }];
  });
  return Object.fromEntries(entries) as Readonly<Record<`${F}.${N}`, CatalogueEvent>>;
}
