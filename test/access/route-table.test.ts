// Every route of the panel: what it needs of its caller is what GET /api/scopes says, and what it changes is recorded.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isScope, SCOPES, type Route } from "../../src/http/index.ts";
import { COMMAND_ROUTES } from "../../src/panel/command-routes.ts";
import { dialects } from "../database.ts";
import { openWalkedPanel, pathOf, type WalkedPanel } from "./route-table.ts";

/** Writing methods without a record in the audit log, and why. */
const UNRECORDED: Readonly<Record<string, string>> = {
  "POST /login/oidc/start": "open to anybody; what it comes to is recorded by the callback",
  "POST /oidc-providers/{id}/test": "looks at a provider, changes nothing",
  "POST /backup/preview": "looks at an archive, changes nothing",
  "POST /backups/{name}/preview": "looks at an archive, changes nothing",
  "POST /backups/{name}/rehearse": "tries an archive on a scratch database; its record says how it went",
  "POST /users/bulk/{op}": "its job records it when it ends",
  "POST /users/deleted/restore": "its job records it when it ends",
  "POST /users/generate": "its job records it when it ends",
  "POST /users/import": "its job records it when it ends",
  "POST /sub/rules/test": "tries a table, changes nothing",
  "POST /sub/page/test": "draws a page, changes nothing",
  "POST /tools/uuid": "makes a value, changes nothing",
  "POST /tools/password": "makes a value, changes nothing",
  "POST /tools/ss-key": "makes a value, changes nothing",
  "POST /tools/reality-keypair": "makes a value, changes nothing",
  "POST /tools/wireguard-keypair": "makes a value, changes nothing",
};

/** GET routes that leave a record: a sign-in, and whoever took a copy of everything. */
const RECORDED_GETS = [
  "GET /login/oidc/callback",
  "GET /login/oidc/callback/{id}",
  "GET /backup",
  "GET /backups/{name}",
];

const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

describe.each(dialects)("the table of routes on %s", (dialect) => {
  let panel: WalkedPanel;
  let everything: string;
  beforeAll(async () => {
    panel = await openWalkedPanel(dialect);
    everything = await panel.token([]);
  });
  afterAll(() => panel.dispose());

  /** The answers of the routes, by name. */
  async function walk(
    routes: readonly Route[],
    as: string,
  ): Promise<Map<Route, { status: number; body: Readonly<Record<string, unknown>> }>> {
    const answers = new Map();
    for (const route of routes) answers.set(route, await panel.send(route.method, pathOf(route), { as }));
    return answers;
  }

  test("what features name for the command line are routes", () => {
    const names = new Set(panel.routes.map(nameOf));
    expect(COMMAND_ROUTES.size).toBeGreaterThan(5);
    expect([...COMMAND_ROUTES].filter((name) => !names.has(name))).toEqual([]);
  });

  // rule http.path.2
  test("HEAD is answered like GET, but not where a GET changes something", async () => {
    const gets = panel.routes.filter(({ method }) => method === "GET");
    const changing = gets.filter(({ audit }) => audit !== undefined);
    expect(changing.map(nameOf)).toEqual(RECORDED_GETS);
    for (const route of gets) {
      const head = await panel.send("HEAD", pathOf(route), { as: everything });
      const get = changing.includes(route) ? 405 : (await panel.send("GET", pathOf(route), { as: everything })).status;
      expect([nameOf(route), head.status]).toEqual([nameOf(route), get]);
    }
  });

  // rule admins.scope.1
  test("GET /scopes names every route and socket with the scope that it declares, the same on both prefixes", async () => {
    const [v1, api] = [
      await panel.send("GET", "/api/v1/scopes", { as: everything }),
      await panel.send("GET", "/api/scopes", { as: everything }),
    ];
    expect(api.body).toEqual(v1.body);
    expect(v1.body["scopes"]).toEqual([...SCOPES]);
    const declared = Object.fromEntries(panel.routes.map((route) => [nameOf(route), route.scope]));
    const sockets = {
      "GET /actors/stream": "stats:read",
      "GET /actors/{kind}/{id}/log/stream": "stats:read",
      "GET /events/stream": expect.any(String),
    };
    expect(v1.body["routes"]).toEqual({ ...declared, ...sockets });
    expect(declared).toMatchObject({
      "GET /me": "",
      "GET /scopes": "",
      "GET /events": "",
      "POST /login": "",
      "GET /users/{id}": "users:read",
      "PUT /me/password": "-",
      "PUT /me/dashboard-tiles": "-",
      "POST /restart": "-",
      "POST /admins/{id}/owner": "-",
      "GET /admins": "admins:write",
      "GET /changes": "admins:write",
      "POST /tokens": "tokens:write",
    });
    expect(v1.body["also"]).toEqual({
      "POST /fronts": ["users:read"],
      "POST /nodes": ["users:read"],
      "POST /nodes/{id}/move": ["users:read"],
      "POST /nodes/{id}/repin": ["users:read"],
      "PUT /nodes/{id}/template": ["users:read"],
      "POST /settings/happ-key/refresh": ["settings:write", "users:read"],
      "POST /settings/incy-key/refresh": ["settings:write", "users:read"],
    });
    const pointing = [
      "POST /inbounds",
      "PUT /inbounds/{id}",
      "PUT /inbounds/{id}/fronts",
      "PUT /fronts/{id}",
      "PUT /templates/{id}",
      "PUT /nodes/{id}",
      "PUT /settings/{key}",
    ];
    expect(v1.body["sometimes"]).toEqual(Object.fromEntries(pointing.map((name) => [name, ["users:read"]])));
    for (const scope of Object.values(declared))
      expect(scope === "" || scope === "-" || isScope(scope), scope).toBe(true);
  });

  // rule admins.audit.10
  test("every writing route declares its audit record, or there is a reason why not", () => {
    const silent = panel.routes.filter(({ method, audit }) => method !== "GET" && audit === undefined).map(nameOf);
    expect(silent.toSorted()).toEqual(Object.keys(UNRECORDED).toSorted());
    const recorded = panel.routes.filter(({ method, audit }) => method === "GET" && audit !== undefined);
    expect(recorded.map(nameOf)).toEqual(RECORDED_GETS);
  });

  // rule admins.scope.2
  test("without a credential every route is 401, but for the open ones", async () => {
    const guarded = panel.routes.filter(({ auth }) => auth !== "open");
    for (const [route, { status }] of await walk(guarded, "")) expect(status, nameOf(route)).toBe(401);
  });

  // rule admins.token.9
  test("a route closed to tokens refuses one that has every scope: 403, or 400 where it is about the session itself", async () => {
    const closed = panel.routes.filter(({ scope }) => scope === "-");
    expect(closed.length).toBeGreaterThan(5);
    for (const [route, { status }] of await walk(closed, everything)) {
      const own = /^\/me\/(sessions|2fa|confirm)/.test(route.path);
      // Routes for links to identity providers may answer either.
      if (route.path.startsWith("/me/oidc")) expect([400, 403], nameOf(route)).toContain(status);
      else expect(status, nameOf(route)).toBe(own ? 400 : 403);
    }
  });

  // rule admins.scope.3
  test("a token without a route's scope is 403 and told which one it needs; every token reaches the routes without one", async () => {
    const token = await panel.token(["tools:write"]);
    const scoped = panel.routes.filter(({ scope }) => isScope(scope) && scope !== "tools:write");
    for (const [route, { status, body }] of await walk(scoped, token)) {
      expect([status, body["code"], body["scope"]], nameOf(route)).toEqual([403, "scope", route.scope]);
    }
    for (const route of scoped.filter(({ also }) => also)) {
      const { status, body } = await panel.send(route.method, pathOf(route), { as: await panel.token([route.scope]) });
      expect([status, body["code"], body["scope"]], nameOf(route)).toEqual([403, "scope", route.also?.[0]]);
    }
    for (const path of ["/me", "/scopes", "/events"])
      expect((await panel.send("GET", `/api/v1${path}`, { as: token })).status).toBe(200);
  });

  test("a token with a route's scope passes the gate, whatever comes after it", async () => {
    const scoped = panel.routes.filter(({ scope }) => isScope(scope));
    for (const scope of new Set(scoped.map((route) => route.scope))) {
      const routes = scoped.filter((route) => route.scope === scope);
      const token = await panel.token([scope, ...routes.flatMap(({ also = [] }) => also)]);
      for (const [route, { status, body }] of await walk(routes, token)) {
        expect(status, nameOf(route)).not.toBe(401);
        expect(body["code"], nameOf(route)).not.toBe("scope");
      }
    }
  });

  // rule admins.scope.5
  test("a reseller's token reaches users, and nothing that is an operator's", async () => {
    const token = await panel.token([], "resale");
    const reached = panel.routes.filter(({ auth, scope }) => auth !== "open" && scope !== "-");
    for (const [route, { status }] of await walk(reached, token)) {
      const its = route.scope === "" || ((route.or ?? route.scope).startsWith("users:") && !route.tiers);
      if (its) expect([401, 403], nameOf(route)).not.toContain(status);
      else expect(status, nameOf(route)).toBe(403);
    }
  });

  // rule admins.scope.4
  test("routes of the panel's own administration are the main admins' alone", () => {
    const own = panel.routes.filter(({ scope }) => ["admins:write", "tokens:write", "license:write"].includes(scope));
    for (const route of own) expect(route.tiers, nameOf(route)).toEqual(["sudo"]);
  });
});
