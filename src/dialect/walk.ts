// Walks over a fragment together with its shape. It finds keys that are not listed, hosts that the engine would connect
// to, and secrets.
import type { Scalar, Shape } from "./shape.ts";

/** Keys and indexes from the fragment down. */
export type Path = readonly string[];

export interface Found {
  readonly forbidden: Path[];
  readonly targets: { readonly path: Path; readonly host: string }[];
  readonly secrets: Path[];
}

/** Everything that `shape` says of `fragment`. Pure; takes any JSON. */
export function found(shape: Shape, fragment: unknown): Found {
  const all: Found = { forbidden: [], targets: [], secrets: [] };
  walk(shape, fragment, [], all);
  return all;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than any fragment has a reason to be; a walk without end would be the panel's. */
const DEEPEST = 32;

/** Null is how JSON says absent: engines take it so. */
function walk(shape: Shape, value: unknown, path: Path, all: Found): void {
  if (value === null || value === undefined) return;
  if (path.length > DEEPEST) {
    all.forbidden.push(path);
    return;
  }
  if (shape.kind === "later") walk(shape.shape(), value, path, all);
  else if (shape.kind === "either") walk(isObject(value) ? shape.object : shape.scalar, value, path, all);
  else if (shape.kind === "value") walkValue(shape, value, path, all);
  else if (shape.kind === "list") {
    if (Array.isArray(value)) value.forEach((item, index) => walk(shape.of, item, [...path, String(index)], all));
    else walk(shape.of, value, path, all);
  } else if (!isObject(value)) all.forbidden.push(path);
  else if (shape.kind === "choice") walkChoice(shape, value, path, all);
  else {
    for (const [key, field] of Object.entries(value)) {
      const at = [...path, key];
      if (shape.kind === "named") {
        if (shape.secret?.(key)) all.secrets.push(at);
        walk(shape.of, field, at, all);
      } else {
        const known = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
        if (known) walk(known, field, at, all);
        else all.forbidden.push(at);
      }
    }
  }
}

function walkChoice(
  shape: Extract<Shape, { kind: "choice" }>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  all: Found,
): void {
  const stated = value[shape.by];
  const which = stated === undefined || stated === null || stated === "" ? shape.absent : stated;
  const chosen = typeof which === "string" && Object.hasOwn(shape.of, which) ? shape.of[which] : undefined;
  if (chosen) walk(chosen, value, path, all);
  else all.forbidden.push([...path, shape.by]);
}

function walkValue(shape: Extract<Shape, { kind: "value" }>, value: unknown, path: Path, all: Found): void {
  if (shape.secret) all.secrets.push(path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, item] of items.entries()) {
    if (item === null) continue;
    const at = Array.isArray(value) ? [...path, String(index)] : path;
    if (!isScalar(item) || shape.allows?.(item) === false) all.forbidden.push(at);
    else {
      const host = shape.target?.(item);
      if (host !== undefined) all.targets.push({ path: at, host });
    }
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
