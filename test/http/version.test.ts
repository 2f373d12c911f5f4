// Two who change one record at once: the second one is told, on every route that takes a version.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

type Body = Readonly<Record<string, unknown>>;

/** How a record is made, and two changes of it. What is required comes with both. */
interface Versioned {
  /** Absent: the record is there. */
  readonly make?: Body;
  readonly required?: Body;
  readonly first: Body;
  readonly second: Body;
  readonly path?: string;
}

const RECORDS: Readonly<Record<string, Versioned>> = {
  "PATCH /users/{id}": { make: { name: "anna" }, first: { desc: "a" }, second: { desc: "b" } },
  "PUT /admins/{id}": {
    make: { username: "second", password: "correct horse", role: "admin" },
    required: { username: "second", role: "admin" },
    first: { userLimit: 1 },
    second: { userLimit: 2 },
  },
  "PUT /fronts/{id}": {
    make: { name: "cdn", domain: "cdn.example.com" },
    required: { name: "cdn", domain: "cdn.example.com" },
    first: { remark: "a" },
    second: { remark: "b" },
  },
  "PUT /inbounds/{id}": {
    make: { tag: "in", type: "vless", config: { listen: "::", listen_port: 443 } },
    first: { remark: "a" },
    second: { remark: "b" },
  },
  "PUT /nodes/{id}": {
    make: { name: "n", address: "127.0.0.1", port: 9, enabled: false },
    first: { remark: "a" },
    second: { remark: "b" },
  },
  "PUT /oidc-providers/{id}": {
    make: { name: "sso", kind: "oidc", issuer: "https://login.example.com", clientId: "c", enabled: false },
    first: { icon: "a" },
    second: { icon: "b" },
  },
  "PUT /outbounds/{id}": {
    make: { tag: "direct", type: "direct", config: {} },
    first: { remark: "a" },
    second: { remark: "b" },
  },
  "PUT /plans/{id}": {
    make: { name: "monthly" },
    required: { name: "monthly" },
    first: { desc: "a" },
    second: { desc: "b" },
  },
  "PUT /roles/{id}": {
    make: { name: "narrow", base: "admin", scopes: ["users:read"] },
    required: { name: "narrow", base: "admin", scopes: ["users:read"] },
    first: { description: "a" },
    second: { description: "b" },
  },
  "PUT /settings/{key}": {
    path: "/settings/changes_retention_days",
    first: { value: "91" },
    second: { value: "92" },
  },
  "PUT /templates/{id}": { make: { name: "t" }, first: { remark: "a" }, second: { remark: "b" } },
  "PUT /webhooks/{id}": {
    make: { name: "w", url: "https://hooks.example.com/in" },
    first: { enabled: false },
    second: { name: "v" },
  },
};

describe.each(dialects)("versions on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    // Names of webhooks and providers are not looked up here.
    await panel.call("PUT", "/api/v1/settings/webhook_allow_private", { value: "true" });
  });
  afterAll(() => panel.dispose());

  const read = async (path: string): Promise<Body> => {
    if (!path.startsWith("/settings/")) {
      // What uses a record is told on its own.
      const { usedBy: _usedBy, ...record } = (await panel.call("GET", `/api/v1${path}`)).body;
      return record;
    }
    const { body } = await panel.call("GET", `/api/v1/settings?q=${path.slice("/settings/".length)}`);
    return body.items[0];
  };

  // rule http.body.5
  test.each(Object.entries(RECORDS))("%s", async (operation, { make, required, first, second, path }) => {
    const [method = "", pattern = ""] = operation.split(" ");
    const made = make && (await panel.call("POST", `/api/v1${pattern.slice(0, pattern.lastIndexOf("/"))}`, make));
    if (made) expect(made).toMatchObject({ status: 200 });
    const place = path ?? pattern.replace("{id}", String(made?.body.id));
    const change = (fields: Body, version?: unknown) =>
      panel.call(method, `/api/v1${place}`, { ...required, ...fields, ...(version === undefined ? {} : { version }) });

    const { updatedAt: version } = await read(place);
    expect(await change(first, version)).toMatchObject({ status: 200, body: first });
    const now = await read(place);
    const refused = await change(second, version);
    expect(refused).toMatchObject({ status: 409, body: { code: "version_conflict", current: { ...now } } });
    expect(await read(place)).toEqual(now);
    // Without a version the last one to write wins, as ever.
    expect(await change(second)).toMatchObject({ status: 200, body: second });
    const { updatedAt: latest } = await read(place);
    expect(await change(first, latest)).toMatchObject({ status: 200, body: first });
  });

  // rule http.body.5
  test("is asked of every route that takes one", async () => {
    const { body: document } = await panel.call("GET", "/api/v1/openapi.json");
    const conflicts = Object.entries<Record<string, { responses?: Record<string, { $ref?: string }> }>>(
      document.paths,
    ).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) => {
        const name = responses?.["409"]?.$ref?.split("/").at(-1) ?? "";
        const codes: string[] = document.components.responses[name]?.["x-codes"] ?? [];
        const operation = `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`;
        return codes.includes("version_conflict") ? [operation] : [];
      }),
    );
    expect(conflicts.toSorted()).toEqual(Object.keys(RECORDS).toSorted());
  });
});
