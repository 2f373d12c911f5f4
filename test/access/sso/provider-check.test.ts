// Looking at an identity provider before the first person signs in through it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "../panel.ts";

describe.each(dialects.slice(0, 1))("looking at an identity provider on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let server: Server;
  let at: string;
  /** What the provider answers, by path. */
  const answers: Record<string, unknown> = {};
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    await allowPrivate(true);
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ""];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await panel.dispose();
  });

  const allowPrivate = (value: boolean) =>
    panel.send("PUT", "/api/settings/webhook_allow_private", { as: root, body: { value: String(value) } });
  const add = async (body: object) => {
    const made = await panel.send("POST", "/api/oidc-providers", {
      as: root,
      body: { name: "Acme", clientId: "panel", clientSecret: "s3cret", ...body },
    });
    expect(made.status, made.text).toBe(200);
    return Number(made.body["id"]);
  };
  const look = async (id: number, as = root) => {
    const { status, body } = await panel.send("POST", `/api/oidc-providers/${id}/test`, {
      as,
      headers: { host: "panel.example:8443" },
    });
    const checks = (body["checks"] ?? []) as { check: string; code: string; values: string[]; text: string }[];
    return {
      status,
      ok: body["ok"],
      checks,
      codes: Object.fromEntries(checks.map(({ check, code }) => [check, code])),
    };
  };
  const document = () => ({
    issuer: at,
    jwks_uri: `${at}/keys`,
    authorization_endpoint: `${at}/authorize`,
    token_endpoint: `${at}/token`,
  });
  const WELL_KNOWN = "/.well-known/openid-configuration";

  // rule access.sso.13
  test("each thing that OpenID Connect needs is looked at on its own", async () => {
    const id = await add({ kind: "oidc", issuer: at });
    expect((await look(id)).codes).toEqual({
      discovery: "status",
      issuer: "not_looked_at",
      keys: "not_looked_at",
      authorization: "not_looked_at",
      token: "not_looked_at",
      redirect: "plain_http",
    });
    answers[WELL_KNOWN] = document();
    answers["/keys"] = { keys: [{ kty: "RSA", use: "sig" }] };
    const fine = await look(id);
    expect(fine.codes).toMatchObject({ discovery: "fine", issuer: "fine", keys: "fine", token: "fine" });
    expect(fine.checks.at(-1)).toMatchObject({ values: [`http://panel.example:8443/api/login/oidc/callback/${id}`] });
    answers[WELL_KNOWN] = { ...document(), issuer: "https://other.example", token_endpoint: undefined };
    answers["/keys"] = { keys: [{ kty: "oct" }, { kty: "RSA", use: "enc" }] };
    const wrong = await look(id);
    expect([wrong.ok, wrong.codes]).toMatchObject([
      false,
      { issuer: "other_issuer", keys: "no_keys", token: "missing" },
    ]);
    answers[WELL_KNOWN] = { ...document(), token_endpoint: `${at}/token?said=by-the-provider` };
    const told = await look(id);
    expect(told.checks.find(({ check }: { check: string }) => check === "token")).toMatchObject({ values: [at] });
    expect(JSON.stringify(told)).not.toContain("by-the-provider");
    answers[WELL_KNOWN] = "<b>a secret page</b>";
    const strange = await look(id);
    expect(strange.codes).toMatchObject({ discovery: "no_json" });
    expect(JSON.stringify(strange)).not.toContain("secret page");
  });

  // rule access.sso.13
  test("of plain OAuth 2.0 that it answers; what is not permitted is not called", async () => {
    const id = await add({
      kind: "oauth2",
      authorizationUrl: `${at}/authorize`,
      tokenUrl: `${at}/token`,
      userUrl: "http://127.0.0.1:1/user",
    });
    expect((await look(id)).codes).toEqual({
      authorization: "fine",
      token: "fine",
      user: "unreachable",
      redirect: "plain_http",
    });
    await allowPrivate(false);
    expect((await look(id)).codes).toMatchObject({ authorization: "address_refused", token: "address_refused" });
    await allowPrivate(true);
  });

  // rule access.sso.13
  test("is a main admin's matter, of a provider that there is", async () => {
    const id = await add({ kind: "oidc", issuer: at });
    await panel.send("POST", "/api/admins", { as: root, body: { username: "op", password: PASSWORD, role: "admin" } });
    expect((await look(id, await signIn(panel, "op"))).status).toBe(403);
    expect((await look(999)).status).toBe(404);
  });
});
