// Links of identities to accounts: who may make them, who may not, and what removes them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../src/db/index.ts";
import { dialects } from "../../database.ts";
import { PASSWORD } from "../panel.ts";
import { Browser, CALLBACK, urlOf } from "./browser.ts";
import { openStage, type Stage } from "./stage.ts";

describe.each(dialects)("links on %s", (dialect) => {
  let stage: Stage;
  let other: number;
  beforeAll(async () => {
    stage = await openStage(dialect);
    other = await admin("other");
  });
  afterAll(() => stage.dispose());
  beforeEach(async () => {
    stage.panel.clock.now += 30 * 60_000;
    await stage.panel.database.commits.execute({
      name: "no links",
      statements: [stage.panel.database.reads.statement("oidc_links", sql`delete from oidc_links`)],
    });
  });

  const asRoot = (method: "POST" | "PUT" | "DELETE", path: string, body?: object) =>
    stage.panel.send(method, `/api${path}`, { as: stage.root, ...(body && { body }) });
  const admin = async (username: string) =>
    Number((await asRoot("POST", "/admins", { username, password: PASSWORD, role: "sudo" })).body["id"]);
  const list = async (browser: Browser) =>
    (await browser.send("GET", "/api/me/oidc")).body as unknown as Record<string, unknown>[];
  const links = async (subject: string) =>
    (await stage.panel.database.reads.query(sql`select id from oidc_links where subject = ${subject}`)).length;
  /** Links a subject to the account of a browser; resolves to the landing. */
  async function link(browser: Browser, subject: string, provider = stage.oidc): Promise<string> {
    stage.provider.subject = subject;
    return browser.back(stage.provider.agree(urlOf(await browser.link(provider, PASSWORD))));
  }

  // rule access.sso.8
  test("made, listed, recorded, unlinked; then the identity signs nobody in", async () => {
    const browser = await stage.signedIn();
    expect(await link(browser, "alice")).toBe("/dashboard?sso=linked");
    const [made] = await list(browser);
    const createdAt = Math.floor(stage.panel.clock.now / 1000);
    const shown = {
      id: made?.["id"],
      provider: stage.oidc,
      providerName: "Own",
      subject: "alice",
      email: "",
      createdAt,
      lastUsedAt: 0,
    };
    expect(await list(browser)).toEqual([shown]);
    expect(await stage.landing(stage.oidc)).toBe("/");
    expect((await browser.send("DELETE", `/api/me/oidc/links/${String(made?.["id"])}`)).body).toEqual({ ok: true });
    expect(await list(browser)).toEqual([]);
    expect(await stage.landing(stage.oidc)).toBe("/login?sso=unlinked");
    const changes = (await stage.panel.send("GET", "/api/changes?key=oidc-links&limit=3", { as: stage.root }))
      .body as unknown as Record<string, unknown>[];
    expect(changes.map(({ action }) => action)).toEqual(["delete", "create", "start"]);
    expect(changes[1]).toMatchObject({
      actor: "root",
      via: "session",
      ip: browser.ip,
      obj: { provider: stage.oidc, subject: "alice" },
    });
  });

  // rule access.sso.8
  test("a wrong password is 403, and counted and told as a failed login", async () => {
    const browser = await stage.signedIn();
    const answers = [];
    for (let attempt = 0; attempt < 6; attempt++) answers.push(await browser.link(stage.oidc, "not this one"));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429]);
    expect(answers[0]?.body).toMatchObject({ code: "wrong_password", field: "password" });
    const failed = (await stage.panel.events()).filter(({ event }) => event === "admin.login_failed");
    expect(failed.at(-1)?.data).toEqual({ username: "root", ip: browser.ip, stage: "password" });
    expect((await stage.panel.events()).some(({ event }) => event === "panel.ip_banned")).toBe(true);
  });

  test("an unknown provider is 400, one that is off 409, a token has no links", async () => {
    const browser = await stage.signedIn();
    expect((await browser.link(999_999, PASSWORD)).body).toMatchObject({ field: "provider" });
    await asRoot("PUT", `/oidc-providers/${stage.plain}`, { enabled: false });
    expect((await browser.link(stage.plain, PASSWORD)).status).toBe(409);
    await asRoot("PUT", `/oidc-providers/${stage.plain}`, { enabled: true });
    const token = String((await asRoot("POST", "/tokens", {})).body["token"]);
    expect((await stage.panel.send("GET", "/api/me/oidc", { as: token })).status).toBe(400);
    const body = { provider: stage.oidc, redirectUri: CALLBACK, password: PASSWORD };
    expect((await stage.panel.send("POST", "/api/me/oidc/link", { as: token, body })).status).toBe(400);
  });

  // rule access.sso.9
  test("an identity of another account is taken; the own one again is linked already", async () => {
    const browser = await stage.signedIn();
    expect(await link(browser, "alice")).toBe("/dashboard?sso=linked");
    expect(await link(browser, "alice")).toBe("/dashboard?sso=linked");
    expect(await link(await stage.signedIn("other"), "alice")).toBe("/dashboard?sso=link-taken");
    expect(await links("alice")).toBe(1);
  });

  test("two accounts that link one identity at once: one has it, the other is told that it is taken", async () => {
    const browsers = [await stage.signedIn(), await stage.signedIn("other")];
    stage.provider.subject = "shared";
    const urls: string[] = [];
    for (const browser of browsers) urls.push(urlOf(await browser.link(stage.oidc, PASSWORD)));
    const landings = await Promise.all(
      browsers.map((browser, index) => browser.back(stage.provider.agree(urls[index] ?? ""))),
    );
    expect(landings.toSorted()).toEqual(["/dashboard?sso=link-taken", "/dashboard?sso=linked"]);
    expect(await links("shared")).toBe(1);
  });

  // rule access.sso.9
  test("the link completes only while its login exists and the password is unchanged", async () => {
    const ended = await stage.signedIn();
    const said = stage.provider.agree(urlOf(await ended.link(stage.oidc, PASSWORD)));
    const session = ended.cookie("panel_session");
    await stage.panel.send("POST", "/api/logout", { headers: { cookie: `panel_session=${session}` } });
    expect(await ended.back(said)).toBe("/dashboard?sso=link-error");

    const changed = await stage.signedIn("other");
    stage.provider.subject = "changed";
    const saidThen = stage.provider.agree(urlOf(await changed.link(stage.oidc, PASSWORD)));
    const change = (currentPassword: string, newPassword: string) =>
      stage.panel.send("PUT", "/api/me/password", {
        as: changed.cookie("panel_session") ?? "",
        body: { currentPassword, newPassword },
      });
    expect((await change(PASSWORD, "another password")).status).toBe(200);
    expect(await changed.back(saidThen)).toBe("/dashboard?sso=link-error");
    expect(await links("changed")).toBe(0);
    expect((await change("another password", PASSWORD)).status).toBe(200);
  });

  test("somebody who says no at the provider has linked nothing", async () => {
    const browser = await stage.signedIn();
    const state = new URL(urlOf(await browser.link(stage.oidc, PASSWORD))).searchParams.get("state") ?? "";
    expect(await browser.back(new URLSearchParams({ error: "access_denied", state }))).toBe(
      "/dashboard?sso=link-error",
    );
  });

  test("another account's link is 404", async () => {
    const browser = await stage.signedIn();
    await link(browser, "alice");
    const [made] = await list(browser);
    expect(
      (await (await stage.signedIn("other")).send("DELETE", `/api/me/oidc/links/${String(made?.["id"])}`)).status,
    ).toBe(404);
    expect(await links("alice")).toBe(1);
  });

  // rule access.sso.10
  test("a password that another resets removes the links; the own change keeps them", async () => {
    expect(await link(await stage.signedIn("other"), "other's")).toBe("/dashboard?sso=linked");
    const mine = await stage.signedIn("other");
    const body = { currentPassword: PASSWORD, newPassword: "another password" };
    expect(
      (await stage.panel.send("PUT", "/api/me/password", { as: mine.cookie("panel_session") ?? "", body })).status,
    ).toBe(200);
    expect(await links("other's")).toBe(1);
    expect((await asRoot("PUT", `/admins/${other}/password`, { password: PASSWORD })).status).toBe(200);
    expect(await links("other's")).toBe(0);
    expect(await stage.landing(stage.oidc)).toBe("/login?sso=unlinked");
  });

  // rule access.sso.10
  test("links go with their account and with their provider", async () => {
    const id = await admin("leaving");
    await link(await stage.signedIn("leaving"), "leaving");
    expect((await asRoot("DELETE", `/admins/${id}`)).status).toBe(200);
    expect(await links("leaving")).toBe(0);
    const { issuer } = stage.provider;
    const provider = Number(
      (await asRoot("POST", "/oidc-providers", { name: "Short", kind: "oidc", issuer, clientId: "panel" })).body["id"],
    );
    expect(await link(await stage.signedIn(), "short", provider)).toBe("/dashboard?sso=linked");
    expect((await asRoot("DELETE", `/oidc-providers/${provider}`)).status).toBe(200);
    expect(await links("short")).toBe(0);
  });

  // rule access.sso.10
  test("another issuer's subjects are other people: the links are removed; another name or order keeps them", async () => {
    await link(await stage.signedIn(), "alice");
    await asRoot("PUT", `/oidc-providers/${stage.oidc}`, {
      name: "Renamed",
      sortOrder: 7,
      issuer: `${stage.provider.issuer}/`,
    });
    expect(await links("alice")).toBe(1);
    await asRoot("PUT", `/oidc-providers/${stage.oidc}`, { issuer: "https://id.example" });
    expect(await links("alice")).toBe(0);
    await asRoot("PUT", `/oidc-providers/${stage.oidc}`, { issuer: stage.provider.issuer, name: "Own", sortOrder: 0 });
  });
});
