// The parts of the panel's API description that the reference shows, and their order.
import type { Schema } from "../parts/schema/schema.ts";

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly "x-scopes"?: readonly string[];
}

export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly "x-panel-version": string;
    readonly description?: string;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

/** An operation with where it is; an event has no path of its own. */
export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Chapter {
  readonly tag: string;
  readonly entries: readonly Entry[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Operations by tag, in the order of the description; those whose name, path or summary hold `search`. */
export function chaptersOf(document: ApiDocument, search: string): readonly Chapter[] {
  const wanted = search.trim().toLowerCase();
  const chapters = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (!operation) continue;
      const text = `${method} ${path} ${operation.operationId} ${operation.summary ?? ""}`.toLowerCase();
      if (!text.includes(wanted)) continue;
      const tag = operation.tags?.[0] ?? "api";
      const entries = chapters.get(tag) ?? [];
      chapters.set(tag, entries);
      entries.push({ method: method.toUpperCase(), path, operation });
    }
  }
  return [...chapters].map(([tag, entries]) => ({ tag, entries }));
}

/** The events that webhooks are sent, whose name holds `search`. */
export function eventsOf(document: ApiDocument, search: string): readonly Entry[] {
  const wanted = search.trim().toLowerCase();
  return Object.entries(document.webhooks ?? {}).flatMap(([name, { post }]) =>
    post && name.toLowerCase().includes(wanted) ? [{ method: "POST", path: name, operation: post }] : [],
  );
}

/** What a reference names; the thing itself where it is none. */
export function resolved<T extends { readonly $ref?: string }>(document: ApiDocument, thing: T): T {
  if (thing.$ref === undefined) return thing;
  const [group = "", name = ""] = thing.$ref.split("/").slice(-2);
  const components: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = document.components;
  return (components[group]?.[name] ?? thing) as T;
}

export function nameOf({ $ref }: { readonly $ref?: string }): string | undefined {
  return $ref?.split("/").at(-1);
}

/** The type of a schema in one line: `User`, `integer`, `string | null`, `User[]`. */
export function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" | ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" & ");
  if (schema.type === "array") return `${typeof schema.items === "object" ? typeText(schema.items) : "any"}[]`;
  if (typeof schema.type === "object") return schema.type.join(" | ");
  return schema.type ?? (schema.enum || schema.const !== undefined ? "string" : "any");
}

/** Bounds, choices and default of a schema, each as one short text. */
export function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const between = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low === undefined && (high === undefined || high === Number.MAX_SAFE_INTEGER)) return [];
    const top = high === undefined || high === Number.MAX_SAFE_INTEGER ? "…" : String(high);
    return [`${low ?? "…"}–${top}${unit}`];
  };
  return [
    ...(schema.const === undefined ? [] : [JSON.stringify(schema.const)]),
    ...(schema.enum ? [schema.enum.map((value) => JSON.stringify(value)).join(", ")] : []),
    ...between(minimum === -Number.MAX_SAFE_INTEGER ? undefined : minimum, maximum, ""),
    ...between(minLength, maxLength, " ch."),
    ...between(minItems, maxItems, " ×"),
    ...(schema.pattern === undefined ? [] : [`/${schema.pattern}/`]),
    ...(schema.default === undefined ? [] : [`= ${JSON.stringify(schema.default)}`]),
  ];
}

/** The schema of the fields that a schema shows: through arrays, and the first choice that has fields. */
export function fieldsOf(document: ApiDocument, schema: Schema, depth = 0): Schema | undefined {
  if (depth > 8) return undefined;
  const own = resolved(document, schema);
  if (own.properties) return own;
  if (typeof own.items === "object") return fieldsOf(document, own.items, depth + 1);
  if (typeof own.additionalProperties === "object") return fieldsOf(document, own.additionalProperties, depth + 1);
  for (const choice of own.anyOf ?? own.oneOf ?? own.allOf ?? []) {
    const found = fieldsOf(document, choice, depth + 1);
    if (found) return found;
  }
  return undefined;
}

export function exampleOf(media: Media | undefined): unknown {
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value ?? media?.schema?.examples?.[0];
}
