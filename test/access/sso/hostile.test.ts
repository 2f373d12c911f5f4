// Providers that lie, and browsers that bring what is not theirs: each lands on an error, without a session.
import { createHmac } from "node:crypto";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { Browser, urlOf } from "./browser.ts";
import { signingKey } from "./own-provider.ts";
import { openStage, type Stage } from "./stage.ts";

const ERROR = "/login?sso=error";

describe.each(dialects)("hostile sign-ins on %s", (dialect) => {
  let stage: Stage;
  const log: string[] = [];
  beforeAll(async () => {
    const lines = pino({ level: "debug" }, { write: (line: string) => void log.push(line) });
    stage = await openStage(dialect, { identityProviders: { timeout: 1000 }, log: lines });
    await stage.linked("victim");
  });
  afterAll(() => stage.dispose());
  beforeEach(() => {
    stage.panel.clock.now += 11 * 60_000;
  });
  afterEach(() => stage.provider.behave());

  const sessions = async () =>
    (await stage.panel.database.reads.query(sql`select id from sessions where via = 'oidc'`)).length;
  /** Lands on an error, and nobody is signed in. */
  async function refused(provider = stage.oidc, more?: Readonly<Record<string, string>>): Promise<void> {
    const before = await sessions();
    expect(await stage.landing(provider, more)).toBe(ERROR);
    expect(await sessions()).toBe(before);
  }

  test("by itself the provider signs the account in", async () => {
    expect(await stage.landing(stage.oidc)).toBe("/");
  });

  const claims: Record<string, Record<string, unknown>> = {
    "another issuer": { iss: "https://evil.example" },
    "another audience": { aud: "another-client" },
    "several audiences without an authorized party": { aud: ["panel", "another-client"] },
    "an authorized party that is another": { aud: ["panel", "another-client"], azp: "another-client" },
    "an expiry that has passed": { exp: 1_000_000_000 },
    "no expiry": { exp: undefined },
    "another nonce": { nonce: "of-another-sign-in" },
    "no nonce": { nonce: undefined },
    "no subject": { sub: undefined },
    "a subject that is too long": { sub: "x".repeat(256) },
    "a subject with a control character": { sub: "victim\u0000" },
  };
  // rule access.sso.4
  test.each(Object.keys(claims))("an id_token with %s", async (name) => {
    stage.provider.claims = (given) => ({ ...given, ...claims[name] });
    await refused();
  });

  test("an id_token that another key signed under the name of a published one", async () => {
    const { kid } = stage.provider.key;
    const right = stage.provider.key;
    stage.provider.key = { ...signingKey(), kid };
    stage.provider.published = [right];
    await refused();
    stage.provider.key = right;
  });

  test("an id_token whose claims were changed after it was signed", async () => {
    stage.provider.subject = "attacker";
    stage.provider.token = (token) => {
      const [header = "", body = "", signature = ""] = token.split(".");
      const changed = { ...(JSON.parse(Buffer.from(body, "base64url").toString()) as object), sub: "victim" };
      return `${header}.${Buffer.from(JSON.stringify(changed)).toString("base64url")}.${signature}`;
    };
    await refused();
    stage.provider.subject = "victim";
  });

  test("an id_token that says it needs no signature, or one by a secret that is public", async () => {
    stage.provider.header = () => ({ alg: "none" });
    stage.provider.token = (token) => `${token.split(".").slice(0, 2).join(".")}.`;
    await refused();
    const pem = stage.provider.key.publicKey.export({ format: "pem", type: "spki" });
    stage.provider.header = () => ({ alg: "HS256", kid: stage.provider.key.kid });
    stage.provider.token = (token) => {
      const text = token.split(".").slice(0, 2).join(".");
      return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
    };
    stage.provider.document = (document) => ({
      ...document,
      id_token_signing_alg_values_supported: ["HS256", "RS256", "none"],
    });
    await refused();
  });

  test("an answer without an id_token, or with none of JSON", async () => {
    stage.provider.instead.set("/token", (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"a","token_type":"Bearer"}');
    });
    await refused();
    stage.provider.instead.set("/token", (_request, response) => response.writeHead(200).end("access_token=a"));
    await refused();
  });

  test("keys that changed hold at once; the old one is good no more", async () => {
    const old = stage.provider.key;
    const browser = new Browser(stage.panel);
    const url = urlOf(await browser.start(stage.oidc));
    stage.provider.key = signingKey();
    stage.provider.published = [stage.provider.key];
    expect(await browser.back(stage.provider.agree(url))).toBe("/");
    stage.provider.key = old;
    await refused();
    stage.provider.published = [old];
  });

  test("an answer that came before is good no more, and a code is good for its own attempt alone", async () => {
    const browser = new Browser(stage.panel);
    const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    const again = urlOf(await browser.start(stage.oidc));
    expect(await browser.back(said)).toBe("/");
    const other = new Browser(stage.panel);
    const otherUrl = urlOf(await other.start(stage.oidc));
    const code = stage.provider.agree(again).get("code") ?? "";
    const state = new URL(otherUrl).searchParams.get("state") ?? "";
    expect(await other.back(new URLSearchParams({ code, state }))).toBe(ERROR);
    expect(await browser.back(said)).toBe(ERROR);
  });

  // rule access.sso.5
  test("a state is good in the browser that was given it alone, and stays good there", async () => {
    const victim = new Browser(stage.panel);
    const said = stage.provider.agree(urlOf(await victim.start(stage.oidc)));
    const thief = new Browser(stage.panel);
    expect(await thief.back(said)).toBe(ERROR);
    await thief.start(stage.oidc);
    expect(await thief.back(said)).toBe(ERROR);
    expect(thief.cookie("panel_session")).toBeUndefined();
    expect(await victim.back(said)).toBe("/");
  });

  test("a browser that comes with nothing, with another's names, or with parameters twice", async () => {
    const browser = new Browser(stage.panel);
    expect(await browser.back(new URLSearchParams())).toBe(ERROR);
    expect(await browser.back(new URLSearchParams({ code: "c", state: "invented" }))).toBe(ERROR);
    const said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    expect(await browser.back(new URLSearchParams([...said, ["state", "second"]]))).toBe(ERROR);
    expect(await browser.back(new URLSearchParams([...said, ["code", "second"]]))).toBe(ERROR);
  });

  test("two tabs of one browser sign in side by side", async () => {
    const browser = new Browser(stage.panel);
    const first = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    const second = stage.provider.agree(urlOf(await browser.start(stage.plain)));
    expect(await browser.back(second)).toBe("/login?sso=unlinked");
    expect(await browser.back(first)).toBe("/");
  });

  test("mix-up: an answer that names another issuer, or none where the provider promised to", async () => {
    await refused(stage.oidc, { iss: "https://other.example" });
    stage.provider.document = (document) => ({ ...document, authorization_response_iss_parameter_supported: true });
    await refused();
    expect(await stage.landing(stage.oidc, { iss: stage.provider.issuer })).toBe("/");
  });

  test("mix-up: a code of one provider is not taken to another", async () => {
    const browser = new Browser(stage.panel);
    const plainUrl = urlOf(await browser.start(stage.plain));
    const oidcUrl = urlOf(await browser.start(stage.oidc));
    const code = stage.provider.agree(plainUrl).get("code") ?? "";
    const state = new URL(oidcUrl).searchParams.get("state") ?? "";
    expect(await browser.back(new URLSearchParams({ code, state }))).toBe(ERROR);
  });

  test.each(["/.well-known/openid-configuration", "/token", "/jwks"])(
    "%s that is huge, or never answers, or points elsewhere",
    async (path) => {
      const { provider, panel, oidc } = stage;
      for (const answer of ["huge", "slow", "redirect"]) {
        const browser = new Browser(panel);
        const said = provider.agree(urlOf(await browser.start(oidc)));
        provider.instead.set(path, (_request, response) => {
          if (answer === "huge")
            response.writeHead(200, { "content-type": "application/json" }).end(`{"a":"${"x".repeat(300_000)}"}`);
          if (answer === "redirect") response.writeHead(307, { location: `${provider.issuer}/trap` }).end();
        });
        expect(await browser.back(said), answer).toBe(ERROR);
        provider.instead.clear();
      }
      expect(provider.calls.filter((call) => call.endsWith("/trap"))).toEqual([]);
    },
  );

  test("a discovery document that cannot be used refuses the start with 502, and no place is taken", async () => {
    const documents: Record<string, unknown>[] = [
      { issuer: "https://evil.example" },
      { authorization_endpoint: "javascript:alert(1)" },
      { authorization_endpoint: "https://user:password@evil.example/" },
      { authorization_endpoint: undefined },
    ];
    const browser = new Browser(stage.panel);
    for (const changed of documents) {
      stage.provider.document = (document) => ({ ...document, ...changed });
      const answer = await browser.start(stage.oidc);
      expect([answer.status, answer.body["code"]], JSON.stringify(changed)).toEqual([502, "upstream"]);
    }
    expect(
      await stage.panel.database.reads.query(
        sql`select id from oidc_attempts where expires_at > ${Math.floor(stage.panel.clock.now / 1000)}`,
      ),
    ).toEqual([]);
  });

  test("private targets are closed again by the setting, also to attempts that wait", async () => {
    const browser = new Browser(stage.panel);
    const said = stage.provider.agree(urlOf(await browser.start(stage.plain)));
    const set = (value: string) =>
      stage.panel.send("PUT", "/api/settings/webhook_allow_private", { as: stage.root, body: { value } });
    await set("false");
    stage.provider.calls.length = 0;
    expect(await browser.back(said)).toBe(ERROR);
    expect((await browser.start(stage.oidc)).status).toBe(502);
    expect(stage.provider.calls).toEqual([]);
    await set("true");
  });

  const users: Record<string, unknown> = {
    "no subject": { email: "a@example.com" },
    "a subject that is no text": { id: { victim: true } },
    "a number that is not exact": JSON.parse('{"id": 9007199254740993}'),
    "a list": ["victim"],
    "an empty subject": { id: "" },
  };
  test.each(Object.keys(users))("plain OAuth 2.0: a user endpoint that tells %s", async (name) => {
    stage.provider.user = () => users[name];
    await refused(stage.plain);
  });

  test("plain OAuth 2.0: an answer from another issuer is refused where the issuer is known", async () => {
    const body = { issuer: stage.provider.issuer };
    expect((await stage.panel.send("PUT", `/api/oidc-providers/${stage.plain}`, { as: stage.root, body })).status).toBe(
      200,
    );
    await refused(stage.plain, { iss: "https://other.example" });
    expect(await stage.landing(stage.plain, { iss: stage.provider.issuer })).toBe("/login?sso=unlinked");
  });

  test("the log says why, and never carries a code, a token, a state or a secret", async () => {
    log.length = 0;
    let said = new URLSearchParams();
    let token = "";
    stage.provider.token = (given) => (token = given);
    stage.provider.claims = (given) => ({ ...given, aud: "another-client" });
    const browser = new Browser(stage.panel);
    said = stage.provider.agree(urlOf(await browser.start(stage.oidc)));
    expect(await browser.back(said)).toBe(ERROR);
    stage.provider.instead.set("/token", (_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("sesame!"),
    );
    await refused();
    const text = log.join("");
    expect(text).toContain("proved nobody");
    expect(text).toContain("aud");
    for (const secret of [said.get("code"), said.get("state"), token, "hush", "sesame"])
      expect(text).not.toContain(secret);
  });
});
