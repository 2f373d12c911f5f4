// The OpenAPI 3.1 document of the declared routes (rule http.path.3). Schemas with an id become components; nothing is
// described twice.
import { z } from "zod";
import { ERRORS } from "../refusals/errors.ts";
import { listParameters, type Surface } from "../listing.ts";
import { pathParameters } from "../request/paths.ts";
import { takesKeys, type Route } from "../route.ts";

type Json = Record<string, unknown>;

/** Refusals that say when to come again. */
const RETRIED: ReadonlySet<number> = new Set([409, 429, 503]);
const integer = { type: "integer" } as const;
/** On every answer to a token. */
const BUDGET_HEADERS: Json = {
  "X-RateLimit-Limit": { description: "Requests a minute (answers to tokens)", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests left in this minute (answers to tokens)", schema: integer },
  "X-RateLimit-Reset": {
    description: "Unix time at which the budget is whole again (answers to tokens)",
    schema: integer,
  },
};
const REPLAY_HEADER: Json = {
  "Idempotent-Replay": {
    description: "`true` on the stored answer of an earlier request under the same key",
    schema: { type: "string" },
  },
};
const KEY_PARAMETER: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A repeat under the same key by the same caller is answered with the first success, byte for byte, for 24 hours.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/**
 * Collects components while schemas are converted. Requests and answers of one id differ (defaults, transforms): a
 * request's is `<Id>Input`.
 */
class Components {
  readonly schemas: Json = {
    Error: {
      type: "object",
      required: ["error"],
      properties: {
        error: { type: "string" },
        code: { type: "string", description: "stable slug" },
        field: { type: "string", description: "first offending field" },
        issues: {
          type: "array",
          items: {
            type: "object",
            required: ["path", "message", "code"],
            properties: {
              path: { type: "string" },
              message: { type: "string" },
              code: { type: "string", description: "the rule that was broken" },
              values: {
                type: "array",
                description: "the rule's bounds, choices or names",
                items: { type: ["string", "number"] },
              },
            },
          },
        },
      },
    },
  };

  readonly responses: Json = {};

  /** A reference to the answer of a refusing status. */
  refusal(status: number): Json {
    const name = `Refused${status}`;
    this.responses[name] ??= {
      description: errorText(status),
      ...(RETRIED.has(status)
        ? { headers: { "Retry-After": { description: "Seconds", schema: { type: "integer" } } } }
        : {}),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  convert(schema: z.ZodType, io: "input" | "output"): Json {
    const {
      $schema: _,
      $defs,
      ...root
    }: Json = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
    for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) this.#component(name, definition, io);
    const id = schema.meta()?.id;
    if (id === undefined) return this.#relink(root, io);
    this.#component(id, root, io);
    return { $ref: this.#reference(id, io) };
  }

  #component(name: string, definition: unknown, io: "input" | "output"): void {
    this.schemas[componentName(name, io)] ??= this.#relink(definition as Json, io);
  }

  #reference(name: string, io: "input" | "output"): string {
    return `#/components/schemas/${componentName(name, io)}`;
  }

  /** Points zod's local references at the components, and drops the ids that zod repeats inside. */
  #relink(value: Json, io: "input" | "output"): Json {
    const walk = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(walk);
      if (typeof node !== "object" || node === null) return node;
      return Object.fromEntries(
        Object.entries(node).map(([key, member]) => {
          const local =
            key === "$ref" && typeof member === "string" ? /^#\/\$defs\/(.+)$/.exec(member)?.[1] : undefined;
          return [key, local === undefined ? walk(member) : this.#reference(local, io)];
        }),
      );
    };
    const { id: _, ...rest } = walk(value) as Json;
    return typeof value["id"] === "string" ? rest : (walk(value) as Json);
  }
}

function componentName(id: string, io: "input" | "output"): string {
  return io === "input" ? `${id}Input` : id;
}

function parameters(schema: z.ZodType | undefined, place: "query" | "path", components: Components): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = components.convert(schema, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: member,
  }));
}

function pathParametersOf(route: Route, components: Components): Json[] {
  const described = parameters(route.params, "path", components);
  const missing = pathParameters(route.path).filter((name) => !described.some((each) => each["name"] === name));
  return [...described, ...missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }))];
}

function success(route: Route, surface: Surface, components: Components): Json {
  const headers: Json = { ...(route.auth === "any" ? BUDGET_HEADERS : {}), ...(takesKeys(route) ? REPLAY_HEADER : {}) };
  const described = { description: "Success", ...(Object.keys(headers).length === 0 ? {} : { headers }) };
  if (route.produces !== undefined) return { ...described, content: { [route.produces]: { schema: {} } } };
  const item = components.convert(route.answer, "output");
  if (route.list === undefined) return { ...described, content: { "application/json": { schema: item } } };
  const items = { type: "array", items: item };
  const envelope = {
    type: "object",
    required: ["items", "total", "limit", "offset"],
    properties: { items, total: integer, limit: integer, offset: integer },
    additionalProperties: false,
  };
  return {
    description: "One page",
    headers: { ...headers, "X-Total-Count": { description: "Rows without paging", schema: integer } },
    content: { "application/json": { schema: surface === "v1" ? envelope : items } },
  };
}

/** Every status a route can answer beside its success. 404: while setup is pending every route does. */
function statusesOf(route: Route): number[] {
  const shared = route.auth === "open" ? [404, 429, 500, 503] : [401, 403, 404, 429, 500, 503];
  // Whatever else is sent as a body is read before anybody knows that the route takes none.
  const sent = route.method === "GET" ? [] : route.stream === true ? [413] : [400, 413, 415];
  const crossSite = route.auth === "open" && route.method !== "GET" ? [403] : [];
  const checked = route.query || route.params || route.list ? [400] : [];
  const keyed = takesKeys(route) ? [409] : [];
  const confirmed = route.sensitive === true || route.extra?.sensitive === true ? [428] : [];
  const sessions = route.tokenStatus === undefined ? [] : [route.tokenStatus];
  return [
    ...new Set([
      ...shared,
      ...sent,
      ...crossSite,
      ...checked,
      ...keyed,
      ...confirmed,
      ...sessions,
      ...(route.statuses ?? []),
    ]),
  ].toSorted((a, b) => a - b);
}

function errorText(status: number): string {
  const texts = Object.values(ERRORS).filter((kind) => kind.status === status);
  return texts.length === 0 ? "Refused" : texts.map((kind) => kind.text).join("; ");
}

function operation(route: Route, surface: Surface, components: Components): Json {
  const list = route.list && listParameters(route.list, surface);
  const all = [
    ...pathParametersOf(route, components),
    ...parameters(list, "query", components),
    ...parameters(route.query, "query", components),
    ...(takesKeys(route) ? [KEY_PARAMETER] : []),
  ];
  const refusals = statusesOf(route).map((status) => [String(status), components.refusal(status)]);
  const words = route.path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  return {
    operationId: `${surface}_${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+/g, "_")}`,
    tags: [words[0] ?? "api"],
    summary: route.summary,
    ...describedNeeds(route),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...bodyOf(route, components),
    security:
      route.auth === "open" ? [] : route.auth === "session" ? [{ session: [] }] : [{ session: [] }, { token: [] }],
    ...(route.scope === "" || route.scope === "-" ? {} : { "x-scope": route.scope }),
    ...(route.also === undefined ? {} : { "x-also": route.also }),
    responses: { [String(route.status)]: success(route, surface, components), ...Object.fromEntries(refusals) },
  };
}

/** The route's own words, and what some of its requests need beyond the scope. */
function describedNeeds({ description, extra }: Route): Json {
  const needs = [
    ...(extra?.also ?? []).map((scope) => `the scope \`${scope}\``),
    ...(extra?.sensitive === true ? ["a fresh second factor where two-factor is on (428)"] : []),
  ];
  const said = [
    ...(description === undefined ? [] : [description]),
    ...(extra ? [`Needs ${needs.join(" and ")} ${extra.when}.`] : []),
  ];
  return said.length === 0 ? {} : { description: said.join(" ") };
}

function bodyOf(route: Route, components: Components): Json {
  if (route.stream === true)
    return {
      requestBody: { content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } },
    };
  if (route.body === undefined) return {};
  const required = !route.body.safeParse(undefined).success;
  return {
    requestBody: { required, content: { "application/json": { schema: components.convert(route.body, "input") } } },
  };
}

export interface DescriptionPlace {
  readonly basePath: string;
  readonly version: string;
}

/** The document of both prefixes. */
export function openApiDocument(routes: readonly Route[], { basePath, version }: DescriptionPlace): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const [prefix, surface] of [
    ["/api/v1", "v1"],
    ["/api", "api"],
  ] as const) {
    for (const route of routes)
      (paths[`${prefix}${route.path}`] ??= {})[route.method.toLowerCase()] = operation(route, surface, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Panel Control API",
      version: "1.0.0",
      description: `Signalbox ${version}. Integrations use /api/v1; lists answer an envelope there and a bare array under /api.`,
    },
    servers: [{ url: basePath === "" ? "/" : basePath }],
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "panel_session" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
}
