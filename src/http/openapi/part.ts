// One operation of a description with the schemas that it needs: a form reads the rules of its fields, not all of the
// API.
import { mapped, type Json } from "./components.ts";

const PREFIX = "#/components/schemas/";

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: unknown }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/**
 * The document with that operation's body alone; headers, answers and refusals are left out. Undefined where no
 * operation is called so. `document` is one of `openApiDocument`.
 */
export function bodyPart(document: Json, operation: string): Json | undefined {
  const { paths, components } = document as unknown as Described;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (described.operationId !== operation) continue;
      const { operationId, requestBody } = described as Json;
      const schemas = needed(requestBody, components.schemas);
      const { openapi, info } = document;
      return { openapi, info, paths: { [path]: { [method]: { operationId, requestBody } } }, components: { schemas } };
    }
  }
  return undefined;
}

/** The schemas that `from` names, and those that they name. */
function needed(from: unknown, schemas: Readonly<Record<string, unknown>>): Json {
  const found: Record<string, unknown> = {};
  const visit = (value: unknown): void =>
    void mapped(value, (node) => {
      const { $ref } = node;
      const name = typeof $ref === "string" && $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
      if (name !== undefined && !Object.hasOwn(found, name)) {
        found[name] = schemas[name];
        visit(schemas[name]);
      }
      return node;
    });
  visit(from);
  return found;
}
