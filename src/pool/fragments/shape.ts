// What a record of the pool holds: plain values and fragments of configuration, and what becomes of a body's value. How
// a kind is created, changed and shown follows from its shape.
import type { Entity } from "../../db/index.ts";
import type { Collection } from "../../dialect/index.ts";
import type { Issue } from "../dialect/issue.ts";

/** Columns that every kind has. */
export interface Stored {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type Json = Record<string, unknown>;

/** A field that holds a fragment. `W`: the fields of a record that a body writes. */
export interface Fragment<W> {
  readonly collection: Collection;
  /** The type of the record; absent: the collection has no types. */
  readonly typeOf?: (record: Readonly<W>) => string;
  /** What its dialect has against it; paths are relative to it. */
  readonly issues: (record: Readonly<W>) => readonly Issue[];
  /**
   * Whether it is checked again though the body leaves it alone. Otherwise it stays as it is, also when it would be
   * refused today: the rest of the record stays editable.
   */
  readonly recheck?: (body: Readonly<Partial<W>>, record: Readonly<W>) => boolean;
  /** Keys and passwords in it are shown to those who may replace them. */
  readonly secrets: boolean;
}

/** A field of type `V`, whose value in a body is `G`. */
export interface Field<W, V, G> {
  /** The value of a new record when the body has none. Absent: the body always has one. */
  readonly initial?: V;
  /** What is stored of a body's value; absent: the value. */
  readonly read?: (given: G) => V;
  readonly fragment?: Fragment<W>;
}

/** `R`: the row, `W`: its fields that a body writes, `U`: the body of a change. */
export interface Shape<R extends Stored, W extends object, U extends Body<W>> {
  readonly rows: Entity<R>;
  /** The word for one record in refusals: `inbound`. */
  readonly noun: string;
  readonly nameOf: (record: Readonly<W>) => string;
  readonly fields: { readonly [K in keyof W]-?: Field<W, W[K], Exclude<U[K], undefined>> };
  /** Columns that other records write, as they begin. */
  readonly others: Omit<R, keyof W | keyof Stored>;
}

/** A body that changes some of these fields. */
export type Body<W> = { readonly [K in keyof W]?: unknown } & { readonly version?: number | undefined };

/** The fields of a record that a body writes: all but its own columns and those of `O`, which other records write. */
export type Written<R extends Stored, O extends keyof R = never> = Omit<R, keyof Stored | O>;

/** A value that every body of a create has. */
export const required = {} as const;

/** A value that is stored as it is given. */
export function optional<V>(initial: V): { readonly initial: V } {
  return { initial };
}

/** A fragment; `null` in a body is an empty one. */
export function fragment<W>(of: Fragment<W>): Field<W, Json, Json | null> {
  return { initial: {}, read: (given) => given ?? {}, fragment: of };
}

type AnyField<W> = Field<W, unknown, unknown>;

/** The fields by name. */
export function fieldsOf<R extends Stored, W extends object, U extends Body<W>>({
  fields,
}: Pick<Shape<R, W, U>, "fields">): readonly (readonly [keyof W & string, AnyField<W>])[] {
  // The keys of a mapped type are those of what it maps.
  return Object.entries(fields) as unknown as readonly (readonly [keyof W & string, AnyField<W>])[];
}

/** A fragment with the name of its field, its type, and the value that a record has there. */
export interface FragmentIn<W> extends Fragment<W> {
  readonly name: keyof W & string;
  readonly type: string;
  readonly value: Json;
}

/** The fragments of a record. */
export function fragmentsIn<R extends Stored, W extends object, U extends Body<W>>(
  shape: Pick<Shape<R, W, U>, "fields">,
  record: Readonly<W>,
): FragmentIn<W>[] {
  return fieldsOf(shape).flatMap(([name, field]) => {
    if (!field.fragment) return [];
    // A field of a fragment holds an object: the body's schema and the column say so.
    const value = record[name] as Json;
    return [{ ...field.fragment, name, value, type: field.fragment.typeOf?.(record) ?? "" }];
  });
}
