// The description of a whole panel: what generators of clients and people who read it rely on.
import { AUDIT_ACTIONS } from "../../src/http/index.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WholePanel } from "../whole-panel.ts";

type Json = Record<string, unknown>;

interface Operation extends Json {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly description?: string; readonly schema?: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { $ref?: string; headers?: Json; content?: Readonly<Record<string, { schema: Json }>> }>
  >;
  readonly "x-scopes": readonly string[];
}

interface Document {
  readonly info: Json;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, { headers: Json; "x-codes": string[]; content: Json }>>;
  };
  readonly "x-websockets": Readonly<Record<string, Json>>;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every object within, with the way to it. */
function* objects(value: unknown, path = ""): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* objects(item, `${path}/${index}`);
  if (!isObject(value)) return;
  yield [path, value];
  for (const [key, member] of Object.entries(value)) yield* objects(member, `${path}/${key}`);
}

describe("the description of a panel", () => {
  let panel: WholePanel;
  let document: Document;
  let operations: [string, Operation][];
  beforeAll(async () => {
    panel = await WholePanel.open("sqlite");
    document = (await panel.call("GET", "/api/v1/openapi.json")).body as Document;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]): [string, Operation] => [`${method.toUpperCase()} ${path}`, each]),
    );
  });
  afterAll(() => panel.dispose());

  // rule http.path.8
  test("calls every operation by a name that stays", () => {
    const file = new URL("operation-ids.txt", import.meta.url);
    const named = operations.map(([place, { operationId }]) => `${operationId} ${place.replace(" /api/v1", " ")}`);
    let listed = readFileSync(file, "utf8").trim().split("\n");
    if (process.env["UPDATE_DOCS"] === "1") {
      // A name that is there stays: only places that have none get one.
      const placed = new Set(listed.map((line) => line.slice(line.indexOf(" "))));
      listed = [...listed, ...named.filter((line) => !placed.has(line.slice(line.indexOf(" "))))].toSorted();
      writeFileSync(file, `${listed.join("\n")}\n`);
    }
    expect(named.toSorted(), "UPDATE_DOCS=1 adds new operations; a name that is there stays").toEqual(
      listed.toSorted(),
    );
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  // rule http.path.9
  test("describes every parameter and every field", () => {
    const bare: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, { properties }] of objects(schema, name)) {
        if (path.endsWith("/properties") || !isObject(properties)) continue;
        for (const [field, member] of Object.entries(properties))
          if (isObject(member) && typeof member["description"] !== "string") bare.push(`${path}.${field}`);
      }
    }
    for (const [place, { parameters }] of operations)
      for (const { name, description } of parameters) if (!description) bare.push(`${place}?${name}`);
    expect(bare, "say in the room's `words` what they mean").toEqual([]);
  });

  // rule http.path.10
  test("names every body and answer, and every reference leads somewhere", () => {
    const inline: string[] = [];
    for (const [place, { requestBody, responses }] of operations) {
      const body = requestBody?.content["application/json"]?.schema;
      if (body && !("$ref" in body)) inline.push(`${place} body`);
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.["application/json"]?.schema;
        if (schema && !("$ref" in schema)) inline.push(`${place} ${status}`);
      }
    }
    expect(inline).toEqual([]);
    const lost = [...objects(document)].flatMap(([, { $ref }]) => {
      if (typeof $ref !== "string") return [];
      let at: unknown = document;
      for (const step of $ref.slice(2).split("/")) at = isObject(at) ? at[step] : undefined;
      return at === undefined ? [$ref] : [];
    });
    expect(lost).toEqual([]);
  });

  // rule http.path.10
  test("has patterns that every language reads, and answers that may grow", () => {
    // Bodies that refuse what they do not know.
    const closed = /^\/schemas\/(UserPatch|CredentialsByProtocol|OwnCredentialsBody|OwnShadowsocksBody)/;
    const faults = [...objects(document.components)].flatMap(([path, { pattern, additionalProperties }]) => {
      if (typeof pattern === "string" && /\\[pPu]|\(\?/.test(pattern)) return [`${path}: ${pattern}`];
      return additionalProperties === false && !closed.test(path) ? [`${path} is closed`] : [];
    });
    expect(faults).toEqual([]);
  });

  // rule admins.audit.2
  test("knows every verb of the audit log", () => {
    expect(document.components.schemas["Change"]).toMatchObject({
      properties: { action: { enum: [...AUDIT_ACTIONS] } },
    });
  });

  // rule http.path.11
  test("says the bounds of every limit, and which panel speaks which version of the contract", () => {
    expect(document.info).toMatchObject({ version: "1.0.0", "x-panel-version": expect.stringMatching(/^\d+\./) });
    const limits = operations.flatMap(([place, { parameters }]) =>
      parameters.filter(({ name }) => name === "limit").map(({ schema }) => ({ place, schema })),
    );
    expect(limits.length).toBeGreaterThan(20);
    const open = limits.filter(({ schema }) => schema?.["minimum"] !== 1 || Number(schema["maximum"]) !== 1000);
    expect(open.map(({ place }) => place).toSorted()).toEqual([
      "GET /api/v1/nodes/{id}/stats",
      "GET /api/v1/users/usage",
      "GET /api/v1/users/{id}/node-usage",
    ]);
  });

  // rule http.path.11
  test("says under which codes a request is refused, and what every answer carries", () => {
    const codesOf = (place: string, status: string): string[] | undefined => {
      const reference = operations.find(([each]) => each === place)?.[1].responses[status]?.$ref;
      return document.components.responses[reference?.split("/").at(-1) ?? ""]?.["x-codes"];
    };
    expect(codesOf("PATCH /api/v1/users/{id}", "409")).toEqual(
      expect.arrayContaining(["version_conflict", "in_progress", "idempotency_reuse"]),
    );
    expect(codesOf("POST /api/v1/users/{id}/renew", "409")).toContain("nothing_to_renew");
    expect(codesOf("POST /api/v1/users", "409")).not.toContain("version_conflict");
    expect(document.components.schemas["VersionConflict"]).toMatchObject({ required: ["error", "code", "current"] });
    for (const [place, { responses }] of operations) {
      for (const [status, { $ref, headers }] of Object.entries(responses)) {
        const carried = headers ?? document.components.responses[$ref?.split("/").at(-1) ?? ""]?.headers;
        expect(Object.keys(carried ?? {}), `${place} ${status}`).toEqual(
          expect.arrayContaining(["X-Request-Id", "X-RateLimit-Remaining"]),
        );
      }
    }
  });

  // rule http.path.12
  test("describes webhooks by the catalogue, WebSockets, and the scopes of every operation", async () => {
    const { events } = (await panel.call("GET", "/api/v1/events")).body as {
      events: { name: string; fields: { name: string }[] }[];
    };
    expect(Object.keys(document.webhooks).toSorted()).toEqual(events.map(({ name }) => name).toSorted());
    for (const { name, fields } of events) {
      const body = document.webhooks[name]?.post.requestBody?.content["application/json"]?.schema["$ref"];
      const envelope = document.components.schemas[String(body).split("/").at(-1) ?? ""];
      const { data } = (envelope?.["properties"] ?? {}) as Record<string, Json>;
      const { properties } = document.components.schemas[String(data?.["$ref"]).split("/").at(-1) ?? ""] as {
        properties: Json;
      };
      expect(Object.keys(properties)).toEqual(fields.map((field) => field.name));
    }
    expect(Object.keys(document["x-websockets"])).toEqual(
      expect.arrayContaining(["/api/v1/events/stream", "/api/v1/actors/stream"]),
    );
    const { routes } = (await panel.call("GET", "/api/v1/scopes")).body as { routes: Record<string, string> };
    for (const [place, operation] of operations) {
      const scope = routes[place.replace("/api/v1", "")];
      if (scope !== "" && scope !== "-") expect([place, operation["x-scopes"][0]]).toEqual([place, scope]);
    }
  });
});
