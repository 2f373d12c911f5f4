// Fields of a form as data. Names and kinds are checked against the route's body type: an unknown field does not
// compile.
import type { ReactNode } from "react";

/** What a form holds of a field. Names of parts (`contact.email`) are flat. */
export type FieldValue = string | number | boolean | readonly number[] | readonly string[] | null;
export type Values = Readonly<Record<string, FieldValue>>;

interface Common<N extends string> {
  /** As on the wire; `contact.email` is a part of `contact`. */
  readonly name: N;
  readonly label: string;
  /** One line below the input. */
  readonly help?: ReactNode;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Over both columns. */
  readonly wide?: boolean;
  /** Beside the input: a button that fills it in. */
  readonly tool?: ReactNode;
  /** Shown only while this holds. */
  readonly when?: (values: Values) => boolean;
}

export interface Choice<V extends string | number> {
  readonly value: V;
  readonly label: string;
}

interface TextField<N extends string> extends Common<N> {
  readonly kind: "text" | "area" | "secret";
  /** Addresses, ids, keys: left to right in every language. */
  readonly code?: boolean;
}
interface TextChoiceField<N extends string> extends Common<N> {
  readonly kind: "select";
  readonly choices: readonly Choice<string>[];
}
/** `zero`: what 0 means, shown while the input is empty ("Unlimited"). */
interface QuantityField<N extends string> extends Common<N> {
  readonly kind: "number" | "bytes" | "rate" | "duration" | "date";
  readonly zero?: string;
  /** For a number: fractions are allowed. */
  readonly decimals?: true;
  /** A port or a version, which is not counted: without separators of thousands. */
  readonly code?: boolean;
}
interface NumberChoiceField<N extends string> extends Common<N> {
  readonly kind: "choice";
  readonly choices: readonly Choice<number>[];
}
interface SwitchField<N extends string> extends Common<N> {
  readonly kind: "switch";
}
/** Texts one after the other: names, addresses, ids of a protocol. */
interface TextsField<N extends string> extends Common<N> {
  readonly kind: "texts";
  /** What is offered; others may be typed. */
  readonly offered?: readonly string[];
}
interface ManyField<N extends string> extends Common<N> {
  readonly kind: "many";
  readonly choices: readonly Choice<number>[];
  /** For a field that can be null: what null means ("All of them"). A switch with this label sets it. */
  readonly all?: string;
}

/** Any field, whatever body it belongs to. */
export type AnyField =
  | TextField<string>
  | TextChoiceField<string>
  | QuantityField<string>
  | NumberChoiceField<string>
  | SwitchField<string>
  | TextsField<string>
  | ManyField<string>;

type FieldFor<N extends string, V> = [V] extends [boolean]
  ? SwitchField<N>
  : [V] extends [string]
    ? TextField<N> | TextChoiceField<N>
    : [V] extends [number]
      ? QuantityField<N> | NumberChoiceField<N>
      : [V] extends [readonly number[]]
        ? ManyField<N>
        : [V] extends [Readonly<Record<string, unknown>>]
          ? string extends keyof V
            ? FieldIn<N>
            : TextField<`${N}.${string}`>
          : never;

/** A field somewhere in a document whose fields the types do not say. */
type FieldIn<N extends string> = AnyField & { readonly name: `${N}.${string}` };

/** A field of the body `B`. */
export type Field<B> = { [N in keyof B & string]-?: FieldFor<N, NonNullable<B[N]>> }[keyof B & string];

export interface FieldGroup<B> {
  readonly title: string;
  readonly text?: ReactNode;
  readonly fields: readonly Field<B>[];
  /** Shown only while this holds. */
  readonly when?: (values: Values) => boolean;
  /** Closed until it is opened, or a field in it is wrong or changed. */
  readonly folded?: boolean;
}

/** `{"contact.email": …}` as the body has it: `{contact: {email: …}}`. */
export function nested(values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const dot = name.indexOf(".");
    if (dot === -1) body[name] = value;
    else {
      const outer = name.slice(0, dot);
      const parts = body[outer];
      body[outer] = { ...(typeof parts === "object" ? parts : {}), [name.slice(dot + 1)]: value };
    }
  }
  return body;
}

/** Whether two values of a field mean the same; the order of chosen ids is none. */
export function sameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const others: readonly unknown[] = b;
  return a.length === b.length && a.every((each) => others.includes(each));
}
