// A JSON document that is changed by path (`config.tls.enabled`), and what of it is kept for a reload: everything but
// passwords and private keys, which no storage of the browser holds. Pure, but for the storage.
import { differences, isSame } from "../diff/differences.ts";
import { isSecretField } from "../diff/secret-fields.ts";
import { isJson } from "../schema/schema.ts";
import type { FieldValue, Values } from "./field.ts";

export type Json = Readonly<Record<string, unknown>>;

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (here, key) => (isHolder(here) && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined),
    value,
  );
}

/**
 * The document with another value at a path; undefined takes it out, and blocks that are empty then. Fields of the
 * document itself stay.
 */
export function withValue(document: Json, path: string, value: unknown): Json {
  return put(document, keysOf(path), value) as Json;
}

function put(holder: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const inner: unknown = isHolder(holder) ? Reflect.get(holder, key) : undefined;
  const made = rest.length === 0 ? value : put(inner, rest, value);
  const next =
    rest.length > 0 && value === undefined && isJson(made) && Object.keys(made).length === 0 ? gone(inner) : made;
  if (Array.isArray(holder)) {
    const items: readonly unknown[] = holder;
    if (next === undefined) return items.filter((_, index) => String(index) !== key);
    return Number(key) >= items.length ? [...items, next] : items.with(Number(key), next);
  }
  const { [key]: _, ...others } = isJson(holder) ? holder : {};
  if (next === undefined) return others;
  // In its own place, so that the text of the document changes where it is looked at.
  return isJson(holder) && key in holder ? { ...holder, [key]: next } : { ...others, [key]: next };
}

/** A block that was empty before says something; one that became so says nothing. */
function gone(before: unknown): unknown {
  return isJson(before) && Object.keys(before).length === 0 ? before : undefined;
}

function keysOf(path: string): readonly string[] {
  return path === "" ? [] : path.split(".");
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Texts, numbers, switches and lists of texts of a document, by path. */
export function valuesOf(document: Json): Values {
  const found: Record<string, FieldValue> = {};
  const visit = (value: unknown, path: string): void => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") found[path] = value;
    else if (isListOf(value, "string") || isListOf(value, "number")) found[path] = value as FieldValue;
    else if (isHolder(value))
      for (const [key, each] of Object.entries(value)) visit(each, path === "" ? key : `${path}.${key}`);
  };
  visit(document, "");
  return found;
}

function isListOf(value: unknown, type: "string" | "number"): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

/** Top fields that say something else than before. */
export function changedFields(before: Json, after: Json): Json {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value)));
}

/** Paths that differ. */
export function changedPaths(before: Json, after: Json): readonly string[] {
  return differences(before, after).map(({ path }) => path.join("."));
}

const key = (name: string) => `signalbox.document.${name}`;

export interface DocumentDraft {
  readonly document: Json;
  /** What was there when the first field was touched, and its version. */
  readonly base: Json;
  readonly version: number | undefined;
}

/** Undefined: there is none, or none that is a document. */
export function readDocument(name: string, initial: Json): DocumentDraft | undefined {
  const text = sessionStorage.getItem(key(name));
  if (text === null) return undefined;
  try {
    const { document, base, version } = JSON.parse(text) as Partial<Record<keyof DocumentDraft, unknown>>;
    if (!isJson(document) || !isJson(base)) return undefined;
    return {
      document: withSecrets(document, initial, []) as Json,
      base: withSecrets(base, initial, []) as Json,
      version: typeof version === "number" ? version : undefined,
    };
  } catch {
    return undefined;
  }
}

export function keepDocument(name: string, draft: DocumentDraft | undefined): void {
  if (!draft) return sessionStorage.removeItem(key(name));
  const { document, base, version } = draft;
  const kept = { document: withoutSecrets(document, []), base: withoutSecrets(base, []), version };
  sessionStorage.setItem(key(name), JSON.stringify(kept));
}

/** Stands where a secret was; nothing else is written so. */
const LEFT_OUT = { "\u0000": "secret" };

function withoutSecrets(value: unknown, path: readonly string[]): unknown {
  if (isSecretField(path)) return LEFT_OUT;
  return mapped(value, path, withoutSecrets);
}

/** With the record's own secrets where they were left out. */
function withSecrets(value: unknown, initial: unknown, path: readonly string[]): unknown {
  if (isSame(value, LEFT_OUT)) return valueAt(initial, path.join(".")) ?? "";
  return mapped(value, path, (each, at) => withSecrets(each, initial, at));
}

function mapped(
  value: unknown,
  path: readonly string[],
  change: (value: unknown, path: readonly string[]) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => change(item, [...path, String(index)]));
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each, [...path, name])]));
}
