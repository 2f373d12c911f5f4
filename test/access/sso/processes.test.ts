// Two panels on one PostgreSQL: a sign-in or link begun at one comes back to the other, and is good once on both
// together.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { WholePanel, type Answer } from "../../whole-panel.ts";
import { OwnProvider } from "./own-provider.ts";

describe.runIf(dialects.includes("postgresql"))("single sign-on over two panels", () => {
  let one: WholePanel;
  let two: WholePanel;
  let provider: OwnProvider;
  let id: number;

  beforeAll(async () => {
    one = await WholePanel.open("postgresql");
    two = await one.neighbour();
    provider = await OwnProvider.open();
    await one.call("PUT", "/api/settings/webhook_allow_private", { value: "true" });
    const body = { name: "Own", kind: "oidc", issuer: provider.issuer, clientId: "panel", clientSecret: "hush" };
    id = (await one.call("POST", "/api/oidc-providers", body)).body.id;
  });
  afterAll(async () => {
    await two.dispose();
    await one.dispose();
    await provider.close();
  });

  const cookieOf = ({ headers }: Answer) => headers.get("set-cookie")?.split(";")[0] ?? "";
  const redirectUri = (panel: WholePanel) => `${panel.url}/api/login/oidc/callback`;
  /** Comes back to a panel; `fetch` is told not to follow. */
  const back = (panel: WholePanel, said: URLSearchParams, cookie: string, at = id) =>
    fetch(`${panel.url}/api/login/oidc/callback/${at}?${said.toString()}`, { redirect: "manual", headers: { cookie } });

  test("a link begun at one is completed by the other", async () => {
    const body = { provider: id, redirectUri: redirectUri(one), password: "correct horse" };
    const started = await one.call("POST", "/api/me/oidc/link", body, { cookie: one.cookie });
    const answer = await back(two, provider.agree(started.body.url), cookieOf(started));
    expect(answer.headers.get("location")).toBe("/dashboard?sso=linked");
    expect((await one.call("GET", "/api/me/oidc", undefined, { cookie: one.cookie })).body).toMatchObject([
      { subject: "subject-1" },
    ]);
  });

  test("a sign-in begun at one is completed by the other, and its session is good on both", async () => {
    const started = await one.call("POST", "/api/login/oidc/start", { provider: id, redirectUri: redirectUri(one) });
    const answer = await back(two, provider.agree(started.body.url), cookieOf(started));
    expect(answer.headers.get("location")).toBe("/");
    const session = answer.headers.getSetCookie().find((text) => text.startsWith("panel_session="));
    const cookie = session?.split(";")[0] ?? "";
    for (const panel of [one, two])
      expect((await panel.call("GET", "/api/me", undefined, { cookie })).body).toMatchObject({ username: "root" });
  });

  test("brought to both at once, it signs in once", async () => {
    const started = await two.call("POST", "/api/login/oidc/start", { provider: id, redirectUri: redirectUri(two) });
    const said = provider.agree(started.body.url);
    const answers = await Promise.all([one, two, one, two].map((panel) => back(panel, said, cookieOf(started))));
    const landings = answers.map(({ headers }) => headers.get("location") ?? "");
    expect(landings.toSorted()).toEqual(["/", "/login?sso=error", "/login?sso=error", "/login?sso=error"]);
  });

  // rule access.sso.15
  test("one code, brought to both at once for two providers, goes to one of them alone", async () => {
    const other = await OwnProvider.open();
    const endpoints = (at: string) => ({
      authorizationUrl: `${at}/authorize`,
      tokenUrl: `${at}/token`,
      userUrl: `${at}/user`,
    });
    const ids: number[] = [];
    for (const { issuer } of [provider, other]) {
      const body = { name: "Plain", kind: "oauth2", clientId: "panel", ...endpoints(issuer) };
      ids.push((await one.call("POST", "/api/oidc-providers", body)).body.id);
    }
    provider.calls.length = 0;
    for (let round = 0; round < 4; round++) {
      const started = await Promise.all(
        ids.map((each) => one.call("POST", "/api/login/oidc/start", { provider: each, redirectUri: redirectUri(one) })),
      );
      const said = started.map(({ body: { url } }) => {
        const state = new URL(url).searchParams.get("state") ?? "";
        return new URLSearchParams({ code: `stolen-${round}`, state });
      });
      await Promise.all(
        started.map((answer, index) =>
          back(index ? two : one, said[index] ?? new URLSearchParams(), cookieOf(answer), ids[index]),
        ),
      );
    }
    expect([...provider.calls, ...other.calls]).toEqual(Array(4).fill("POST /token"));
    await other.close();
  });

  test("the places of one address are counted over both", async () => {
    const starts = Array.from({ length: 14 }, (_, index) => {
      const panel = index % 2 ? one : two;
      return panel.call("POST", "/api/login/oidc/start", { provider: id, redirectUri: redirectUri(panel) });
    });
    const statuses = (await Promise.all(starts)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
  });
});
