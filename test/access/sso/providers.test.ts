// /api/oidc-providers: what is kept, what is refused, who may.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel, type Answer } from "../panel.ts";

const OIDC = { name: "Company", kind: "oidc", issuer: "https://id.example", clientId: "panel" };
const OAUTH2 = {
  name: "Forge",
  kind: "oauth2",
  clientId: "panel",
  authorizationUrl: "https://forge.example/authorize",
  tokenUrl: "https://forge.example/token",
  userUrl: "https://forge.example/user",
};

describe.each(dialects)("identity providers on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const add = (body: object): Promise<Answer> => panel.send("POST", "/api/oidc-providers", { as: root, body });
  const change = (id: unknown, body: object) =>
    panel.send("PUT", `/api/v1/oidc-providers/${String(id)}`, { as: root, body });
  const sealedSecret = async (id: unknown) =>
    (
      await panel.database.reads.query<{ client_secret: string }>(
        sql`select client_secret from oidc_providers where id = ${Number(id)}`,
      )
    )[0]?.client_secret ?? "";

  // rule access.sso.1
  test("a created provider has its defaults and never tells its secret", async () => {
    const oidc = await add({ ...OIDC, clientSecret: "open sesame" });
    expect(oidc.status, oidc.text).toBe(200);
    const none = { authorizationUrl: "", tokenUrl: "", userUrl: "", subjectField: "" };
    const time = Math.floor(panel.clock.now / 1000);
    const defaults = { enabled: true, sortOrder: 0, icon: "", sharedCallback: false, createdAt: time, updatedAt: time };
    expect(oidc.body).toEqual({
      id: oidc.body["id"],
      ...OIDC,
      clientSecretSet: true,
      scopes: "openid email",
      ...none,
      ...defaults,
    });
    const oauth2 = await add(OAUTH2);
    expect(oauth2.body).toEqual({
      id: oauth2.body["id"],
      ...OAUTH2,
      issuer: "",
      clientSecretSet: false,
      scopes: "",
      subjectField: "id",
      ...defaults,
    });
    expect(await sealedSecret(oidc.body["id"])).toMatch(/^s1\./);
    const everywhere = [
      await panel.send("GET", "/api/oidc-providers", { as: root }),
      await panel.send("GET", "/api/changes?key=oidc-providers", { as: root }),
    ];
    for (const { text } of everywhere) expect(text).not.toContain("sesame");
  });

  // rule access.sso.1
  test("a change keeps what is absent, and the secret also where it is empty; null removes it", async () => {
    const { id } = (await add({ ...OIDC, clientSecret: "one", icon: "key" })).body;
    const stored = await sealedSecret(id);
    const renamed = await change(id, { name: "Renamed", clientSecret: "" });
    expect(renamed.body).toMatchObject({ name: "Renamed", icon: "key", issuer: OIDC.issuer, clientSecretSet: true });
    expect(Number(renamed.body["updatedAt"])).toBeGreaterThan(Number(renamed.body["createdAt"]));
    expect(await sealedSecret(id)).toBe(stored);
    await change(id, { clientSecret: "two" });
    expect(await sealedSecret(id)).not.toBe(stored);
    expect((await change(id, { clientSecret: null })).body).toMatchObject({ clientSecretSet: false });
    const changes = (await panel.send("GET", "/api/changes?key=oidc-providers&limit=2", { as: root }))
      .body as unknown as { obj: object }[];
    expect(changes.map(({ obj }) => obj)).toEqual([
      { clientSecret: ["[redacted]", "[redacted]"], clientSecretSet: [true, false] },
      { clientSecret: ["[redacted]", "[redacted]"] },
    ]);
  });

  // rule access.sso.2
  test.each([
    ["name", { ...OIDC, name: "" }],
    ["kind", { ...OIDC, kind: "saml" }],
    ["clientId", { ...OIDC, clientId: "" }],
    ["issuer", { ...OIDC, issuer: "" }],
    ["issuer", { ...OIDC, issuer: "id.example" }],
    ["issuer", { ...OIDC, issuer: "http://id.example" }],
    ["issuer", { ...OIDC, issuer: "https://127.0.0.1" }],
    ["issuer", { ...OIDC, issuer: "https://[::1]/realm" }],
    ["issuer", { ...OIDC, issuer: "https://user:word@id.example" }],
    ["issuer", { ...OIDC, issuer: "https://id.example/?tenant=1" }],
    ["issuer", { ...OIDC, issuer: "https://id.example/.well-known/openid-configuration" }],
    ["issuer", { ...OIDC, issuer: "https://id.exam\tple" }],
    ["scopes", { ...OIDC, scopes: "email" }],
    ["scopes", { ...OIDC, scopes: "openid  email" }],
    ["authorizationUrl", { ...OAUTH2, authorizationUrl: undefined }],
    ["tokenUrl", { ...OAUTH2, tokenUrl: "" }],
    ["tokenUrl", { ...OAUTH2, tokenUrl: "https://10.0.0.1/token" }],
    ["userUrl", { ...OAUTH2, userUrl: "file:///etc/passwd" }],
    ["subjectField", { ...OAUTH2, subjectField: "" }],
    ["subjectField", { ...OAUTH2, subjectField: "data..id" }],
    ["sortOrder", { ...OIDC, sortOrder: -1 }],
    ["enabled", { ...OIDC, enabled: "yes" }],
  ])("400 names %s", async (field, body) => {
    const answer = await add(body);
    expect([answer.status, answer.body["field"]], answer.text).toEqual([400, field]);
  });

  test("a provider keeps its kind, and what its kind needs", async () => {
    const { id } = (await add(OAUTH2)).body;
    expect((await change(id, { kind: "oidc" })).body).toMatchObject({ field: "kind" });
    expect((await change(id, { tokenUrl: "" })).body).toMatchObject({ field: "tokenUrl" });
    expect((await change(id, { kind: "oauth2", subjectField: "data.id" })).body).toMatchObject({
      subjectField: "data.id",
    });
    expect((await change(999_999, { name: "x" })).status).toBe(404);
  });

  // rule access.sso.2
  test("private addresses and plain http are permitted by webhook_allow_private, and may then be kept", async () => {
    const allow = (value: string) =>
      panel.send("PUT", "/api/settings/webhook_allow_private", { as: root, body: { value } });
    await allow("true");
    const { id } = (await add({ ...OIDC, issuer: "http://127.0.0.1:9" })).body;
    await allow("false");
    expect((await change(id, { enabled: false, issuer: "http://127.0.0.1:9" })).status).toBe(200);
    expect((await change(id, { issuer: "http://127.0.0.1:8" })).body).toMatchObject({ field: "issuer" });
  });

  test("the list is ordered by sortOrder, searched, and paged", async () => {
    await add({ ...OIDC, name: "Needle two", sortOrder: 2 });
    await add({ ...OIDC, name: "Needle one", sortOrder: 1 });
    const listed = await panel.send("GET", "/api/v1/oidc-providers?q=needle&limit=1", { as: root });
    expect(listed.body).toMatchObject({ items: [{ name: "Needle one" }], total: 2, limit: 1, offset: 0 });
    const sorted = await panel.send("GET", "/api/oidc-providers?q=needle&sort=sort_order&order=desc", { as: root });
    expect(sorted.body).toMatchObject([{ name: "Needle two" }, { name: "Needle one" }]);
  });

  // rule access.sso.1
  test("main admins with admins:write alone; a token needs the scope", async () => {
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "operator", password: PASSWORD, role: "admin" },
    });
    expect((await panel.send("GET", "/api/oidc-providers", { as: await signIn(panel, "operator") })).status).toBe(403);
    const token = async (scopes: string[]) =>
      String((await panel.send("POST", "/api/tokens", { as: root, body: { scopes } })).body["token"]);
    expect((await panel.send("GET", "/api/oidc-providers", { as: await token(["users:read"]) })).status).toBe(403);
    expect(
      (await panel.send("POST", "/api/oidc-providers", { as: await token(["admins:write"]), body: OIDC })).status,
    ).toBe(200);
    expect((await panel.send("GET", "/api/oidc-providers")).status).toBe(401);
  });

  // rule access.sso.14
  test("deleting; the id, and so the callback, is given to no other", async () => {
    const { id } = (await add(OIDC)).body;
    const remove = () => panel.send("DELETE", `/api/oidc-providers/${String(id)}`, { as: root });
    expect((await remove()).body).toEqual({ ok: true });
    expect((await remove()).status).toBe(404);
    expect(Number((await add(OIDC)).body["id"])).toBeGreaterThan(Number(id));
  });
});
