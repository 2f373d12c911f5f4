// When a sign-in at a provider may begin and come back: places, time, bans, allowlist, the way back.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { OidcWaitingRows } from "../../../src/access/sso/attempt.entity.ts";
import { NOBODY_WAITS } from "../../../src/access/sso/attempts.commands.ts";
import { dialects } from "../../database.ts";
import { openAccessPanel } from "../panel.ts";
import { Browser, CALLBACK, urlOf } from "./browser.ts";
import { openStage, type Stage } from "./stage.ts";

const MINUTE = 60_000;

describe.each(dialects)("limits of single sign-on on %s", (dialect) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(dialect);
    await stage.linked("alice");
  });
  afterAll(() => stage.dispose());
  // Places, bans and limits of earlier tests are over.
  beforeEach(() => {
    stage.panel.clock.now += 40 * MINUTE;
  });
  const put = (path: string, body: object) => stage.panel.send("PUT", path, { as: stage.root, body });

  // rule access.sso.6
  test("ten wait for each address, also when they begin at once; one that comes back gives its place away", async () => {
    const browser = new Browser(stage.panel, "192.0.2.10");
    const all = await Promise.all(Array.from({ length: 14 }, () => browser.start(stage.plain)));
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(200),
      ...Array(4).fill(429),
    ]);
    const refused = all.find(({ status }) => status === 429);
    expect([refused?.body["code"], Number(refused?.headers["retry-after"])]).toEqual(["rate_limited", 600]);
    expect((await new Browser(stage.panel, "192.0.2.11").start(stage.plain)).status).toBe(200);
    const oidc = new Browser(stage.panel, "192.0.2.12");
    for (let round = 0; round < 12; round++)
      expect(await oidc.back(stage.provider.agree(urlOf(await oidc.start(stage.oidc))))).toBe("/");
    stage.panel.clock.now += 10 * MINUTE;
    expect((await browser.start(stage.plain)).status).toBe(200);
  });

  // rule access.sso.6
  test("a source is an IPv6 network of 64 bits", async () => {
    for (let host = 0; host < 10; host++)
      expect((await new Browser(stage.panel, `2001:db8::${host + 1}`).start(stage.plain)).status).toBe(200);
    expect((await new Browser(stage.panel, "2001:db8::ff:1").start(stage.plain)).status).toBe(429);
    expect((await new Browser(stage.panel, "2001:db8:0:1::1").start(stage.plain)).status).toBe(200);
  });

  // rule access.sso.6
  test("a thousand wait on the panel", async () => {
    const until = Math.floor(stage.panel.clock.now / 1000) + 300;
    const places = Array.from({ length: 999 }, (_, index) => ({ source: `10.0.${index >> 3}.1`, until }));
    await stage.panel.database.commits.submit({
      name: "places",
      locks: [],
      decide: (draft) => draft.upsert(OidcWaitingRows, { ...NOBODY_WAITS, places }),
    });
    const start = (address: string, provider: number) => new Browser(stage.panel, address).start(provider);
    const last = await Promise.all(
      ["192.0.2.40", "192.0.2.41", "192.0.2.42"].map((address) => start(address, stage.plain)),
    );
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429, 429]);
    const calls = stage.provider.calls.length;
    const refused = await start("192.0.2.43", stage.oidc);
    expect([refused.status, Number(refused.headers["retry-after"])]).toEqual([429, 300]);
    // What is refused makes the panel call nobody.
    expect(stage.provider.calls).toHaveLength(calls);
  });

  // rule access.sso.5
  test("back after ten minutes: expired, and the attempt is over", async () => {
    const browser = new Browser(stage.panel);
    const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    stage.panel.clock.now += 10 * MINUTE;
    expect(await browser.back(said)).toBe("/login?sso=expired");
    expect(await browser.back(said)).toBe("/login?sso=error");
    const link = await stage.signedIn();
    const late = stage.provider.agree(urlOf(await link.link(stage.oidc, "correct horse")));
    stage.panel.clock.now += 10 * MINUTE;
    expect(await link.back(late)).toBe("/dashboard?sso=link-error");
  });

  test("attempts that nobody came back to are cleared away within hours", async () => {
    const waiting = () => stage.panel.database.reads.query(sql`select id from oidc_attempts`);
    await new Browser(stage.panel).start(stage.plain);
    expect(await waiting()).not.toEqual([]);
    stage.panel.clock.now += 71 * MINUTE;
    await stage.panel.access.prune();
    expect(await waiting()).toEqual([]);
  });

  // rule access.sso.15
  test("codes that came back are remembered for an hour, and not without end", async () => {
    const codes = async () => (await stage.panel.database.reads.query(sql`select id from oidc_codes`)).length;
    await stage.panel.access.prune();
    const before = await codes();
    expect(await stage.landing(stage.oidc)).toBe("/");
    const browser = new Browser(stage.panel);
    const state = () => browser.start(stage.oidc).then((answer) => new URL(urlOf(answer)).searchParams.get("state"));
    await browser.back(new URLSearchParams({ error: "access_denied", state: (await state()) ?? "" }));
    await browser.back(new URLSearchParams({ code: "a-stranger's", state: "invented" }));
    expect(await codes()).toBe(before + 1);
    const waits = (await state()) ?? "";
    const since = Math.floor(stage.panel.clock.now / 1000) - 60;
    await stage.panel.database.commits.submit({
      name: "many codes",
      locks: [],
      decide: (draft) => draft.upsert(OidcWaitingRows, { ...NOBODY_WAITS, codes: 20_000, codesSince: since }),
    });
    const refused = await browser.start(stage.oidc);
    expect([refused.status, Number(refused.headers["retry-after"])]).toEqual([429, 59 * 60]);
    stage.provider.calls.length = 0;
    expect(await browser.back(new URLSearchParams({ code: "one-too-many", state: waits }))).toBe("/login?sso=error");
    expect([await codes(), stage.provider.calls]).toEqual([before + 1, []]);
    stage.panel.clock.now += 59 * MINUTE;
    expect(await stage.landing(stage.oidc)).toBe("/");
    stage.panel.clock.now += 61 * MINUTE;
    await stage.panel.access.prune();
    expect(await codes()).toBe(0);
  });

  // rule access.sso.7
  test("a banned address: the start is 429, the way back lands on blocked", async () => {
    const browser = new Browser(stage.panel, "192.0.2.20");
    const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    for (let attempt = 0; attempt < 5; attempt++)
      await browser.send("POST", "/api/login", { username: "root", password: "not this one" });
    const refused = await browser.start(stage.oidc);
    expect([refused.status, refused.body["code"]]).toEqual([429, "banned"]);
    expect(await browser.back(said)).toBe("/login?sso=blocked");
    expect(browser.cookie("panel_session")).toBeUndefined();
  });

  test("an address outside login_allowlist: the start is 403, the way back lands on blocked", async () => {
    const inside = new Browser(stage.panel, "192.0.2.30");
    const outside = new Browser(stage.panel, "203.0.113.30");
    const said = stage.provider.agree(urlOf(await outside.start(stage.oidc)));
    await put("/api/settings/login_allowlist", { value: "192.0.2.0/24" });
    const refused = await outside.start(stage.oidc);
    expect([refused.status, refused.body["code"]]).toEqual([403, "address_refused"]);
    expect(await outside.back(said)).toBe("/login?sso=blocked");
    expect(await inside.back(stage.provider.agree(urlOf(await inside.start(stage.oidc))))).toBe("/");
    await put("/api/settings/login_allowlist", { value: "" });
  });

  // rule access.sso.5
  test("a provider that is off is 409 and not listed; one that is switched off or changed meanwhile signs nobody in", async () => {
    const browser = new Browser(stage.panel);
    const [first, second] = [urlOf(await browser.start(stage.oidc)), urlOf(await browser.start(stage.oidc))];
    await put(`/api/oidc-providers/${stage.oidc}`, { enabled: false });
    expect((await browser.start(stage.oidc)).status).toBe(409);
    expect((await browser.send("GET", "/api/login/oidc")).body).toEqual([{ id: stage.plain, name: "Plain", icon: "" }]);
    expect(await browser.back(stage.provider.agree(first))).toBe("/login?sso=error");
    await put(`/api/oidc-providers/${stage.oidc}`, { enabled: true });
    expect(await browser.back(stage.provider.agree(second))).toBe("/login?sso=error");
  });

  // rule access.sso.12
  test("what cannot begin is 400 and names the field", async () => {
    const browser = new Browser(stage.panel);
    const unknown = await browser.start(999_999);
    expect([unknown.status, unknown.body["field"]]).toEqual([400, "provider"]);
    const elsewhere = [
      "",
      "/api/login/oidc/callback",
      "https://evil.example/api/login/oidc/callback",
      "http://localhost:81/api/login/oidc/callback",
      "http://localhost/api/login/oidc/callback?a=1",
      "http://localhost/api/login/oidc/callback#a",
      "http://user@localhost/api/login/oidc/callback",
      "http://localhost/other/../api/login/oidc/callback",
      "http://localhost/api/login/oidc/callback/",
      // Another provider's, and this one's spelled otherwise.
      `http://localhost/api/login/oidc/callback/${stage.oidc}`,
      `http://localhost/api/login/oidc/callback/0${stage.plain}`,
      `http://localhost/api/login/oidc/callback/${stage.plain}/`,
      "http://localhost/api/v2/login/oidc/callback",
      "javascript://localhost/api/login/oidc/callback",
    ];
    for (const redirectUri of elsewhere) {
      const answer = await browser.start(stage.plain, { redirectUri });
      expect([answer.status, answer.body["field"]], redirectUri).toEqual([400, "redirectUri"]);
    }
    const asked = async (redirectUri: string) =>
      new URL(urlOf(await browser.start(stage.plain, { redirectUri }))).searchParams.get("redirect_uri");
    for (const named of [
      CALLBACK,
      CALLBACK.replace("http:", "https:"),
      "https://localhost/api/v1/login/oidc/callback",
    ]) {
      const own = `${named}/${stage.plain}`;
      expect([await asked(named), await asked(own)], "whichever is named, the provider is told its own").toEqual([
        own,
        own,
      ]);
    }
  });

  // rule access.sso.12
  test("web_domain is an own name too", async () => {
    const browser = new Browser(stage.panel);
    const redirectUri = "https://panel.example/api/login/oidc/callback";
    expect((await browser.start(stage.plain, { redirectUri })).status).toBe(400);
    await put("/api/settings/web_domain", { value: "panel.example" });
    expect((await browser.start(stage.plain, { redirectUri })).status).toBe(200);
    expect(
      (await browser.start(stage.plain, { redirectUri: redirectUri.replace(".example", ".example:8443") })).status,
    ).toBe(400);
  });

  test("under a base path the callback, the cookie and the landings have it", async () => {
    const panel = await openAccessPanel(dialect, { basePath: "/office" });
    for (const path of ["callback", "callback/7"]) {
      const answer = await panel.send("GET", `/office/api/login/oidc/${path}?t=the-setup-token-of-the-tests&state=x`);
      expect([answer.status, answer.headers["location"]]).toEqual([302, "/office/login?sso=error"]);
    }
    const { issuer } = stage.provider;
    const base = "/office/api";
    const at = (path: string, body: object, as?: string) =>
      panel.send("POST", `${base}${path}`, { body, ...(as !== undefined && { as }) });
    const settings = { web_tls_mode: "none", webhook_allow_private: "true" };
    const root = { username: "root", password: "correct horse" };
    expect((await at("/setup?t=the-setup-token-of-the-tests", { ...root, settings })).status).toBe(200);
    const { cookie = "" } = await at("/login", root);
    const endpoints = { authorizationUrl: `${issuer}/a`, tokenUrl: `${issuer}/token`, userUrl: `${issuer}/user` };
    const provider = { name: "Plain", kind: "oauth2", clientId: "panel", ...endpoints };
    const { id } = (await at("/oidc-providers", provider, cookie)).body;
    const shared = `http://localhost${base}/login/oidc/callback`;
    const started = await at("/login/oidc/start", { provider: id, redirectUri: shared });
    expect(new URL(urlOf(started)).searchParams.get("redirect_uri")).toBe(`${shared}/${String(id)}`);
    const [, browser = ""] = /^panel_oidc=([^;]*)/.exec(String(started.headers["set-cookie"])) ?? [];
    const said = stage.provider.agree(urlOf(started));
    const path = `${base}/login/oidc/callback/${String(id)}?${said.toString()}`;
    const landed = await panel.send("GET", path, { headers: { cookie: `panel_oidc=${browser}` } });
    expect(landed.headers["location"]).toBe("/office/login?sso=unlinked");
    expect((await at("/login/oidc/start", { provider: id, redirectUri: CALLBACK })).status).toBe(400);
    await panel.dispose();
  });
});
