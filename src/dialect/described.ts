// The closed lists of keys as JSON Schema, for forms, editors and their checks. It names the keys and says which are
// secret; of values it knows no more than the lists do.
import type { Shape } from "./shape.ts";

export interface KeySchema {
  type?: string | readonly string[];
  properties?: Record<string, KeySchema>;
  additionalProperties?: boolean | KeySchema;
  items?: KeySchema;
  anyOf?: readonly KeySchema[];
  oneOf?: readonly KeySchema[];
  const?: string;
  writeOnly?: true;
  required?: readonly string[];
}

/** Rules of rules: further down the keys are not said. */
const DEEPEST = 3;

/** `later`: how many shapes that contain themselves are around it. */
export function described(shape: Shape, later = 0): KeySchema {
  switch (shape.kind) {
    case "value":
      return shape.secret === true ? { writeOnly: true } : {};
    case "block":
      return {
        type: "object",
        properties: mapped(shape.keys, (each) => described(each, later)),
        additionalProperties: false,
      };
    case "list":
      return { type: "array", items: described(shape.of, later) };
    case "named":
      return { type: "object", additionalProperties: described(shape.of, later) };
    case "either":
      return { anyOf: [described(shape.scalar, later), described(shape.object, later)] };
    case "later":
      return later >= DEEPEST ? { type: "object" } : described(shape.shape(), later + 1);
    case "choice":
      return { oneOf: Object.entries(shape.of).map(([name, each]) => branch(shape, name, described(each, later))) };
  }
}

function mapped<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** One way of a choice: what it is called stands in it, and must, unless it is the one that is meant without. */
function branch({ by, absent }: Extract<Shape, { kind: "choice" }>, name: string, way: KeySchema): KeySchema {
  return {
    ...way,
    properties: { ...way.properties, [by]: { const: name } },
    ...(name === absent ? {} : { required: [by] }),
  };
}
