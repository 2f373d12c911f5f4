// One operation of the description, from its route's declaration.
import { listParameters, type Surface } from "../listing.ts";
import { pathParameters } from "../request/paths.ts";
import type { Extra } from "../context.ts";
import { extrasOf, hasOwnCursor, takesKeys, type Route, type Socket } from "../route.ts";
import type { Components, Json } from "./components.ts";
import { headers, successHeaders } from "./headers.ts";
import { operationId, pascal } from "./operation-ids.ts";
import type { Refusals } from "./refusals.ts";
import type { Glossary } from "./words.ts";

/** What the operations of one document share. */
export interface Making {
  readonly surface: Surface;
  readonly components: Components;
  readonly refusals: Refusals;
  readonly glossary: Glossary;
}

const HEADER_PARAMETERS: Json = {
  "X-Request-Id": { type: "string" },
  Prefer: { type: "string" },
  "Idempotency-Key": { type: "string", minLength: 1, maxLength: 255 },
};

function parameter(name: string, place: string, required: boolean, schema: Json, path: string[], making: Making): Json {
  const { description, ...told } = making.glossary.told(schema, [...path, name]);
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: told };
}

/** Parameters of a socket or a route. */
function parametersOf(declared: Pick<Route, "params" | "query" | "path">, id: string, making: Making): Json[] {
  const { components } = making;
  const from = (schema: Route["query"], place: "query" | "path"): Json[] => {
    if (schema === undefined) return [];
    const { properties, required } = components.members(schema, "input");
    return Object.entries(properties).map(([name, member]) =>
      parameter(name, place, place === "path" || required.includes(name), member, [id], making),
    );
  };
  const inPath = from(declared.params, "path");
  const missing = pathParameters(declared.path).filter((name) => !inPath.some((each) => each["name"] === name));
  const plain = missing.map((name) => parameter(name, "path", true, { type: "string" }, [id], making));
  return [...inPath, ...plain, ...from(declared.query, "query")];
}

function allParameters(route: Route, id: string, making: Making): Json[] {
  const own = parametersOf(route, id, making);
  const list = route.list && listParameters(route.list, making.surface, hasOwnCursor(route));
  const common = parametersOf({ params: undefined, query: list, path: "/" }, id, making);
  const named = [...(takesKeys(route) ? ["Idempotency-Key"] : []), "Prefer", "X-Request-Id"];
  return [
    ...own.filter((each) => each["in"] === "path"),
    ...common,
    ...own.filter((each) => each["in"] === "query"),
    ...named.map((name) => parameter(name, "header", false, HEADER_PARAMETERS[name] as Json, [], making)),
  ];
}

function success(route: Route, id: string, making: Making): Json {
  const { components, surface } = making;
  const described = { description: "Success.", headers: successHeaders(route) };
  if (route.produces !== undefined) {
    const types = [route.produces].flat();
    const content = Object.fromEntries(types.map((type) => [type, { schema: rawSchema(type, route, components) }]));
    return { ...described, content };
  }
  if (route.list === undefined) {
    const schema = components.named(route.answer, "output", `${pascal(id)}Answer`);
    return { ...described, content: { "application/json": { schema } } };
  }
  const items = { type: "array", items: components.named(route.answer, "output", `${pascal(id)}Item`) };
  const listed = surface === "v1" ? page(route, id, items, components) : items;
  const schema =
    route.otherwise === undefined
      ? listed
      : components.add(`${pascal(id)}${surface === "v1" ? "" : "Bare"}Answer`, {
          description: "One page of a list, or what some requests are answered instead.",
          anyOf: [listed, components.named(route.otherwise, "output", `${pascal(id)}Otherwise`)],
        });
  return {
    description: "One page.",
    headers: { ...described.headers, ...headers("X-Total-Count", "Link") },
    content: { "application/json": { schema } },
  };
}

/** The 202 of a request whose work goes on after its answer; empty where the route has none. */
function accepted(route: Route, id: string, { components }: Making): Json {
  if (route.accepted === undefined) return {};
  const schema = components.named(route.accepted, "output", `${pascal(id)}Accepted`);
  const described = { description: "Begun; it goes on.", headers: successHeaders(route) };
  return { "202": { ...described, content: { "application/json": { schema } } } };
}

/** What is no JSON is text; a document of JSON is what the route says, or an object of its own format. */
function rawSchema(type: string, { answer }: Route, components: Components): Json {
  if (type !== "application/json") return { type: "string" };
  if (answer.meta()?.id !== undefined) return components.named(answer, "output", "");
  return components.add("Description", {
    type: "object",
    description: "A description in the format of OpenAPI 3.1.",
    additionalProperties: true,
  });
}

function page({ answer }: Route, id: string, items: Json, components: Components): Json {
  const count = { type: "integer", format: "int64", minimum: 0 };
  return components.add(`${answer.meta()?.id ?? pascal(id)}Page`, {
    type: "object",
    description: "One page of a list.",
    required: ["items", "total", "limit", "offset"],
    properties: { items, total: count, limit: count, offset: count },
  });
}

function bodyOf(route: Route, id: string, { components }: Making): Json {
  if (route.stream === true)
    return {
      requestBody: {
        required: true,
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      },
    };
  if (route.body === undefined) return {};
  const required = !route.body.safeParse(undefined).success;
  const schema = components.named(route.body, "input", `${pascal(id)}Body`);
  return { requestBody: { required, content: { "application/json": { schema } } } };
}

/** Credentials that the route lets in: a session or a token, with which scopes. */
function access({ auth, scope, or, also = [] }: Pick<Route | Socket, "auth" | "scope" | "or" | "also">): Json {
  const scopes = [...(scope === "" || scope === "-" ? [] : [scope]), ...also];
  const either = or === undefined ? [scopes] : [scopes, [or, ...also]];
  const ways = auth === "session" ? ["session"] : ["token", "session"];
  return {
    security: auth === "open" ? [] : either.flatMap((each) => ways.map((way) => ({ [way]: each }))),
    "x-scopes": scopes,
  };
}

/** The route's own words, and what some of its requests need beyond the scope. */
function describedNeeds(route: Route): Json {
  const { description, auth, scope, or, also = [] } = route;
  const scopes = [...(scope === "" || scope === "-" ? [] : [scope]), ...also].map((name) => `\`${name}\``);
  const instead = or === undefined ? "" : ` or \`${or}\``;
  const said = [
    ...(description === undefined ? [] : [description]),
    ...(auth === "open" ? ["Needs no credential."] : []),
    ...(auth === "session" ? ["Sessions only, no token."] : []),
    ...(scopes.length === 0 ? [] : [`Needs ${scopes.join(" and ")}${instead}.`]),
    ...extrasOf(route).map((each) => `Needs ${neededBy(each)} ${each.when}.`),
  ];
  return said.length === 0 ? {} : { description: said.join(" ") };
}

function neededBy({ also = [], sensitive }: Extra): string {
  const fresh = sensitive === true ? ["a fresh second factor where two-factor is on (428)"] : [];
  return [...also.map((name) => `the scope \`${name}\``), ...fresh].join(" and ");
}

/** The part of the panel that a path is about: its first word. */
export function tagOf(path: string): string {
  return path.split("/").find((word) => word !== "" && !word.startsWith("{")) ?? "api";
}

export function operation(route: Route, making: Making): Json {
  const id = operationId(route);
  const takesVersion =
    route.body !== undefined && "version" in making.components.members(route.body, "input").properties;
  return {
    operationId: id,
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...describedNeeds(route),
    parameters: allParameters(route, id, making),
    ...bodyOf(route, id, making),
    ...access(route),
    responses: {
      [String(route.status)]: success(route, id, making),
      ...accepted(route, id, making),
      ...making.refusals.of(route, takesVersion),
    },
  };
}

/** A WebSocket, in the form of an operation without answers. */
export function socketOperation(socket: Socket, making: Making): Json {
  const id = operationId({ method: "GET", path: socket.path }).replace(/^list/, "follow");
  const { summary, description } = socket;
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: parametersOf(socket, id, making),
    ...access(socket),
    ...(socket.frames === undefined
      ? {}
      : { frames: { schema: making.components.named(socket.frames, "output", `${pascal(id)}Frame`) } }),
    "x-close-codes": {
      "4401": "the session or token has ended",
      "4403": "the rights of the credential have changed: connect again",
    },
  };
}
