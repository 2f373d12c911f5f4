// Single sign-on from start to session: a real OpenID Connect provider and a plain OAuth 2.0 one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { disenrol, enrol } from "../authenticator.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "../panel.ts";
import { Browser, CALLBACK, urlOf } from "./browser.ts";
import { OwnProvider } from "./own-provider.ts";
import { callbacksBelow, CLIENT, openRealProvider, throughProvider, type RealProvider } from "./real-provider.ts";

describe.each(dialects)("single sign-on on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let real: RealProvider;
  let plain: OwnProvider;
  let ids: { real: number; plain: number };

  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    real = await openRealProvider([CALLBACK, CALLBACK.replace("/api/", "/api/v1/")].flatMap(callbacksBelow));
    plain = await OwnProvider.open();
    await panel.send("PUT", "/api/settings/webhook_allow_private", { as: root, body: { value: "true" } });
    const add = async (body: object) =>
      Number(
        (
          await panel.send("POST", "/api/oidc-providers", {
            as: root,
            body: { clientId: CLIENT.id, clientSecret: CLIENT.secret, ...body },
          })
        ).body["id"],
      );
    const { issuer } = plain;
    ids = {
      real: await add({ name: "Real", kind: "oidc", issuer: real.issuer, sortOrder: 2, icon: "key" }),
      plain: await add({
        name: "Plain",
        kind: "oauth2",
        authorizationUrl: `${issuer}/authorize?tenant=1`,
        tokenUrl: `${issuer}/token`,
        userUrl: `${issuer}/user`,
        sortOrder: 1,
      }),
    };
  });
  afterAll(async () => {
    await panel.dispose();
    await real.close();
    await plain.close();
  });
  // The limit of open routes forgets earlier tests. No more than that: the real provider has a clock of its own.
  beforeEach(() => {
    panel.clock.now += 61_000;
  });

  /** A browser in which `root` is signed in. */
  async function signedIn(): Promise<Browser> {
    const browser = new Browser(panel);
    browser.setCookie("panel_session", await signIn(panel, "root"));
    return browser;
  }
  const throughReal = async (url: string) => new URL(await throughProvider(url, CALLBACK)).searchParams;
  async function linked(person: string): Promise<void> {
    real.person = person;
    const browser = await signedIn();
    expect(await browser.back(await throughReal(urlOf(await browser.link(ids.real, PASSWORD))))).toBe(
      "/dashboard?sso=linked",
    );
  }
  const clear = async () => {
    const browser = await signedIn();
    for (const { id } of (await browser.send("GET", "/api/me/oidc")).body as unknown as { id: number }[])
      await browser.send("DELETE", `/api/me/oidc/links/${id}`);
  };

  // rule access.sso.3
  test("the sign-in page's providers: enabled ones in their order, with button identity alone", async () => {
    const listed = await new Browser(panel).send("GET", "/api/v1/login/oidc");
    expect(listed.body).toEqual([
      { id: ids.plain, name: "Plain", icon: "" },
      { id: ids.real, name: "Real", icon: "key" },
    ]);
  });

  // rule access.sso.4
  test("OpenID Connect: an identity is linked, then signs in; session, audit and event are as those of a password", async () => {
    await linked("alice");
    const browser = new Browser(panel);
    const started = await browser.start(ids.real, { remember: true });
    const asked = new URL(urlOf(started)).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: `${CALLBACK}/${ids.real}`,
      code_challenge_method: "S256",
    });
    for (const secret of ["state", "nonce", "code_challenge"]) expect(asked.get(secret)).toMatch(/^[\w-]{43}$/);
    const cookie = String(started.headers["set-cookie"]);
    expect(cookie).toMatch(/^panel_oidc=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await browser.back(await throughReal(urlOf(started)))).toBe("/");
    expect((await browser.send("GET", "/api/me")).body).toMatchObject({ username: "root", auth: "session" });
    expect(browser.cookie("panel_oidc")).toBeUndefined();
    const [session] = (await browser.send("GET", "/api/me/sessions")).body as unknown as Record<string, unknown>[];
    expect(session).toMatchObject({ current: true, via: "oidc", remember: true, ip: browser.ip });
    const [record] = (await panel.send("GET", "/api/changes?key=sessions", { as: root })).body as unknown as Record<
      string,
      unknown
    >[];
    expect(record).toMatchObject({
      actor: "root",
      action: "login",
      via: "session",
      obj: { remember: true, provider: ids.real },
    });
    expect((await panel.events()).at(-1)).toMatchObject({ data: { adminId: 1, username: "root" } });
    const [link] = (await browser.send("GET", "/api/me/oidc")).body as unknown as Record<string, unknown>[];
    const time = Math.floor(panel.clock.now / 1000);
    expect(link).toMatchObject({
      provider: ids.real,
      providerName: "Real",
      subject: "alice",
      email: "alice@example.com",
      lastUsedAt: time,
    });
    await clear();
  });

  test("the callback under /api/v1 is as good", async () => {
    await linked("alice");
    const browser = new Browser(panel);
    const redirectUri = CALLBACK.replace("/api/", "/api/v1/");
    const url = urlOf(await browser.start(ids.real, { redirectUri }));
    const back = new URL(await throughProvider(url, redirectUri));
    const answer = await browser.send("GET", `${back.pathname}${back.search}`);
    expect([answer.status, answer.headers["location"]]).toEqual([302, "/"]);
    await clear();
  });

  // rule access.sso.4
  test("plain OAuth 2.0: the user endpoint says who it is", async () => {
    const mine = await signedIn();
    plain.subject = "4711";
    const url = urlOf(await mine.link(ids.plain, PASSWORD));
    expect(new URL(url).searchParams.get("tenant")).toBe("1");
    expect(new URL(url).searchParams.has("nonce")).toBe(false);
    expect(await mine.back(plain.agree(url))).toBe("/dashboard?sso=linked");
    const browser = new Browser(panel);
    expect(await browser.back(plain.agree(urlOf(await browser.start(ids.plain))))).toBe("/");
    expect((await browser.send("GET", "/api/me")).status).toBe(200);
    await clear();
  });

  // rule access.sso.7
  test("an identity that nobody linked lands on unlinked, without a session", async () => {
    real.person = "nobody";
    const browser = new Browser(panel);
    expect(await browser.back(await throughReal(urlOf(await browser.start(ids.real))))).toBe("/login?sso=unlinked");
    expect(browser.cookie("panel_session")).toBeUndefined();
  });

  // rule access.sso.7
  test("with two-factor on, the landing carries the pending token, and the code completes the sign-in", async () => {
    await linked("alice");
    const enrolment = await enrol(panel, root);
    const browser = new Browser(panel);
    const landing = await browser.back(await throughReal(urlOf(await browser.start(ids.real))));
    const [, pending = ""] = /^\/login\?sso=mfa#([\w-]{43})$/.exec(landing) ?? [];
    expect(pending).not.toBe("");
    expect(browser.cookie("panel_session")).toBeUndefined();
    const done = await browser.send("POST", "/api/login/mfa", { pending, code: enrolment.device.next() });
    expect([done.status, done.body["twoFactor"]]).toEqual([200, true]);
    const sessions = (await browser.send("GET", "/api/me/sessions")).body as unknown as Record<string, unknown>[];
    expect(sessions.find((each) => each["current"])).toMatchObject({ via: "oidc" });
    await disenrol(panel, root, enrolment);
    await clear();
  });

  // rule access.sso.7
  test("an expired reseller lands on account-expired", async () => {
    const expiry = Math.floor(panel.clock.now / 1000) + 60;
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "seller", password: PASSWORD, role: "resale", expiry },
    });
    const seller = new Browser(panel);
    seller.setCookie("panel_session", await signIn(panel, "seller"));
    real.person = "seller";
    expect(await seller.back(await throughReal(urlOf(await seller.link(ids.real, PASSWORD))))).toBe(
      "/dashboard?sso=linked",
    );
    panel.clock.now += 61_000;
    const browser = new Browser(panel);
    expect(await browser.back(await throughReal(urlOf(await browser.start(ids.real))))).toBe(
      "/login?sso=account-expired",
    );
    expect(browser.cookie("panel_session")).toBeUndefined();
  });

  test("who says no at the provider lands on error", async () => {
    const browser = new Browser(panel);
    const state = new URL(urlOf(await browser.start(ids.real))).searchParams.get("state") ?? "";
    expect(await browser.back(new URLSearchParams({ error: "access_denied", state }))).toBe("/login?sso=error");
  });
});
