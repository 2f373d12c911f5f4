// Mix-up (RFC 9700 4.4): somebody who may add a provider sends people who press its button on to an honest one, with
// parameters of an attempt of their own. The honest provider's code then comes back to the wrong attempt, and the
// attacker brings it here again. However the providers are set up, nobody is signed in and nothing is linked by it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { PASSWORD, signIn, type Answer } from "../panel.ts";
import { Browser, urlOf } from "./browser.ts";
import { OwnProvider } from "./own-provider.ts";
import { openStage, type Stage } from "./stage.ts";

type Kind = "oidc" | "oauth2";
type Begun = "sign-in" | "link";

const DIRECTIONS = (["oidc", "oauth2"] as const).flatMap((hostile) =>
  (["oidc", "oauth2"] as const).map((honest): [Kind, Kind] => [hostile, honest]),
);
const YES_NO = [true, false];

interface Situation {
  /** Have the callback that all had once. */
  readonly hostileShares: boolean;
  readonly honestShares: boolean;
  /** The honest one's answers say whose they are (RFC 9207). */
  readonly namesItself: boolean;
  /** What the victim began at the hostile provider, and the attacker at the honest one. */
  readonly victims: Begun;
  readonly attackers: Begun;
  /** The provider to whose callback the attacker has the answer sent. */
  readonly to: "hostile" | "honest";
}

const SITUATIONS = YES_NO.flatMap((hostileShares) =>
  YES_NO.flatMap((honestShares): Situation[] => {
    const shares = { hostileShares, honestShares };
    const signIns = { victims: "sign-in", attackers: "sign-in" } as const;
    const callbacks = hostileShares && honestShares ? (["hostile"] as const) : (["hostile", "honest"] as const);
    const plain = callbacks.flatMap((to) => YES_NO.map((namesItself) => ({ ...shares, ...signIns, namesItself, to })));
    // Each link is begun with a password, which costs time.
    if (hostileShares !== honestShares) return plain;
    const links: readonly [Begun, Begun][] = [
      ["sign-in", "link"],
      ["link", "sign-in"],
      ["link", "link"],
    ];
    const withLinks = links.map(
      ([victims, attackers]) => ({ ...shares, victims, attackers, namesItself: false, to: "hostile" }) as const,
    );
    return [...plain, ...withLinks];
  }),
);

describe.each(dialects)("providers that are mixed up on %s", (dialect) => {
  let stage: Stage;
  /** Run by the attacker. */
  let evil: OwnProvider;
  /** Codes that the attacker's provider was sent. */
  const captured: string[] = [];
  let mallory = "";
  const hostile: Partial<Record<string, number>> = {};

  beforeAll(async () => {
    stage = await openStage(dialect);
    evil = await OwnProvider.open(() => stage.panel.clock.now);
    const asRoot = (path: string, body: object) => stage.panel.send("POST", `/api${path}`, { as: stage.root, body });
    await asRoot("/roles", { name: "limited", base: "sudo", scopes: ["admins:write"] });
    for (const username of ["mallory", "victor"])
      await asRoot("/admins", { username, password: PASSWORD, role: "limited" });
    mallory = await signIn(stage.panel, "mallory");
    const { issuer } = evil;
    const endpoints = {
      authorizationUrl: `${issuer}/authorize`,
      tokenUrl: `${issuer}/token`,
      userUrl: `${issuer}/user`,
    };
    hostile["oidc"] = await add({ kind: "oidc", issuer });
    hostile["oauth2"] = await add({ kind: "oauth2", ...endpoints });
    hostile["oauth2 that claims the honest issuer"] = await add({
      kind: "oauth2",
      issuer: stage.provider.issuer,
      ...endpoints,
    });
    evil.instead.set("/token", (_request, response, form) => {
      captured.push(form.get("code") ?? "");
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"access_token":"any","token_type":"Bearer"}');
    });
    evil.instead.set("/user", (_request, response) =>
      response.writeHead(200).end(JSON.stringify({ id: randomUUID() })),
    );
    // As careless as an honest provider gets: all is left to the panel.
    stage.provider.loose = true;
    for (const id of [stage.oidc, stage.plain]) {
      await linked("root", id, "owner");
      await linked("victor", id, "victor");
    }
  });
  afterAll(async () => {
    await stage.dispose();
    await evil.close();
  });

  async function add(body: object): Promise<number> {
    const answer = await stage.panel.send("POST", "/api/oidc-providers", {
      as: mallory,
      body: { name: "Company", clientId: "panel", ...body },
    });
    expect(answer.status, answer.text).toBe(200);
    return Number(answer.body["id"]);
  }
  async function linked(username: string, id: number, subject: string): Promise<void> {
    const browser = await stage.signedIn(username);
    stage.provider.subject = subject;
    expect(await browser.back(stage.provider.agree(urlOf(await browser.link(id, PASSWORD))))).toBe(
      "/dashboard?sso=linked",
    );
  }
  const idOf = (kind: Kind) => (kind === "oidc" ? stage.oidc : stage.plain);
  const rows = async (text: string) => (await stage.panel.database.reads.query(sql.raw(text))).length;
  const books = async () => [
    await rows("select id from sessions where via = 'oidc'"),
    await rows("select id from oidc_links where subject in ('owner', 'victor')"),
  ];
  const parametersOf = (answer: Answer) => new URL(urlOf(answer)).searchParams;

  /** Where the attacker's page sends the victim: to the honest provider, with parameters of the attacker's attempt. */
  function sentOn(own: Answer, victims: Answer, redirectUri: string): string {
    const url = new URL(urlOf(own));
    url.searchParams.set("state", parametersOf(victims).get("state") ?? "");
    url.searchParams.set("redirect_uri", redirectUri);
    return url.href;
  }

  test("by themselves all of them work, with the shared callback too", async () => {
    for (const shared of YES_NO)
      for (const id of [stage.oidc, stage.plain]) {
        await stage.share(id, shared);
        stage.provider.subject = "owner";
        expect(await stage.landing(id)).toBe("/");
      }
    const browser = new Browser(stage.panel);
    const said = evil.agree(urlOf(await browser.start(hostile["oauth2"] ?? 0)));
    expect(await browser.back(said)).toBe("/login?sso=unlinked");
    expect(captured).toEqual([said.get("code")]);
  });

  // rules access.sso.14, access.sso.15
  test.each(DIRECTIONS)("a hostile provider of kind %s before an honest one of kind %s", async (kind, honestKind) => {
    const { panel, provider } = stage;
    const honest = idOf(honestKind);
    const sessions: Record<string, string> = { mallory, victor: await signIn(panel, "victor") };
    const begin = async (username: string, how: Begun, id: number) => {
      const browser = new Browser(panel);
      if (how === "link") browser.setCookie("panel_session", sessions[username] ?? "");
      const answer = await (how === "link" ? browser.link(id, PASSWORD) : browser.start(id));
      return { browser, answer };
    };
    for (const name of Object.keys(hostile).filter((each) => each.startsWith(kind)))
      for (const situation of SITUATIONS) {
        const { hostileShares, honestShares, namesItself, victims, attackers, to } = situation;
        const words = JSON.stringify({ name, ...situation });
        const id = hostile[name] ?? 0;
        await stage.share(id, hostileShares);
        await stage.share(honest, honestShares);
        panel.clock.now += 61_000;
        captured.length = provider.calls.length = 0;
        provider.subject = victims === "link" ? "victor" : "owner";
        const before = await books();

        const own = await begin("mallory", attackers, honest);
        const victim = await begin("victor", victims, id);
        const told = parametersOf(victim.answer).get("redirect_uri");
        const callback = (to === "hostile" ? told : parametersOf(own.answer).get("redirect_uri")) ?? "";
        const more = namesItself ? { iss: provider.issuer } : undefined;
        const said = provider.agree(sentOn(own.answer, victim.answer, callback), more);
        const landing = await victim.browser.back(said, callback);
        // What the hostile provider was sent, or by whatever way else the attacker came to know the code.
        said.set("state", parametersOf(own.answer).get("state") ?? "");
        const landed = await own.browser.back(said);

        const failed = attackers === "link" ? "/dashboard?sso=link-error" : "/login?sso=error";
        expect([landed, await books()], words).toEqual([failed, before]);
        expect(landing, words).not.toBe("/");
        const proofs = provider.calls.filter((call) => /token|user$/.test(call));
        expect(proofs, words).toEqual([]);
        if (told !== callback || (kind === "oidc" && namesItself)) expect(captured, words).toEqual([]);
      }
  });

  // rule access.sso.15
  test.each(["before", "after"])("a code is one code however it is spelled, %s the honest answer", async (order) => {
    const { panel, provider } = stage;
    const honest = stage.plain;
    const id = hostile["oauth2"] ?? 0;
    for (const each of [id, honest]) await stage.share(each);
    provider.subject = "owner";
    const code = `${"Ab9-_".repeat(8)}.${"cD8_-".repeat(8)}Q`;
    const spelled = [
      code,
      `${code}==`,
      ` ${code}`,
      code.toLowerCase(),
      code.replaceAll("-", "+").replaceAll("_", "/"),
      `${code.slice(0, -1)}R`,
    ];
    for (const other of spelled) {
      panel.clock.now += 61_000;
      await panel.database.commits.execute({
        name: "no codes",
        statements: [panel.database.reads.statement("oidc_codes", sql`delete from oidc_codes`)],
      });
      const [mine, theirs] = [new Browser(panel), new Browser(panel)];
      const state = async (browser: Browser, at: number) => parametersOf(await browser.start(at)).get("state") ?? "";
      const states = { honest: await state(mine, honest), hostile: await state(theirs, id) };
      captured.length = provider.calls.length = 0;
      const bring = {
        hostile: () => theirs.back(new URLSearchParams({ code, state: states.hostile })),
        honest: () => mine.back(new URLSearchParams({ code: other, state: states.honest })),
      };
      const turns = order === "before" ? (["hostile", "honest"] as const) : (["honest", "hostile"] as const);
      for (const turn of turns) await bring[turn]();
      const sentTo = [captured.length, provider.calls.filter((call) => call.endsWith("/token")).length];
      expect(sentTo, other).toEqual(order === "before" ? [1, 0] : [0, 1]);
    }
  });

  // rule access.sso.14
  test("an answer that came elsewhere ends its attempt", async () => {
    await stage.share(stage.oidc, false);
    stage.provider.subject = "owner";
    const elsewhere = ["", `/${stage.plain}`, "/0", "/9007199254740991"];
    for (const path of elsewhere) {
      stage.panel.clock.now += 61_000;
      const browser = new Browser(stage.panel);
      const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
      const wrong = `http://localhost/api/login/oidc/callback${path}`;
      expect(await browser.back(said, wrong), path).toBe("/login?sso=error");
      expect(await browser.back(said), path).toBe("/login?sso=error");
    }
    const browser = new Browser(stage.panel);
    const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    const v1 = `http://localhost/api/v1/login/oidc/callback/${stage.oidc}`;
    expect(await browser.back(said, v1), "the other prefix").toBe("/login?sso=error");
    await stage.share(stage.oidc);
    const shared = new Browser(stage.panel);
    const saidThen = stage.provider.agree(urlOf(await shared.start(stage.oidc)));
    const own = `http://localhost/api/login/oidc/callback/${stage.oidc}`;
    expect(await shared.back(saidThen, own), "its own, while it has the shared one").toBe("/login?sso=error");
  });

  // rule access.sso.4
  test("a hostile document that names the honest issuer, or its endpoints, and its id_tokens", async () => {
    const { panel, provider } = stage;
    const id = hostile["oidc"] ?? 0;
    await stage.share(id);
    panel.clock.now += 61_000;
    const claims = new Browser(panel);
    evil.document = (document) => ({ ...document, issuer: provider.issuer });
    expect((await claims.start(id)).status).toBe(502);
    // The panel itself sends people to the honest provider; the code and its verifier go to the hostile one, which
    // redeems them there and shows what it got.
    evil.document = (document) => ({
      ...document,
      authorization_endpoint: `${provider.issuer}/authorize`,
      jwks_uri: `${provider.issuer}/jwks`,
    });
    const forward = evil.instead.get("/token");
    evil.instead.set("/token", (_request, response, form) => {
      captured.push(form.get("code") ?? "");
      form.set("client_id", "panel");
      void fetch(`${provider.issuer}/token`, { method: "POST", body: form })
        .then((answer) => answer.text())
        .then((text) => response.writeHead(200, { "content-type": "application/json" }).end(text));
    });
    const attacker = new Browser(panel);
    const state = parametersOf(await attacker.start(stage.oidc)).get("state") ?? "";
    const victim = new Browser(panel);
    captured.length = provider.calls.length = 0;
    const said = provider.agree(urlOf(await victim.start(id)));
    const before = await books();
    expect(await victim.back(said)).toBe("/login?sso=error");
    expect(captured, "this one it got, and redeemed").toEqual([said.get("code")]);
    expect(provider.calls).toContain("POST /token");
    said.set("state", state);
    expect(await attacker.back(said)).toBe("/login?sso=error");
    expect(await books()).toEqual(before);
    evil.behave();
    if (forward) evil.instead.set("/token", forward);
  });

  // rule access.sso.4
  test("an issuer that is named twice, or is empty, is none", async () => {
    stage.panel.clock.now += 61_000;
    for (const id of [stage.oidc, stage.plain])
      for (const issuers of [[""], [stage.provider.issuer, "https://other.example"]]) {
        const browser = new Browser(stage.panel);
        const said = stage.provider.agree(urlOf(await browser.start(id)));
        for (const issuer of issuers) said.append("iss", issuer);
        expect(await browser.back(said)).toBe("/login?sso=error");
      }
  });
});
