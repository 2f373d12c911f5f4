// Every route that asks for a fresh second factor, walked over the whole panel.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WholePanel } from "../whole-panel.ts";

const role = { name: "limited", base: "admin", scopes: ["users:read"] };

/** A request to each, on records that are there: nothing of it may happen. */
const SENSITIVE: Readonly<Record<string, { readonly path?: string; readonly body?: object }>> = {
  "POST /admins": { body: { username: "second", password: "long enough" } },
  "PUT /admins/{id}": { path: "/admins/1", body: { username: "renamed", role: "sudo" } },
  "DELETE /admins/{id}": { path: "/admins/1" },
  "POST /admins/{id}/owner": { path: "/admins/1/owner" },
  "PUT /admins/{id}/password": { path: "/admins/1/password", body: { password: "long enough" } },
  "DELETE /admins/{id}/sessions": { path: "/admins/1/sessions" },
  "POST /roles": { body: role },
  "PUT /roles/{id}": { path: "/roles/1", body: role },
  "DELETE /roles/{id}": { path: "/roles/1" },
  "POST /tokens": { body: { desc: "second" } },
  "DELETE /tokens/{id}": { path: "/tokens/1" },
  "POST /oidc-providers": { body: { name: "second", kind: "oidc", issuer: "https://id.example", clientId: "panel" } },
  "PUT /oidc-providers/{id}": { path: "/oidc-providers/1", body: { name: "renamed" } },
  "DELETE /oidc-providers/{id}": { path: "/oidc-providers/1" },
  "POST /nodes": { body: { name: "elsewhere", address: "192.0.2.9", port: 7443 } },
  "PUT /nodes/{id}": { path: "/nodes/1", body: { address: "192.0.2.9" } },
  "PUT /nodes/{id}/template": { path: "/nodes/1/template", body: { templateId: null } },
  "POST /nodes/{id}/move": { path: "/nodes/1/move", body: { address: "192.0.2.9" } },
  "POST /nodes/{id}/repin": { path: "/nodes/1/repin" },
  "DELETE /changes": {},
  "PUT /settings/{key}": { path: "/settings/trusted_proxies", body: { value: "192.0.2.1" } },
  "POST /actors/{kind}/{id}/events": { path: "/actors/user/1/events", body: { type: "due" } },
  "POST /actors/{kind}/{id}/resume": { path: "/actors/user/1/resume" },
  "POST /restart": {},
  "POST /backup/restore": {},
  "POST /backups/{name}/restore": { path: "/backups/none.tar.gz/restore" },
  "POST /backups/{name}/rehearse": { path: "/backups/none.tar.gz/rehearse" },
};

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, unknown>> }>>>
  >;
}

describe("sensitive routes", () => {
  let panel: WholePanel;
  let secret = "";
  const session = (method: string, path: string, body?: unknown) =>
    panel.call(method, `/api/v1${path}`, body, { cookie: panel.cookie });
  const ask = (name: string) => {
    const [method = "", described = ""] = name.split(" ");
    const { path = described, body } = SENSITIVE[name] ?? {};
    return session(method, path, body);
  };

  beforeAll(async () => {
    panel = await WholePanel.open("sqlite");
    await session("POST", "/users", { name: "one" });
    await session("POST", "/nodes", { name: "here", address: "192.0.2.1", port: 7443, enabled: false });
    await session("POST", "/oidc-providers", {
      name: "first",
      kind: "oidc",
      issuer: "https://id.example",
      clientId: "panel",
    });
    secret = (await session("POST", "/me/2fa/totp")).body.secret;
    const enabled = await session("POST", "/me/2fa/totp/confirm", { code: generateSync({ secret }) });
    expect(enabled.status).toBe(200);
  });
  afterAll(() => panel.dispose());

  // rule access.confirm.1
  test("the description names these and no others", async () => {
    const { paths } = (await panel.call("GET", "/api/openapi.json")).body as Description;
    const named = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses = {} }]) =>
        "428" in responses ? [`${method.toUpperCase()} ${path}`] : [],
      ),
    );
    const routes = new Set(named.map((name) => name.replace(/ \/api(\/v1)?\//, " /")));
    expect([...routes].toSorted()).toEqual(Object.keys(SENSITIVE).toSorted());
  });

  // rule access.confirm.1
  test.each(Object.keys(SENSITIVE))("%s: 428 without a fresh second factor", async (name) => {
    const answer = await ask(name);
    expect([answer.status, answer.body.confirm], answer.text).toEqual([428, "totp"]);
  });

  test("nothing of it happened", async () => {
    const admins = await session("GET", "/admins");
    expect(admins.body.items).toMatchObject([{ id: 1, username: "root" }]);
    expect((await session("GET", "/roles?q=limited")).body.items).toEqual([]);
    expect((await session("GET", "/nodes")).body.items).toMatchObject([
      { id: 1, name: "here", address: "192.0.2.1", templateId: null },
    ]);
    expect((await session("GET", "/oidc-providers")).body.items).toMatchObject([{ id: 1, name: "first" }]);
    expect((await panel.call("GET", "/api/v1/me")).status).toBe(200);
  });

  test("what of a node changes nobody's whereabouts needs no code", async () => {
    expect((await session("PUT", "/nodes/1", { remark: "cold", address: "192.0.2.1" })).status).toBe(200);
  });

  test("the code that opens them opens all", async () => {
    const confirmed = await session("POST", "/me/confirm", {
      code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }),
    });
    expect(confirmed.status, confirmed.text).toBe(200);
    for (const name of Object.keys(SENSITIVE).filter(
      (each) => !["POST /restart", "DELETE /admins/{id}"].includes(each),
    ))
      expect((await ask(name)).status, name).not.toBe(428);
  });
});
