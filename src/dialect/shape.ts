// What a fragment may contain, as data: closed lists of keys, and the allowed values of each. A key that is not listed
// is forbidden.

/** A text, number or boolean of a fragment. */
export type Scalar = string | number | boolean;

/** The allowed values of a key. */
export type Shape = Value | Block | List | Named | Choice | Either | Later;

/** Scalars: one, or a list of them. Never an object. */
interface Value {
  readonly kind: "value";
  /** False for a value that would reach the host itself. */
  readonly allows?: (value: Scalar) => boolean;
  /** The host that the node would connect to; undefined when the value names none. */
  readonly target?: (value: Scalar) => string | undefined;
  /** A private key or password. */
  readonly secret?: boolean;
}

/** An object with these keys and no others. */
interface Block {
  readonly kind: "block";
  readonly keys: Readonly<Record<string, Shape>>;
}

/** A list; a single item may replace a list of one. */
interface List {
  readonly kind: "list";
  readonly of: Shape;
}

/** An object whose keys are names of the operator's own, with the same under each. */
interface Named {
  readonly kind: "named";
  readonly of: Shape;
  /** Names under which stand passwords. */
  readonly secret?: (name: string) => boolean;
}

/** An object whose key `by` says which shape it has; absent, it is as if `absent` stood there. */
interface Choice {
  readonly kind: "choice";
  readonly by: string;
  readonly absent: string;
  readonly of: Readonly<Record<string, Shape>>;
}

/** An object, or scalars instead of it. */
interface Either {
  readonly kind: "either";
  readonly scalar: Shape;
  readonly object: Shape;
}

/** A shape that contains itself. */
interface Later {
  readonly kind: "later";
  readonly shape: () => Shape;
}

export const value: Shape = { kind: "value" };
export const secret: Shape = { kind: "value", secret: true };
export const block = (keys: Readonly<Record<string, Shape>>): Shape => ({ kind: "block", keys });
export const list = (of: Shape): Shape => ({ kind: "list", of });
export const named = (of: Shape): Shape => ({ kind: "named", of });
export const either = (scalar: Shape, object: Shape): Shape => ({ kind: "either", scalar, object });
export const later = (shape: () => Shape): Shape => ({ kind: "later", shape });

export function choice(by: string, absent: string, of: Readonly<Record<string, Shape>>): Shape {
  return { kind: "choice", by, absent, of };
}

/** Keys that all hold plain values: `"listen_port reuse_addr"`. */
export function values(names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));
}
