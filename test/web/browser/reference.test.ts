// The reference of the API at /api/docs: open to everybody, under the policy, with nothing from elsewhere, in four
// languages, by keys alone.
import { pino } from "pino";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInterface } from "../../../src/interface/index.ts";
import { LANGUAGES } from "../../../src/web/words/language.ts";
import { ListeningPanel } from "../../system/settings/panel.ts";
import { BUILD_MS, builtInterface } from "../built.ts";
import { DICTIONARIES } from "../words/dictionaries.ts";
import { hasBrowser, launchBrowser } from "./chromium.ts";
import { PHONE, Visit } from "./visit.ts";

describe.skipIf(!hasBrowser)("the reference", () => {
  let panel: ListeningPanel;
  let browser: Browser;
  beforeAll(async () => {
    const log = pino({ level: "silent" });
    const web = openInterface({ web: await builtInterface(), dataDirectory: "/nowhere", log });
    [panel, browser] = await Promise.all([
      ListeningPanel.open("sqlite", { web_tls_mode: "none" }, web),
      launchBrowser(),
    ]);
  }, BUILD_MS);
  afterAll(async () => {
    await browser?.close();
    await panel?.dispose();
  });

  test.each(DICTIONARIES)("says in $language what is where, without a session", async ({ language, words }) => {
    const visit = await Visit.open(browser, panel.url, { locale: LANGUAGES[language].locale });
    const elsewhere: string[] = [];
    visit.page.on("request", (request) => {
      if (!request.url().startsWith(panel.url)) elsewhere.push(request.url());
    });
    await visit.go("/api/docs#createUser");
    expect(await visit.page.getByRole("heading", { level: 1 }).innerText()).toBe(words.reference.title);
    const opened = visit.page.locator("details#createUser[open]");
    await opened.getByText(words.reference.parameters).or(opened.getByText(words.reference.body)).first().waitFor();
    await opened.getByText("externalId", { exact: true }).first().waitFor();
    // Paths have their parameters in braces.
    expect((await visit.wordless()).filter((line) => !line.startsWith("/api/v1/"))).toEqual([]);
    // All operations take seconds to look at; languages differ in their direction alone.
    if (language === "fa") expect(await visit.barriers()).toEqual([]);
    expect([...visit.problems, ...visit.refused, ...elsewhere]).toEqual([]);
    await visit.close();
  });

  test("is found and opened by keys alone, on a phone too", async () => {
    const visit = await Visit.open(browser, panel.url, { size: PHONE, scheme: "dark" });
    await visit.go("/api/docs");
    const { page } = visit;
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("renewUser");
    const only = page.locator("details");
    await expect.poll(() => only.count()).toBe(1);
    // After the search come the names of the chapters, then the operations.
    await page.keyboard.press("Tab");
    await page.locator("nav a:focus").waitFor();
    await page.keyboard.press("Tab");
    await page.locator("summary:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("details[open]").getByText("nothing_to_renew").first().waitFor();
    expect(await visit.overflow()).toBeUndefined();
    expect(await visit.barriers()).toEqual([]);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });
});
