// Designing the subscription page: what is typed is drawn beside, saved, and seen by a visitor. And the table of
// formats with its tester.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { DESK, PHONE } from "./visit.ts";

const { subscription, clients, parts } = words;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** A folder for pictures, for people to see; empty: none are taken. */
const PICTURES = process.env["SIGNALBOX_PICTURES"] ?? "";

describe.skipIf(!hasBrowser)("designing the subscription page", () => {
  let stage: BrowserStage;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.dispose());

  // rule subscriptions.page.11
  test("title and apps are drawn while they are typed, what is wrong is said, and a visitor sees what was saved", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/subscription");
    const drawn = page.frameLocator(`iframe[title="${subscription.previewOf}"]`);
    await drawn.getByText("Ends in 23 days").waitFor();
    // The list of pages is longer than the window is high.
    const open = await page.locator("nav [aria-current=page]").boundingBox();
    const list = await page.getByRole("navigation", { name: words.shell.navigation }).boundingBox();
    expect((open?.y ?? 0) + (open?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0));
    await page.getByLabel(subscription.name, { exact: true }).fill("North Star");
    await drawn.getByRole("heading", { name: "North Star" }).waitFor();
    // Its own style holds in the frame, under the policy of the panel.
    await drawn.getByText("Clash Verge Rev").first().waitFor({ state: "hidden" });
    await page.getByText("JSON", { exact: true }).click();
    const apps = page.getByLabel(subscription.appsLabel);
    await apps.fill("[");
    await page.getByText(subscription.notJson).waitFor();
    await apps.fill('[{"name": "Mine", "stores": {"android": "javascript:alert(1)"}}]');
    await page.getByText(subscription.refused).waitFor();
    await apps.fill('[{"name": "Mine", "stores": {"android": "https://store.example/mine"}}]');
    await drawn.getByText("Mine", { exact: true }).first().waitFor({ state: "visible" });

    // As a form: a link, a picture and steps of the operator's own.
    await page.getByText(subscription.asList, { exact: true }).click();
    await page.getByRole("button", { name: "Mine", exact: true }).click();
    await page.getByLabel(subscription.app.link).fill("javascript:{url}");
    await page.getByText(parts.refusals.rules.unfit, { exact: true }).first().waitFor();
    await page.getByLabel(subscription.app.link).fill("mine://{url}");
    await page.getByLabel(subscription.app.steps, { exact: true }).fill("Take it\n<b>Tap</b> here");
    await drawn.getByText("<b>Tap</b> here").first().waitFor();
    await page
      .locator("input[type=file]")
      .last()
      .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PIXEL });
    await page.locator("button img[src^='data:image/webp']").waitFor();
    // Made small by the browser, and shown once for all platforms.
    await expect.poll(() => drawn.locator(".mark.icon-0").count()).toBe(1);
    await page.getByRole("button", { name: subscription.app.add }).click();
    await page.getByLabel(subscription.app.name, { exact: true }).fill("Other");
    await page.getByRole("textbox", { name: "Android" }).fill("https://store.example/other");
    await drawn.getByText("Other", { exact: true }).first().waitFor();
    if (PICTURES !== "") await page.screenshot({ path: join(PICTURES, "apps.png"), fullPage: true });
    expect(await visit.barriers()).toEqual([]);
    await page.locator("[data-handle]").last().press("ArrowUp");
    await expect.poll(() => drawn.locator(".for-android summary bdi").allTextContents()).toEqual(["Other", "Mine"]);
    await page.getByText("iOS", { exact: true }).first().click();
    await page.getByText(subscription.app.none).waitFor();
    if (PICTURES !== "") await page.screenshot({ path: join(PICTURES, "design.png"), fullPage: true });
    await page.getByRole("button", { name: parts.save, exact: true }).click();
    await page.getByText(words.settings.saved(2, "2")).waitFor();

    const user = await stage.panel.api.make("users", { name: "ali" });
    const { subId } = await stage.panel.api.user(user);
    await page.goto(`${stage.panel.url}/sub/${subId}`);
    await page.getByRole("heading", { name: "North Star" }).waitFor();
    expect(visit.problems.filter((each) => !each.includes("400"))).toEqual([]);
    await visit.close();
  });

  // rule subscriptions.format.10
  test("rules are moved, made and tried before they are saved, and hold then", async () => {
    const { api } = stage.panel;
    const inbound = await api.make("inbounds", { tag: "plain", type: "vless", config: { listen_port: 20_443 } });
    const templateId = await api.make("templates", { name: "t", inboundIds: [inbound] });
    await api.make("nodes", { name: "n1", address: "127.1.0.250", port: 9, templateId });
    const user = await api.make("users", { name: "newest", templateIds: [templateId] });
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/subscription?tab=rules");
    const tester = page.getByRole("status").filter({ hasText: "→" });
    await expect.poll(() => tester.textContent()).toContain(subscription.rules.noRow);
    await page.getByText(clients.servers("1")).waitFor();
    await page.getByLabel(clients.userAgent).fill("Stash/3.1.0 Clash/1.9.0");
    await expect.poll(() => tester.textContent()).toContain("User-Agent starts with “Stash” → clash");
    // For a browser, the first row applies.
    await page.getByText(subscription.rules.asBrowser, { exact: true }).click();
    await expect.poll(() => tester.textContent()).toContain(subscription.rules.row("1"));
    await page.getByText(subscription.rules.getsPage).waitFor();
    await page.getByText(subscription.rules.asApp, { exact: true }).click();

    await page.getByRole("button", { name: subscription.rules.add }).click();
    // What is wrong is said at its field.
    await page.getByText(parts.refusals.rules.empty, { exact: true }).waitFor();
    await page.getByLabel(subscription.rules.value, { exact: true }).fill("Stash/3");
    await page.getByRole("combobox", { name: subscription.rules.format }).click();
    await page.getByRole("option", { name: "singbox" }).click();
    await page.getByRole("button", { name: subscription.rules.headerAdd }).click();
    await page.getByLabel(subscription.rules.headerName).fill("set-cookie");
    await page.getByText(parts.refusals.rules.unfit, { exact: true }).waitFor();
    await page.getByLabel(subscription.rules.headerName).fill("routing-enable");
    await page.getByLabel(subscription.rules.headerValue).fill("1");
    await expect.poll(() => tester.textContent()).toContain("User-Agent starts with “Stash/3” → singbox");
    await page.getByText(subscription.rules.unsaved).waitFor();
    if (PICTURES !== "") await page.screenshot({ path: join(PICTURES, "rules.png"), fullPage: true });
    // An answer that is asked for again is dimmed meanwhile.
    await visit.settled();
    expect(await visit.barriers()).toEqual([]);

    // By keys: the handle keeps the focus.
    const handles = page.locator("[data-handle]");
    await handles.first().press("ArrowDown");
    await expect.poll(() => page.getByLabel(/^User-Agent starts with “Stash\/3”: 2\//).count()).toBe(1);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => page.getByLabel(/^User-Agent starts with “Stash\/3”: 1\//).count()).toBe(1);
    // By the mouse, onto the third row. Its fields are closed first: rows are of one height then.
    await page.getByText("User-Agent starts with “Stash/3”", { exact: true }).first().click();
    await page.getByLabel(subscription.rules.headerName).waitFor({ state: "detached" });
    await handles.first().dragTo(page.getByRole("listitem").filter({ has: handles }).nth(2));
    await expect.poll(() => page.getByLabel(/^User-Agent starts with “Stash\/3”: 3\//).count()).toBe(1);
    await page.getByRole("button", { name: parts.save, exact: true }).click();
    await page.getByText(words.settings.saved(1, "1")).waitFor();
    const { subId } = await api.user(user);
    const fetched = await fetch(`${stage.panel.url}/sub/${subId}`, { headers: { "user-agent": "Stash/3.2" } });
    expect(fetched.headers.get("routing-enable")).toBe("1");
    expect(await fetched.json()).toHaveProperty("outbounds");
    expect(visit.problems.filter((each) => !each.includes("400"))).toEqual([]);
    await visit.close();
  });

  test("while the panel's own rules are not known, none can be put in their place", async () => {
    await stage.panel.api.ok("PUT", "/settings/sub_rules", { value: "" });
    const visit = await stage.visit();
    const { page } = visit;
    const add = page.getByRole("button", { name: subscription.rules.add });
    await page.route("**/api/v1/sub/rules/test", (route) => route.fulfill({ status: 500, json: {} }));
    await visit.go("/subscription?tab=rules");
    await page.getByRole("alert").waitFor();
    expect(await add.count()).toBe(0);
    await page.unroute("**/api/v1/sub/rules/test");
    await page.getByRole("button", { name: parts.retry }).click();
    await add.waitFor();
    await visit.close();
  });

  test("it fits a phone and a desk, in both directions", async () => {
    for (const [size, locale, tab] of [
      [PHONE, "fa-IR", "page"],
      [DESK, "ru-RU", "page"],
      [PHONE, "zh-CN", "rules"],
      [DESK, "fa-IR", "rules"],
    ] as const) {
      const visit = await stage.visit({ size, locale, scheme: "dark" });
      await visit.go(`/subscription?tab=${tab}`);
      await visit.page
        .locator(tab === "page" ? "iframe" : "[data-handle]")
        .first()
        .waitFor();
      if (PICTURES !== "")
        await visit.page.screenshot({ path: join(PICTURES, `design-${locale}-${tab}.png`), fullPage: true });
      expect(await visit.overflow()).toBeUndefined();
      expect(await visit.barriers()).toEqual([]);
      if (size === PHONE && tab === "rules") {
        // Whichever row is in sight, the app that it is tried with is too.
        await visit.page.locator("[data-handle]").last().scrollIntoViewIfNeeded();
        const app = await visit.page.getByRole("combobox").first().boundingBox();
        expect(app?.y).toBeGreaterThan(0);
        expect(app?.y).toBeLessThan(PHONE.height / 2);
      }
      await visit.close();
    }
  });
});
