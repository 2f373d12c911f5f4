// The OpenAPI document and the scope table say what the routes are.
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAccessPanel, setUp, type AccessPanel } from "../access/panel.ts";

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; parameters?: { name: string }[] }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

describe("description", () => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel("sqlite");
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const document = async (): Promise<Document> =>
    (await panel.send("GET", "/api/openapi.json")).body as unknown as Document;
  const pages = async (): Promise<Document> =>
    (await panel.send("GET", "/api/v1/openapi.json?prefix=api")).body as unknown as Document;

  // rule http.path.3
  test("is a valid OpenAPI 3.1 document of the product's version, as JSON and as YAML", async () => {
    const json = await panel.send("GET", "/api/v1/openapi.json");
    expect([json.status, json.headers["content-type"]]).toEqual([200, expect.stringContaining("json")]);
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(json.text) as Record<string, unknown>)).toEqual({ valid: true });
    const yaml = await panel.send("GET", "/api/openapi.yaml");
    expect(yaml.headers["content-type"]).toContain("application/yaml");
    const again = new Validator();
    expect(await again.validate(yaml.text)).toMatchObject({ valid: true });
    expect(again.specification).toEqual(JSON.parse(json.text));
    expect((await document()).info).toMatchObject({
      title: "Signalbox",
      version: "1.0.0",
      "x-panel-version": "0.0.0-test",
    });
  });

  // rules http.path.1, http.path.3
  test("names every route of its prefix once, with its own parameters", async () => {
    const { paths, components } = await document();
    const others = (await pages()).paths;
    for (const { method, path } of panel.api.routes) {
      expect(paths[`/api/v1${path}`]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
      expect(others[`/api${path}`]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    }
    expect(Object.keys(paths).every((path) => path.startsWith("/api/v1/"))).toBe(true);
    expect(Object.keys(others).some((path) => path.startsWith("/api/v1/"))).toBe(false);
    expect(paths["/api/v1/changes"]?.["get"]?.parameters?.map((parameter) => parameter.name)).toEqual([
      "limit",
      "offset",
      "q",
      "updated_since",
      "cursor",
      "actor",
      "key",
      "entityId",
      "action",
      "from",
      "to",
      "Prefer",
      "X-Request-Id",
    ]);
    const references = JSON.stringify(paths).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of references)
      expect(components.schemas).toHaveProperty([reference.replace("#/components/schemas/", "")]);
  });

  test("a form asks for one change: its body and the schemas that it names, and nothing else", async () => {
    const part = await panel.send("GET", "/api/v1/openapi.json?operation=createRole");
    const { paths, components } = part.body as unknown as Document;
    expect(Object.keys(paths)).toEqual(["/api/v1/roles"]);
    expect(Object.keys(paths["/api/v1/roles"]?.["post"] ?? {})).toEqual(["operationId", "requestBody"]);
    expect(components.schemas).toEqual({ RoleWrite: (await document()).components.schemas["RoleWrite"] });
    expect(part.text.length).toBeLessThan(4000);
    expect(await panel.send("GET", "/api/v1/openapi.json?operation=dropAll")).toMatchObject({
      status: 400,
      body: { field: "operation" },
    });
  });

  // rule admins.scope.1
  test("the scope table equals the routes", async () => {
    const { body } = await panel.send("GET", "/api/v1/scopes", { as: root });
    const routes = body["routes"] as Record<string, string>;
    expect(Object.keys(routes)).toHaveLength(panel.api.routes.length);
    expect(routes).toMatchObject({
      "GET /me": "",
      "POST /login": "",
      "PUT /me/password": "-",
      "PUT /admins/{id}": "admins:write",
      "GET /settings": "settings:read",
      "GET /scopes": "",
    });
    expect(body["scopes"]).toContain("backup:deliver");
  });
});
