// Sessions as people meet them: one that ends elsewhere, an identity provider, a second factor that is asked for in the
// middle of a deed.
import { generateSync } from "otplib";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { callbacksBelow, CLIENT, openRealProvider, type RealProvider } from "../../access/sso/real-provider.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const STEP = 30_000;
const { session } = words;

/** The lines of a dialog that lies over the page. */
const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(!hasBrowser)("sessions", () => {
  let stage: BrowserStage;
  let provider: RealProvider;
  const open: Visit[] = [];
  beforeAll(async () => {
    stage = await openStage();
    provider = await openRealProvider(callbacksBelow(`${stage.panel.url}/api/login/oidc/callback`));
    const api = await stage.panel.logIn();
    await api.ok("PUT", "/settings/webhook_allow_private", { value: "true" });
    const { id: clientId, secret: clientSecret } = CLIENT;
    await api.ok("POST", "/oidc-providers", {
      name: "Company",
      kind: "oidc",
      issuer: provider.issuer,
      clientId,
      clientSecret,
    });
  });
  afterAll(async () => {
    await stage?.dispose();
    await provider?.close();
  });
  const visitor = async (signedIn: boolean): Promise<Visit> => {
    const visit = await stage.visit({ signedIn: false });
    if (signedIn) await visit.signIn(ROOT.username, ROOT.password);
    open.push(visit);
    return visit;
  };

  test("a session that ends elsewhere: its socket closes with 4401, sign-in lies over the page, and what was typed stays", async () => {
    const visit = await visitor(true);
    const { page } = visit;
    await visit.go("/users/new");
    await page.getByRole("textbox", { name: words.users.columns.name, exact: true }).fill("a draft");
    await expect.poll(() => page.evaluate("looks.sockets.opened")).toBeGreaterThan(0);
    await (await stage.panel.logIn()).ok("DELETE", "/me/sessions");
    await expect.poll(() => page.evaluate("looks.sockets.codes")).toEqual([4401]);
    await dialog(page).getByText(session.ended.title).waitFor();
    await dialog(page).getByLabel(session.password, { exact: true }).fill(ROOT.password);
    await dialog(page).getByRole("button", { name: session.signIn }).click();
    await dialog(page).waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: words.users.columns.name, exact: true }).inputValue()).toBe(
      "a draft",
    );
    await page.getByRole("button", { name: words.users.create }).click();
    await page.getByText(words.users.createdTitle("a draft")).waitFor();
    expect(visit.problems).toEqual([]);
  });

  test("single sign-on with a real provider: unknown at first, then linked, then it signs in", async () => {
    const visit = await visitor(false);
    const { page } = visit;
    await visit.go("/login");
    await page.getByRole("button", { name: session.with("Company") }).click();
    await page.getByText(session.sso.unlinked).waitFor();
    await visit.signIn(ROOT.username, ROOT.password);
    await visit.go("/me");
    const { links } = words.me;
    await page.getByRole("button", { name: links.link("Company") }).click();
    await dialog(page).getByLabel(links.password, { exact: true }).fill(ROOT.password);
    await dialog(page).getByRole("button", { name: links.goOn }).click();
    await page.getByText(links.landed.linked).waitFor();
    await visit.close();
    const other = await visitor(false);
    await other.go("/login");
    await other.page.getByRole("button", { name: session.with("Company") }).click();
    await other.page.getByRole("navigation").first().waitFor();
    expect([visit.problems, other.problems]).toEqual([[], []]);
  });

  test("a second factor that is asked for in the middle: the same call goes on under the same key", async () => {
    const visit = await visitor(true);
    const api = await stage.panel.logIn();
    const { secret } = (await api.ok("POST", "/me/2fa/totp")) as { secret: string };
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP) / 1000) });
    await api.ok("POST", "/me/2fa/totp/confirm", { code: code(-1) });
    const { page } = visit;
    await visit.go(`/inspect/node/${stage.records.silent}`);
    const sent: Request[] = [];
    page.on("request", (request) => void (request.url().endsWith("/events") && sent.push(request)));
    const { actor } = words.inspect;
    await page.locator("li", { hasText: "reconnect" }).getByRole("button", { name: actor.send, exact: true }).click();
    await dialog(page).getByRole("button", { name: actor.send, exact: true }).click();
    await page.getByText(session.factor.title).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByLabel(session.code.label, { exact: true }).fill("000000");
    await page.getByText(session.code.wrong).waitFor();
    await page.getByLabel(session.code.label, { exact: true }).fill(code(0));
    await page.getByText(actor.sent("reconnect", "silent")).waitFor();
    const answers = await Promise.all(sent.map(async (request) => (await request.response())?.status()));
    expect(answers).toEqual([428, 200]);
    const keys = await Promise.all(sent.map((request) => request.headerValue("idempotency-key")));
    expect(keys[0]).toMatch(/.{8,}/);
    expect(keys[1]).toBe(keys[0]);
    expect(visit.problems).toEqual([]);

    const other = await visitor(false);
    await other.go("/login");
    await other.page.getByLabel(session.username).fill(ROOT.username);
    await other.page.getByLabel(session.password, { exact: true }).fill(ROOT.password);
    await other.page.getByRole("button", { name: session.signIn }).click();
    await other.page.getByLabel(session.code.label, { exact: true }).fill(code(1));
    await other.page.getByRole("navigation").first().waitFor();
    expect(other.problems).toEqual([]);
  });
});
