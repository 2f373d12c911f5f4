// Checks who can do what on the pages of operators, roles, sign-in providers and tokens: as the owner, and as a reader
// whose role lacks some of the rights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { access, parts } = words;
const { admins, roles, scopes, tokens, providers } = access;
const PASSWORD = "correct horse battery";

describe.skipIf(!hasBrowser)("operators", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const page = () => visit.page;
  const dialog = () => page().getByRole("dialog");
  const grant = (area: string, verb: string) => page().getByRole("checkbox", { name: scopes.grant(area, verb) });
  const place = () => page().url().slice(visit.url.length);
  const choose = async (name: string, verb: string) => {
    await page()
      .getByRole("button", { name: parts.actionsOf(name), exact: true })
      .click();
    await page().getByRole("menuitem", { name: verb }).click();
  };
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  // rule admins.page.1
  test("a reseller is made with an allowance; its password is shown once and stays until it is kept", async () => {
    await visit.go("/admins");
    await page().keyboard.press("n");
    await page().getByLabel(admins.fields.username).fill("mina");
    await page().getByRole("combobox", { name: admins.fields.role }).click();
    await page().getByRole("option", { name: access.tiers.resale, exact: true }).click();
    await page().getByLabel(admins.fields.userLimit).fill("20");
    await page().getByRole("button", { name: admins.submit }).click();
    await dialog().getByText(admins.passwordOf("mina")).waitFor();
    const password = await dialog().locator("code").innerText();
    await page().keyboard.press("Escape");
    await dialog().getByText(parts.once.first).waitFor();
    // Neither Back takes it away.
    await page().goBack();
    expect(await dialog().locator("code").innerText()).toBe(password);
    await dialog().getByRole("button", { name: parts.once.kept }).click();
    await expect.poll(() => dialog().count()).toBe(0);
    const login = await new Api(stage.panel.url).request("POST", "/api/v1/login", { username: "mina", password });
    expect(login.status).toBe(200);
    expect(await page().evaluate<string>("JSON.stringify([localStorage, sessionStorage])")).not.toContain(password);
    expect(visit.problems).toEqual([]);
  });

  // rule admins.page.2
  test("an operator's page: its users of how many, another name, a typed password, signed out, deleted", async () => {
    await visit.go("/admins");
    await page().getByRole("link", { name: "mina" }).click();
    await page().getByText(parts.usedOf("0", "20")).waitFor();
    await page().keyboard.press("e");
    await page().getByLabel(admins.fields.username).fill("mina2");
    await page().keyboard.press("Control+s");
    await page().getByText(admins.saved("mina2")).waitFor();
    await page().getByRole("heading", { name: "mina2" }).waitFor();
    await page().getByRole("button", { name: admins.password }).click();
    await dialog().getByRole("textbox", { name: admins.fields.password }).fill("short");
    await dialog().getByRole("button", { name: admins.password }).click();
    await dialog().getByText(/8/).first().waitFor();
    await dialog().getByRole("textbox", { name: admins.fields.password }).fill(PASSWORD);
    await dialog().getByRole("button", { name: admins.password }).click();
    await page().getByText(admins.passwordDone("mina2")).waitFor();
    await page().getByRole("button", { name: admins.signOut }).click();
    await dialog().getByRole("button", { name: admins.signOut }).click();
    await page().getByText(admins.signedOut("mina2")).waitFor();
    await choose("mina2", access.remove);
    await dialog().getByText(admins.removeText(0, "0")).waitFor();
    await dialog().getByRole("button", { name: access.remove }).click();
    await page().getByText(admins.removed("mina2")).waitFor();
    await expect.poll(place).toBe("/admins");
    // The own account and the owner stay.
    await page()
      .getByRole("button", { name: parts.actionsOf("root"), exact: true })
      .click();
    expect(await page().getByRole("menuitem", { name: access.remove }).isDisabled()).toBe(true);
    await page().getByText(access.needsOwn).waitFor();
    await page().keyboard.press("Escape");
    expect(visit.problems).toEqual([]);
  });

  // rule admins.page.3
  test("a role is a copy of another, its permissions a table in which writing holds reading", async () => {
    await visit.go("/roles");
    await page().getByRole("main").getByRole("link", { name: access.tiers.resale }).click();
    await page().getByText(roles.builtinText).waitFor();
    expect(await grant(words.scopeAreas.users, scopes.verbs.write).isDisabled()).toBe(true);
    await page().getByRole("button", { name: roles.copy }).click();
    await page().getByLabel(access.name).fill("helper");
    await page().getByRole("combobox", { name: roles.tier }).click();
    await page().getByRole("option", { name: access.tiers.sudo }).click();
    await grant(words.scopeAreas.admins, scopes.verbs.write).check();
    await grant(words.scopeAreas.tokens, scopes.verbs.write).check();
    const read = grant(words.scopeAreas.nodes, scopes.verbs.read);
    await grant(words.scopeAreas.nodes, scopes.verbs.write).check();
    expect([await read.isChecked(), await read.isDisabled()]).toEqual([true, true]);
    await grant(words.scopeAreas.nodes, scopes.verbs.write).uncheck();
    await page().getByRole("button", { name: roles.submit }).click();
    await page().getByText(roles.made("helper")).waitFor();
    const { items } = (await stage.panel.api.ok("GET", "/roles?q=helper")) as { items: { scopes: string[] }[] };
    expect(items[0]?.scopes.toSorted()).toEqual(["admins:write", "tokens:write", "users:read", "users:write"]);
    expect(visit.problems).toEqual([]);
  });

  // rules admins.page.1, admins.page.5
  test("a token may what was ticked; it is shown once, works, and is refused once it is revoked", async () => {
    await visit.go("/tokens/new");
    await page().getByLabel(tokens.desc).fill("shop");
    // Nothing ticked would be everything to the route.
    await page().getByRole("button", { name: tokens.submit }).click();
    await page().getByText(scopes.atLeastOne).waitFor();
    expect(place()).toBe("/tokens/new");
    await grant(words.scopeAreas.users, scopes.verbs.read).check();
    await page().getByRole("button", { name: tokens.submit }).click();
    const secret = await dialog().locator("code").innerText();
    await dialog().getByRole("button", { name: parts.copy }).click();
    // It closes once the browser has copied it, which may be later than the click.
    const closed = async () => {
      await page().keyboard.press("Escape");
      return (await dialog().count()) === 0;
    };
    await expect.poll(closed).toBe(true);
    const api = new Api(stage.panel.url, { authorization: `Bearer ${secret}` });
    const status = async (path: string) => (await api.request("GET", `/api/v1${path}`)).status;
    expect([await status("/users"), await status("/nodes")]).toEqual([200, 403]);
    await visit.go("/tokens");
    await page().getByText(scopes.chosen(1, "1")).waitFor();
    await choose("shop", tokens.revoke);
    await dialog().getByRole("button", { name: tokens.revoke }).click();
    await page().getByText(tokens.revoked("shop")).waitFor();
    expect(await status("/users")).toBe(401);
    expect(visit.problems).toEqual([]);
  });

  // rule admins.page.6
  test("a sign-in provider is added, looked at, switched off and on again; its secret is kept nowhere", async () => {
    await visit.go("/providers/new");
    await page().getByLabel(access.name).fill("Company");
    await page().getByLabel(providers.fields.issuer).fill("https://login.invalid");
    await page().getByLabel(providers.fields.clientId).fill("panel");
    await page().getByLabel(providers.fields.clientSecret).fill("hush-hush");
    expect(await page().evaluate<string>("JSON.stringify([localStorage, sessionStorage])")).not.toContain("hush-hush");
    await page().getByRole("button", { name: providers.submit }).click();
    await page().getByText(providers.made("Company")).waitFor();
    await page().getByRole("button", { name: providers.test }).click();
    await dialog().getByText(providers.failed).waitFor();
    await dialog().getByText(providers.checks.discovery).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page().keyboard.press("Escape");
    await visit.go("/providers");
    await page()
      .getByRole("switch", { name: `${providers.enabled}: Company` })
      .click({ force: true });
    await page().getByText(providers.switchedOff("Company")).waitFor();
    await page().getByRole("button", { name: parts.undo }).click();
    await page().getByText(providers.switchedOn("Company")).waitFor();
    expect(visit.problems).toEqual([]);
  });

  // rule admins.page.6
  test("a provider's page shows the callback to register: its own, and the shared one of before with the way out", async () => {
    const owner = await stage.panel.logIn();
    const made = { name: "Forge", kind: "oidc", issuer: "https://forge.invalid", clientId: "panel" };
    const { id } = (await owner.ok("POST", "/oidc-providers", made)) as { id: number };
    const shared = `${visit.url}/api/login/oidc/callback`;
    const shown = (address: string) => page().getByText(address, { exact: true });
    await visit.go("/providers/new");
    await page().getByText(providers.callbackAfter).waitFor();
    await visit.go(`/providers/${id}`);
    await shown(`${shared}/${id}`).waitFor();
    expect(await page().getByText(providers.fields.sharedCallback).count()).toBe(0);

    // As the panel answers of a provider that an earlier version made.
    let before = true;
    const sent: unknown[] = [];
    await page().route(`**/oidc-providers/${id}`, async (route) => {
      if (route.request().method() === "PUT") {
        sent.push(route.request().postDataJSON());
        before = false;
        return route.continue();
      }
      const response = await route.fetch();
      const body = (await response.json()) as object;
      return route.fulfill({ response, json: { ...body, sharedCallback: before } });
    });
    await visit.go("/providers");
    await visit.go(`/providers/${id}`);
    await page().getByText(providers.callbackShared).waitFor();
    expect([await shown(shared).count(), await shown(`${shared}/${id}`).count()]).toEqual([1, 1]);
    expect(await visit.barriers()).toEqual([]);
    await page().getByLabel(providers.fields.issuer).fill("https://elsewhere.invalid");
    await page().getByText(providers.callbackMoves).waitFor();
    await page().getByLabel(providers.fields.issuer).fill(made.issuer);
    await page().getByRole("switch", { name: providers.fields.sharedCallback }).click({ force: true });
    await page().getByRole("button", { name: parts.save, exact: true }).click();
    await page().getByText(providers.saved("Forge")).waitFor();
    expect(sent).toMatchObject([{ sharedCallback: false }]);
    await expect.poll(() => shown(shared).count()).toBe(0);
    await page().unroute(`**/oidc-providers/${id}`);
    expect(visit.problems).toEqual([]);
  });

  // rule admins.page.4
  test("who lacks a permission is told at its box; who lacks the pages is told which one opens them", async () => {
    const owner = await stage.panel.logIn();
    for (const [username, role] of [
      ["helen", "helper"],
      ["rita", "resale"],
    ])
      await owner.ok("POST", "/admins", { username, role, password: PASSWORD });
    const helper = await stage.visit({ signedIn: false });
    await helper.signIn("helen", PASSWORD);
    await helper.go("/roles/new");
    const box = (area: string, verb: string) =>
      helper.page.getByRole("checkbox", { name: scopes.grant(area, verb), exact: true });
    expect(await box(words.scopeAreas.nodes, scopes.verbs.read).isDisabled()).toBe(true);
    expect(await box(words.scopeAreas.nodes, scopes.verbs.read).getAttribute("title")).toBe(scopes.lacked);
    expect(await box(words.scopeAreas.users, scopes.verbs.read).isDisabled()).toBe(false);
    // Past the role, the panel's refusal is said in words.
    await helper.go("/admins/1");
    await helper.page.getByRole("button", { name: admins.signOut }).click();
    await helper.page.getByRole("dialog").getByRole("button", { name: admins.signOut }).click();
    await helper.page.getByRole("dialog").getByRole("alert").waitFor();
    expect(helper.problems).toEqual([]);
    await helper.close();
    const reseller = await stage.visit({ signedIn: false });
    await reseller.signIn("rita", PASSWORD);
    for (const [path, scope] of [
      ["/admins", "admins:write"],
      ["/roles/1", "admins:write"],
      ["/providers/new", "admins:write"],
      ["/tokens", "tokens:write"],
    ] as const) {
      reseller.refused.length = 0;
      await reseller.go(path);
      await reseller.page.getByText(words.shell.barred.text("resale", scope)).waitFor();
      expect([path, reseller.refused]).toEqual([path, []]);
    }
    await reseller.close();
  });

  // rule admins.page.7
  test("the owner hands the panel over: it is said what follows, and only the new owner can undo it", async () => {
    await stage.panel.api.ok("POST", "/admins", { username: "heir", password: PASSWORD, role: "sudo" });
    await visit.go("/admins");
    await choose("heir", admins.handOver);
    await dialog().getByText(admins.handOverText).waitFor();
    await dialog().getByRole("button", { name: admins.handOver }).click();
    await page().getByText(admins.handedOver("heir")).waitFor();
    await page().getByRole("row", { name: /heir/ }).getByText(admins.owner).waitFor();
    const { items } = (await stage.panel.api.ok("GET", "/admins")) as { items: { username: string; owner: boolean }[] };
    expect(items.filter(({ owner }) => owner).map(({ username }) => username)).toEqual(["heir"]);
    // The former owner stays a main admin, and does not have the verb any more.
    await page().reload();
    await page()
      .getByRole("button", { name: parts.actionsOf("heir"), exact: true })
      .click();
    await page().getByRole("menuitem", { name: access.remove }).waitFor();
    expect(await page().getByRole("menuitem", { name: admins.handOver }).count()).toBe(0);
    expect(visit.problems).toEqual([]);
  });
});
