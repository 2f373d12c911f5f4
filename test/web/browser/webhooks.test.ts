// Webhooks by their pages: made with a key that is shown once, tested, their deliveries read and sent again; and what
// a person chose of the interface is there in another browser.
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { fa } from "../../../src/web/words/fa.ts";
import type { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const PASSWORD = "correct horse battery";

describe.skipIf(!hasBrowser)("webhooks", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let api: Api;
  let receiver: Server;
  let address = "";
  let status = 200;
  const got: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
      request.on("end", () => {
        got.push({ headers: request.headers, body });
        response.writeHead(status, { "content-type": "text/plain" }).end(status === 200 ? "thanks" : "not now");
      });
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    stage = await openStage({ fleet: false });
    api = await stage.panel.logIn();
    await api.ok("PUT", "/settings/webhook_allow_private", { value: "true" });
    visit = await stage.visit();
  });
  afterAll(async () => {
    await stage?.dispose();
    receiver?.close();
  });

  const w = words.webhooks;
  const rows = () => visit.page.locator("main tbody tr");

  test("an empty list says what it is for; a new one is made, its key is shown once and signs", async () => {
    const { page } = visit;
    await visit.go("/webhooks");
    await page.getByText(w.empty.text).waitFor();
    await page.getByRole("link", { name: w.add }).first().click();
    await page.getByLabel(w.fields.name).fill("shop");
    await page.getByLabel(w.fields.url).fill("nowhere");
    await page.getByRole("button", { name: w.create }).click();
    await page.getByText(words.parts.problems(1)).waitFor();
    await page.getByLabel(w.fields.url).fill(address);
    await page.getByText(w.someEvents).click();
    await page.getByLabel(w.allOf(words.families.user)).check();
    await page.getByRole("button", { name: w.create }).click();
    const shown = page.getByRole("dialog");
    const secret = await shown.locator("code").innerText();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    await shown.getByRole("button", { name: words.parts.once.kept }).click();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    await page.getByText(w.signed).waitFor();
    await page.getByRole("button", { name: w.test }).click();
    await rows().filter({ hasText: words.raised["panel.ping"] }).getByText(w.states.delivered).waitFor();
    const [{ headers, body } = { headers: {}, body: "" }] = got;
    const [, t = "", mac] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["x-panel-signature"])) ?? [];
    expect(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")).toBe(mac);
    expect(await page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")).not.toContain(secret);
  });

  test("a delivery that fails says so, with what was sent and what came back, and is sent again", async () => {
    const { page } = visit;
    status = 503;
    await api.ok("POST", "/users", { name: "anna" });
    const created = rows().filter({ hasText: words.raised["user.created"] });
    await created.getByText(w.failures.status(503)).waitFor();
    await page.getByText(w.standing.failing).waitFor();
    await created.click();
    await page.getByText("not now").waitFor();
    await page.getByText('"event": "user.created"').waitFor();
    expect(await visit.barriers()).toEqual([]);
    status = 200;
    const before = got.length;
    await page.getByRole("button", { name: w.resend }).click();
    await page.getByText(w.states.delivered).first().waitFor();
    expect(got.length).toBeGreaterThan(before);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    await rows().first().waitFor();
    const all = got.length;
    await page.getByLabel(words.parts.selectAll).check();
    await page.getByRole("button", { name: w.resend }).click();
    await expect.poll(() => got.length).toBeGreaterThanOrEqual(all + 2);
  });

  test("its secret is replaced, it is changed and switched off, and deleted with a question", async () => {
    const { page } = visit;
    await page.getByRole("button", { name: words.parts.actionsOf("shop") }).click();
    await page.getByRole("menuitem", { name: w.rotate }).click();
    await page.getByRole("dialog").getByRole("button", { name: w.rotate }).click();
    expect(await page.getByRole("dialog").locator("code").innerText()).toMatch(/^[0-9a-f]{64}$/);
    await page.getByRole("button", { name: words.parts.once.kept }).click();
    await page.getByRole("tab", { name: w.settings }).click();
    await page.getByLabel(w.fields.name).fill("shop two");
    await page.getByRole("button", { name: words.parts.save, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "shop two" }).waitFor();
    await page.getByRole("button", { name: words.parts.actionsOf("shop two") }).click();
    await page.getByRole("menuitem", { name: w.disable }).click();
    await page.getByText(w.standing.off, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: w.test }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: words.parts.actionsOf("shop two") }).click();
    await page.getByRole("menuitem", { name: w.remove }).click();
    await page.getByRole("dialog").getByRole("button", { name: w.remove }).click();
    await page.getByText(w.empty.title).waitFor();
    expect(visit.problems).toEqual([]);
  });

  test("a reader without the right to change sees how it goes and is offered nothing more; on a phone", async () => {
    const { id } = (await api.ok("POST", "/webhooks", { name: "bot", url: address })) as { id: number };
    await api.ok("POST", "/roles", { name: "watcher", base: "admin", scopes: ["webhooks:read"] });
    await api.ok("POST", "/admins", { username: "vera", password: PASSWORD, role: "watcher" });
    const reader = await stage.visit({ signedIn: false, size: PHONE });
    await reader.signIn("vera", PASSWORD);
    reader.refused.length = 0;
    await reader.go("/webhooks");
    await reader.page.getByText("bot").first().waitFor();
    expect(await reader.page.getByRole("link", { name: w.add }).count()).toBe(0);
    await reader.go(`/webhooks/${id}`);
    await reader.page.getByRole("heading", { level: 1, name: "bot" }).waitFor();
    expect(await reader.page.getByRole("button", { name: w.test }).count()).toBe(0);
    await reader.go("/webhooks/new");
    await reader.page.getByText(words.shell.barred.title).waitFor();
    expect([reader.refused, reader.problems, await reader.overflow()]).toEqual([[], [], undefined]);
    await reader.close();
  });

  test("a main admin chooses whose users a webhook is about", async () => {
    const { page } = visit;
    await api.ok("POST", "/admins", { username: "mina", password: PASSWORD, role: "resale" });
    await visit.go("/webhooks/new");
    await page.getByLabel(w.fields.name).fill("for mina");
    await page.getByLabel(w.fields.url).fill(address);
    await page.getByLabel(w.signIt).uncheck();
    await page.getByLabel(w.fields.ownOnly).check();
    await page.getByRole("combobox", { name: w.fields.account }).click();
    await page.getByRole("option", { name: "mina" }).click();
    await page.getByRole("button", { name: w.create }).click();
    await page.getByRole("heading", { level: 1, name: "for mina" }).waitFor();
    const { items } = (await api.ok("GET", "/webhooks?q=for%20mina")) as { items: { adminId: number }[] };
    const { items: admins } = (await api.ok("GET", "/admins?q=mina")) as { items: { id: number }[] };
    expect(items.map(({ adminId }) => adminId)).toEqual(admins.map(({ id }) => id));
  });

  test("language, theme and columns are there in another browser", async () => {
    const { page } = visit;
    await visit.go("/me");
    await api.ok("PUT", "/me/ui", {});
    await visit.go("/users");
    await page.evaluate("localStorage.clear()");
    await visit.go("/me");
    const saved = page.waitForResponse(
      (response) => response.url().endsWith("/me/ui") && response.request().method() === "PUT",
    );
    await page.getByRole("combobox", { name: words.me.shown.language }).click();
    await page.getByRole("option", { name: "فارسی" }).click();
    await saved;
    const other = await stage.visit();
    await other.go("/");
    await other.page.getByRole("heading", { level: 1, name: fa.overview.title }).waitFor();
    await expect.poll(() => other.page.evaluate("document.documentElement.dir")).toBe("rtl");
    await other.close();
    await api.ok("PUT", "/me/ui", {});
  });
});
