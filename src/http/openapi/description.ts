// What the API says of itself: the OpenAPI document (open) and the scope of every route.
import { z } from "zod";
import { openApiDocument, type DescriptionPlace } from "./openapi.ts";
import { openRoute, RawAnswer, route, type Route, type Socket } from "../route.ts";
import { SCOPES, type Scope } from "../scopes.ts";
import { toYaml } from "./yaml.ts";

/** `METHOD /path` → scope, "" = any token, "-" = none (rule admins.scope.1). A WebSocket is a GET. */
function scopeTable(routes: readonly Route[], sockets: readonly Socket[]): Record<string, string> {
  const upgrades = sockets.map(({ path, scope }) => ({ method: "GET", path, scope }));
  return Object.fromEntries([...routes, ...upgrades].map(({ method, path, scope }) => [`${method} ${path}`, scope]));
}

type NamedScopes = Record<string, string[]>;

/** The scopes beside the first, by `METHOD /path`: those that every request needs, and those that some do. */
function furtherScopes(routes: readonly Route[]): { also: NamedScopes; sometimes: NamedScopes } {
  const named = (scopesOf: (route: Route) => readonly Scope[] | undefined): NamedScopes =>
    Object.fromEntries(
      routes.flatMap((each) => {
        const scopes = scopesOf(each);
        return scopes === undefined ? [] : [[`${each.method} ${each.path}`, [...scopes]]];
      }),
    );
  return { also: named(({ also }) => also), sometimes: named(({ extra }) => extra?.also) };
}

const scopeLists = z.record(z.string(), z.array(z.string()));

/**
 * The routes that describe `routes` and themselves. `routes` may still grow until the first request; the document is
 * built then and kept.
 */
export function descriptionRoutes(
  routes: readonly Route[],
  sockets: readonly Socket[],
  place: DescriptionPlace,
): Route[] {
  let document: Record<string, unknown> | undefined;
  let json: string | undefined;
  let yaml: string | undefined;
  const built = (): Record<string, unknown> => (document ??= openApiDocument(routes, place));
  return [
    openRoute({
      method: "GET",
      path: "/openapi.json",
      summary: "Description of the API (OpenAPI 3.1), JSON",
      answer: z.unknown(),
      produces: "application/json",
      handle: () => new RawAnswer("application/json; charset=utf-8", (json ??= JSON.stringify(built()))),
    }),
    openRoute({
      method: "GET",
      path: "/openapi.yaml",
      summary: "Description of the API (OpenAPI 3.1), YAML",
      answer: z.unknown(),
      produces: "application/yaml",
      handle: () => new RawAnswer("application/yaml; charset=utf-8", (yaml ??= toYaml(built()))),
    }),
    route({
      method: "GET",
      path: "/scopes",
      scope: "",
      summary: "Scopes, and the scopes of each route",
      description:
        "`routes` names the first scope of a route, `also` the others, `sometimes` those that only some of its requests need.",
      answer: z
        .object({
          scopes: z.array(z.string()),
          routes: z.record(z.string(), z.string()),
          also: scopeLists,
          sometimes: scopeLists,
        })
        .meta({ id: "Scopes" }),
      handle: () => ({ scopes: [...SCOPES], routes: scopeTable(routes, sockets), ...furtherScopes(routes) }),
    }),
  ];
}
