// The page that customers see, in a real browser: from 320 pixels to wide, light and dark, both directions, with and
// without scripts.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestPanel } from "../../accounts/panel.ts";
import { hasBrowser, launchBrowser } from "./chromium.ts";
import { Visit } from "./visit.ts";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const DAY = 86_400;
/** A folder for pictures of every look, for people to see; empty: none are taken. */
const PICTURES = process.env["SIGNALBOX_PICTURES"] ?? "";

describe.skipIf(!hasBrowser)("the page that customers see", () => {
  let panel: TestPanel;
  let browser: Browser;
  let url: string;
  const users: Record<string, { readonly subId: string }> = {};

  beforeAll(async () => {
    [panel, browser] = await Promise.all([TestPanel.open("sqlite"), launchBrowser()]);
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 443 } });
    const { id } = await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] });
    const linkAddress = "Germany|192.0.2.1,Finland|192.0.2.2";
    panel.entryNodes = [
      {
        id: 1,
        templateId: id,
        name: "n1",
        remark: "",
        address: "192.0.2.1",
        linkAddress,
        vision: true,
        multiplex: true,
      },
    ];
    const now = Math.floor(panel.clock.now() / 1000);
    const make = async (name: string, fields: object) =>
      (users[name] = await panel.ok("POST", "/users", { name, ...fields }));
    await make("ali", { volume: 50 * 1024 ** 3, expiry: now + 23 * DAY + 60 });
    await make("held", { duration: 30 * DAY });
    await make("off", { enable: false });
    await make("<img src=x onerror=alert(1)>", {});
    panel.settings.set("sub_support_url", "https://t.me/help");
    panel.settings.set("sub_title", "North Star");
    url = await panel.api.app.listen({ host: "127.0.0.1", port: 0 });
    panel.settings.set("web_domain", new URL(url).host);
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
  });

  /** The link as the page shows it: the panel of this test says that it is reached over TLS. */
  const linkOf = (name: string) => url.replace("http:", "https:") + addressOf(name);
  const addressOf = (name: string, query = "") => `/sub/${users[name]?.subId ?? ""}${query}`;
  const picture = async (page: Page, name: string) => {
    if (PICTURES !== "") await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };
  const withOptions = async (options: BrowserContextOptions, use: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ userAgent: IPHONE, locale: "en-GB", ...options });
    try {
      await use(await context.newPage());
    } finally {
      await context.close();
    }
  };

  // rule subscriptions.page.9
  test("every width, scheme and language fits the window and hinders nobody", async () => {
    const looks = [
      { name: "ali", width: 320, locale: "en-GB", scheme: "light" },
      { name: "ali", width: 390, locale: "fa-IR", scheme: "dark" },
      { name: "held", width: 768, locale: "ru-RU", scheme: "light" },
      { name: "ali", width: 1280, locale: "en-GB", scheme: "dark" },
      { name: "off", width: 360, locale: "en-GB", scheme: "light" },
      { name: "off", width: 1920, locale: "zh-CN", scheme: "light" },
      { name: "<img src=x onerror=alert(1)>", width: 320, locale: "fa-IR", scheme: "light" },
    ] as const;
    for (const { name, width, locale, scheme } of looks) {
      const visit = await Visit.open(browser, url, { scheme, locale, size: { width, height: 800 } });
      await visit.page.goto(url + addressOf(name));
      const look = `${name.replaceAll(/\W/g, "")}-${locale}-${width}-${scheme}`;
      await picture(visit.page, look);
      expect(await visit.barriers(), look).toEqual([]);
      expect(await visit.overflow(), look).toBeUndefined();
      expect(await visit.wordless(), look).toEqual([]);
      // The policy refused nothing, nothing was asked for that is not there, and nothing came from elsewhere.
      expect(visit.problems, look).toEqual([]);
      expect(
        visit.refused.filter((each) => !each.endsWith("/favicon.ico")),
        look,
      ).toEqual([]);
      await visit.close();
    }
  });

  // rule subscriptions.page.9
  test("copying by click, the QR code over the whole screen, back by Esc and by its button", async () => {
    const visit = await Visit.open(browser, url, { size: { width: 390, height: 800 } });
    const { page } = visit;
    await page.goto(url + addressOf("ali"));
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByText("Copied").first().waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(linkOf("ali"));
    await page.locator("a.qr").click();
    const large = page.locator("#qr");
    await large.waitFor({ state: "visible" });
    await picture(page, "qr-390");
    expect(await visit.barriers()).toEqual([]);
    await page.keyboard.press("Escape");
    await large.waitFor({ state: "hidden" });
    await page.locator("a.qr").click();
    await large.getByText("Close").click();
    await large.waitFor({ state: "hidden" });
    await page.getByText("Servers one by one").click();
    await page.getByRole("link", { name: "QR code of" }).first().click();
    await page.locator("#qr-server").waitFor({ state: "visible" });
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  // rule subscriptions.page.9
  test("without scripts: read, the device chosen by mouse and keyboard, languages, the QR code", async () => {
    await withOptions({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
      await page.goto(url + addressOf("ali"));
      await page.getByText("Ends in 23 days").waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      const add = page.locator("a[href^='happ://add/']:visible");
      expect(await add.getAttribute("href")).toBe(`happ://add/${linkOf("ali")}`);
      await page.getByText("Windows", { exact: true }).click();
      await page.getByText("Clash Verge Rev").first().waitFor({ state: "visible" });
      await page.locator("#on-windows").press("ArrowLeft");
      await page.locator(".for-android").getByText("v2rayNG", { exact: true }).waitFor({ state: "visible" });
      await page.locator("a.qr").click();
      await page.locator("#qr").waitFor({ state: "visible" });
      await page.goBack();
      await page.getByText("فارسی").click();
      await page.getByText("۱۳ فروردین ۱۴۰۵").waitFor();
      await picture(page, "no-script-fa");
    });
  });

  test("where a browser has no clipboard for the page, the link is selected", async () => {
    await withOptions({ viewport: { width: 800, height: 800 } }, async (page) => {
      await page.addInitScript(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;",
      );
      await page.goto(url + addressOf("ali"));
      await page.getByRole("button", { name: "Copy" }).first().click();
      await page.getByText("Selected").first().waitFor();
      expect(await page.evaluate<string>("String(getSelection())")).toBe(linkOf("ali"));
    });
  });

  // rule subscriptions.page.10
  test("a device is removed by two taps, and is gone", async () => {
    panel.settings.set("sub_device_self_service", "true");
    const headers = { "user-agent": "Happ/3", "x-hwid": "one", "x-device-model": "Pixel 9", "x-device-os": "Android" };
    await fetch(`${url}${addressOf("ali")}/links`, { headers });
    const visit = await Visit.open(browser, url, { size: { width: 390, height: 800 } });
    await visit.page.goto(url + addressOf("ali"));
    await visit.page.getByText("Pixel 9, Android").waitFor();
    await picture(visit.page, "devices-390");
    expect(await visit.barriers()).toEqual([]);
    const remove = visit.page.locator("[data-forget]");
    await remove.click();
    await visit.page.getByText("Sure? Tap again").first().waitFor();
    await remove.click();
    await visit.page.getByText("Pixel 9, Android").waitFor({ state: "detached" });
    await visit.page.reload();
    expect(await visit.page.locator("[data-forget]").count()).toBe(0);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  // rule subscriptions.page.2
  test("a hostile name is shown as it is written", async () => {
    const visit = await Visit.open(browser, url);
    await visit.page.goto(url + addressOf("<img src=x onerror=alert(1)>"));
    expect(await visit.page.locator("img").count()).toBe(0);
    expect(await visit.page.locator("bdi.name").textContent()).toBe("<img src=x onerror=alert(1)>");
    await visit.close();
  });
});
