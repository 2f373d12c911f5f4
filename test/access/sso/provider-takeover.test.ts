// A main admin with `admins:write` alone, and providers that others sign in through: it neither turns them round, ends
// nor opens them, and signs in as nobody who reaches further.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { PASSWORD, signIn } from "../panel.ts";
import { urlOf, type Browser } from "./browser.ts";
import { OwnProvider } from "./own-provider.ts";
import { openStage, type Stage } from "./stage.ts";

describe.each(dialects)("providers and those who sign in through them on %s", (dialect) => {
  let stage: Stage;
  /** A provider that the attacker runs: it says whatever subject it is told to. */
  let evil: OwnProvider;
  let limited = "";
  let narrow = "";
  beforeAll(async () => {
    stage = await openStage(dialect);
    evil = await OwnProvider.open(() => stage.panel.clock.now);
    await asRoot("POST", "/roles", { name: "limited", base: "sudo", scopes: ["admins:write"] });
    await asRoot("POST", "/admins", { username: "liam", password: PASSWORD, role: "limited" });
    limited = await signIn(stage.panel, "liam");
    narrow = String((await asRoot("POST", "/tokens", { scopes: ["admins:write"] })).body["token"]);
    await link(await stage.signedIn(), stage.plain, stage.provider, "alice");
  });
  afterAll(async () => {
    await stage.dispose();
    await evil.close();
  });

  const send = (as: string, method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
    stage.panel.send(method, `/api/v1${path}`, { as, ...(body === undefined ? {} : { body }) });
  const asRoot = (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
    send(stage.root, method, path, body);
  const link = async (browser: Browser, provider: number, at: OwnProvider, subject: string) => {
    at.subject = subject;
    const begun = await browser.link(provider, PASSWORD);
    return begun.status === 200 ? browser.back(at.agree(urlOf(begun))) : String(begun.body["code"]);
  };
  const links = async () => (await stage.panel.database.reads.query(sql`select id from oidc_links`)).length;
  const stored = async (id: number) =>
    (
      await stage.panel.database.reads.query<{ client_secret: string; token_url: string }>(
        sql`select * from oidc_providers where id = ${id}`,
      )
    )[0];
  const elsewhere = () => ({ tokenUrl: `${evil.issuer}/token`, userUrl: `${evil.issuer}/user` });

  // rule access.sso.11
  test("neither a token nor a session with admins:write turns round a provider that the owner signs in through", async () => {
    await stage.share(stage.plain);
    const before = await stored(stage.plain);
    const changes = [
      elsewhere(),
      { clientId: "other" },
      { clientSecret: "other" },
      { clientSecret: null },
      { subjectField: "name" },
    ];
    for (const as of [narrow, limited]) {
      for (const body of [...changes, { enabled: false }, { scopes: "all" }, { sharedCallback: false }])
        expect((await send(as, "PUT", `/oidc-providers/${stage.plain}`, body)).status, JSON.stringify(body)).toBe(403);
      expect((await send(as, "DELETE", `/oidc-providers/${stage.plain}`)).status).toBe(403);
      expect(
        (await send(as, "PUT", `/oidc-providers/${stage.plain}`, { name: "Forge", icon: "x", sortOrder: 3 })).status,
      ).toBe(200);
    }
    expect([await links(), await stage.landing(stage.plain)]).toEqual([1, "/"]);
    expect(await stored(stage.plain)).toMatchObject({
      client_secret: before?.client_secret,
      token_url: before?.token_url,
    });
  });

  // rule access.sso.14
  test("a provider is moved to its own callback by who covers all that signed in through it, and never back", async () => {
    const put = (as: string, body: object) => send(as, "PUT", `/oidc-providers/${stage.plain}`, body);
    expect((await put(stage.root, { name: "Plain", sharedCallback: true })).body).toMatchObject({
      sharedCallback: true,
    });
    expect((await put(stage.root, { sharedCallback: false })).body).toMatchObject({ sharedCallback: false });
    expect([await links(), await stage.landing(stage.plain)]).toEqual([1, "/"]);
    const back = await put(stage.root, { sharedCallback: true });
    expect([back.status, back.body["field"]]).toEqual([400, "sharedCallback"]);
    const made = await send(limited, "POST", "/oidc-providers", {
      name: "Old",
      kind: "oidc",
      issuer: evil.issuer,
      clientId: "panel",
      sharedCallback: true,
    });
    expect(made.body).toMatchObject({ sharedCallback: false });
    const own = `/oidc-providers/${String(made.body["id"])}`;
    expect((await send(limited, "PUT", own, { sharedCallback: true })).status).toBe(400);
    // Another server, or another client there, is another provider: it does not come by what all had.
    for (const body of [{ issuer: `${evil.issuer}/other` }, { clientId: "another" }]) {
      await stage.share(Number(made.body["id"]));
      expect((await send(limited, "PUT", own, { sharedCallback: true, ...body })).body).toMatchObject({
        sharedCallback: false,
      });
    }
    await stage.share(Number(made.body["id"]));
    const same = { sharedCallback: true, clientSecret: "new", name: "Company", issuer: `${evil.issuer}/other` };
    expect((await send(limited, "PUT", own, same)).body).toMatchObject({ sharedCallback: true });
    expect((await asRoot("DELETE", own)).status).toBe(200);
  });

  test("who covers all that signed in through it does; links go, and so does the secret, which no other address is to get", async () => {
    expect(
      (await asRoot("PUT", `/oidc-providers/${stage.plain}`, { clientSecret: "hush", scopes: "read" })).status,
    ).toBe(200);
    expect(await links()).toBe(1);
    expect((await asRoot("PUT", `/oidc-providers/${stage.plain}`, elsewhere())).body).toMatchObject({
      clientSecretSet: false,
    });
    expect(await links()).toBe(0);
    await link(await stage.signedIn(), stage.oidc, stage.provider, "alice");
    expect(
      (await asRoot("PUT", `/oidc-providers/${stage.oidc}`, { clientId: "another", clientSecret: "new" })).body,
    ).toMatchObject({
      clientSecretSet: true,
    });
    expect(await links()).toBe(0);
  });

  // rule access.sso.11
  test("a provider that the limited one runs signs in accounts that it covers, and no other, however they came to be linked", async () => {
    const { issuer } = evil;
    const made = await send(limited, "POST", "/oidc-providers", {
      name: "Company",
      kind: "oidc",
      issuer,
      clientId: "panel",
      scopes: "openid",
    });
    const id = Number(made.body["id"]);
    expect(await link(await stage.signedIn(), id, evil, "root")).toBe("provider_reach");
    expect(await link(await stage.signedIn("liam"), id, evil, "liam")).toBe("/dashboard?sso=linked");
    const landing = async () => {
      const browser = await stage.signedIn("liam");
      return browser.back(evil.agree(urlOf(await browser.start(id))));
    };
    expect(await landing()).toBe("/");
    const liam = (
      await stage.panel.database.reads.query<{ id: number }>(sql`select id from admins where username = 'liam'`)
    )[0]?.id;
    await asRoot("PUT", `/admins/${String(liam)}`, { username: "liam", role: "sudo" });
    expect(await landing()).toBe("/login?sso=error");
    expect((await asRoot("PUT", `/oidc-providers/${id}`, { issuer })).status, "the owner vouches for it").toBe(200);
    expect(await landing()).toBe("/");
  });

  test("each link is counted on its provider, so that a change decided on fewer of them is refused", async () => {
    const { issuer } = stage.provider;
    const made = await asRoot("POST", "/oidc-providers", {
      name: "Busy",
      kind: "oidc",
      issuer,
      clientId: "panel",
      scopes: "openid",
    });
    const id = Number(made.body["id"]);
    await link(await stage.signedIn(), id, stage.provider, "busy");
    const rows = await stage.panel.database.reads.query<{ linkings: number | string }>(
      sql`select linkings from oidc_providers where id = ${id}`,
    );
    expect(Number(rows[0]?.linkings)).toBe(1);
    expect((await asRoot("DELETE", `/oidc-providers/${id}`)).status).toBe(200);
  });
});
