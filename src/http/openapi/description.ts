// What the API says of itself: the OpenAPI document (open) and the scope of every route.
import { z } from "zod";
import type { Json } from "./components.ts";
import { openApiDocument, type DescriptionPlace } from "./openapi.ts";
import { bodyPart } from "./part.ts";
import type { Surface } from "../listing.ts";
import { RawAnswer } from "../context.ts";
import { extrasOf, openRoute, route, type Route, type Socket } from "../route.ts";
import { invalid } from "../refusals/errors.ts";
import { rule } from "../refusals/rules.ts";
import { SCOPES, type Scope } from "../scopes.ts";
import { yamlText } from "../../lib/yaml.ts";

/** `METHOD /path` → scope, "" = any token, "-" = none (rule admins.scope.1). A WebSocket is a GET. */
function scopeTable(routes: readonly Route[], sockets: readonly Socket[]): Record<string, string> {
  const upgrades = sockets.map(({ path, scope }) => ({ method: "GET", path, scope }));
  return Object.fromEntries([...routes, ...upgrades].map(({ method, path, scope }) => [`${method} ${path}`, scope]));
}

type NamedScopes = Record<string, string[]>;

/** The other scopes, by `METHOD /path`: one that is enough, those that every request needs, and some requests. */
function furtherScopes(routes: readonly Route[]): { instead: NamedScopes; also: NamedScopes; sometimes: NamedScopes } {
  const named = (scopesOf: (route: Route) => readonly Scope[] | undefined): NamedScopes =>
    Object.fromEntries(
      routes.flatMap((each) => {
        const scopes = scopesOf(each);
        return scopes === undefined ? [] : [[`${each.method} ${each.path}`, [...scopes]]];
      }),
    );
  return {
    instead: named(({ or }) => or && [or]),
    also: named(({ also }) => also),
    sometimes: named((each) => {
      const scopes = extrasOf(each).flatMap((extra) => extra.also ?? []);
      return scopes.length === 0 ? undefined : [...new Set(scopes)];
    }),
  };
}

const scopeLists = z.record(z.string(), z.array(z.string()));

const Asked = z.object({
  prefix: z
    .enum(["api", "api/v1"])
    .optional()
    .describe("Under which prefix the API is described; `api/v1` where it is left out.")
    .meta({ default: "api/v1" }),
  operation: z
    .string()
    .optional()
    .describe("The `operationId` of a change: then only its body is described, with the schemas that it names."),
});

/**
 * The routes that describe `routes` and themselves. `routes` may still grow until the first request; each document is
 * built when it is first asked for, and kept.
 */
export function descriptionRoutes(
  routes: readonly Route[],
  sockets: readonly Socket[],
  place: DescriptionPlace,
): Route[] {
  const documents = new Map<Surface, Json>();
  const documentOf = (surface: Surface): Json => {
    const document = documents.get(surface) ?? openApiDocument({ routes, sockets }, place, surface)[0];
    documents.set(surface, document);
    return document;
  };
  // As bytes: a text of a megabyte is not encoded again for everybody who asks.
  const texts = new Map<string, Buffer>();
  const kept = (surface: Surface, form: "json" | "yaml", operation = ""): Buffer => {
    const key = `${surface} ${form} ${operation}`;
    const text = texts.get(key);
    if (text !== undefined) return text;
    const whole = documentOf(surface);
    const document =
      operation === "" ? whole : (bodyPart(whole, operation) ?? invalid("operation", rule("unknown", operation)));
    const written = Buffer.from(form === "json" ? JSON.stringify(document) : yamlText(document));
    texts.set(key, written);
    return written;
  };
  const described = (form: "json" | "yaml"): Route =>
    openRoute({
      method: "GET",
      path: `/openapi.${form}`,
      summary: `Description of the API (OpenAPI 3.1), ${form.toUpperCase()}`,
      query: Asked,
      answer: z.unknown(),
      produces: `application/${form}`,
      statuses: [400],
      handle: ({ query: { prefix, operation } }) =>
        new RawAnswer(`application/${form}; charset=utf-8`, kept(prefix === "api" ? "api" : "v1", form, operation)),
    });
  return [
    described("json"),
    described("yaml"),
    route({
      method: "GET",
      path: "/scopes",
      scope: "",
      summary: "Scopes, and the scopes of each route",
      description:
        "`routes` names the first scope of a route, `instead` one that is enough in its place, `also` the others, `sometimes` those that only some of its requests need.",
      answer: z
        .object({
          scopes: z.array(z.string()),
          routes: z.record(z.string(), z.string()),
          instead: scopeLists,
          also: scopeLists,
          sometimes: scopeLists,
        })
        .meta({ id: "Scopes" }),
      handle: () => ({ scopes: [...SCOPES], routes: scopeTable(routes, sockets), ...furtherScopes(routes) }),
    }),
  ];
}
