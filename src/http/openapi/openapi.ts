// The OpenAPI 3.1 document of the declared routes under one prefix (rule http.path.3). Bodies, answers and what they
// consist of are named; every field and parameter is described.
import { SESSION_COOKIE } from "../request/facts.ts";
import type { Surface } from "../listing.ts";
import type { Route, Socket } from "../route.ts";
import { SCOPES } from "../scopes.ts";
import type { Words } from "./common-words.ts";
import { Components, type Json } from "./components.ts";
import { HEADERS } from "./headers.ts";
import { operationId } from "./operation-ids.ts";
import { operation, socketOperation, tagOf, type Making } from "./operations.ts";
import { Refusals } from "./refusals.ts";
import { webhooksOf, type DescribedEvent } from "./webhooks.ts";
import { Glossary } from "./words.ts";

export interface DescriptionPlace {
  readonly basePath: string;
  readonly version: string;
  /** What the features say of their fields. */
  readonly words?: Words;
  /** Every event that can be raised. */
  readonly events?: readonly DescribedEvent[];
}

/** What the document is made of. */
export interface Declared {
  readonly routes: readonly Route[];
  readonly sockets: readonly Socket[];
}

const ABOUT: Readonly<Record<Surface, string>> = {
  v1: "The API for integrations: fields and routes are only ever added. Answers may get further fields, and lists of values further ones, at any time: ignore what you do not know.",
  api: "The API of the panel's own pages: as `/api/v1`, but a list answers a bare array.",
};

/** Paths of one prefix, relative to the base path. */
function pathsOf({ routes }: Declared, prefix: string, making: Making): Json {
  const paths: Record<string, Json> = {};
  const ids = new Map<string, string>();
  for (const route of routes) {
    const id = operationId(route);
    const place = `${route.method} ${route.path}`;
    const twin = ids.get(id);
    if (twin !== undefined) throw new Error(`${place} and ${twin} are both called ${id}: name one of them`);
    ids.set(id, place);
    (paths[prefix + route.path] ??= {})[route.method.toLowerCase()] = operation(route, making);
  }
  return paths;
}

const SECURITY: Json = {
  token: {
    type: "http",
    scheme: "bearer",
    description: "An API token (`sbx_…`), made by `POST /tokens`. What it may do is what its scopes say.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "The cookie of a sign-in (`POST /login`), for pages of the panel's own.",
  },
};

/** The document, and the fields in it that nothing describes. */
export function openApiDocument(declared: Declared, place: DescriptionPlace, surface: Surface): [Json, string[]] {
  const components = new Components();
  const refusals = new Refusals(components);
  const glossary = new Glossary(place.words ?? {}, {
    scopes: SCOPES,
    events: (place.events ?? []).map(({ name }) => name),
  });
  const making = { surface, components, refusals, glossary };
  const prefix = surface === "v1" ? "/api/v1" : "/api";
  const paths = pathsOf(declared, prefix, making);
  const sockets = Object.fromEntries(
    declared.sockets.map((each) => [prefix + each.path, socketOperation(each, making)]),
  );
  const webhooks = webhooksOf(place.events ?? [], components);
  // Refusals and events name these; where no route answers them, as on a part of a panel, they are any object.
  for (const name of ["NodeCause", "NodeNotice"])
    components.add(name, { type: "object", description: "Said of a node.", additionalProperties: true });
  const { schemas, rename } = components.finished();
  const tags = [...new Set([...declared.routes.map(({ path }) => tagOf(path)), "webhooks"])];
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Signalbox",
      // Version of the contract; clients are generated from it.
      version: "1.0.0",
      "x-panel-version": place.version,
      summary: "Control plane of a proxy fleet",
      description: ABOUT[surface],
      license: { name: "Proprietary", identifier: "LicenseRef-UNLICENSED" },
    },
    servers: [{ url: place.basePath === "" ? "/" : place.basePath, description: "This panel." }],
    tags: tags.map((name) => ({ name })),
    security: [{ token: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, glossary.component(name, schema as Json)]),
      ),
      responses: refusals.responses,
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
    "x-scopes": SCOPES,
    "x-websockets": sockets,
  };
  return [rename(document) as Json, glossary.missing];
}
