// Pages in each language say in it what the panel says in English, and their calendars begin as its readers' weeks do.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/web/words/language.ts";
import { DICTIONARIES } from "../words/dictionaries.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

/** What a month's first column is called, in the calendar that the language begins with. */
const FIRST_COLUMN = { en: "Mo", fa: "ش", ru: "пн", zh: "一" } as const;

let stage: BrowserStage;
beforeAll(async () => {
  if (hasBrowser) stage = await openStage();
});
afterAll(() => stage?.dispose());

describe.skipIf(!hasBrowser).each(DICTIONARIES)("pages in $language", ({ language, words }) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await stage.visit({ locale: LANGUAGES[language].locale });
  });
  afterAll(() => visit?.close());
  const shown = (text: string) => visit.page.getByText(text).filter({ visible: true }).first().waitFor();

  test("why a node is not served", async () => {
    await visit.go(`/nodes/${stage.records.silent}`);
    await shown(words.messages.here.connection_refused("127.1.0.250:9"));
    await visit.go(`/inspect/node/${stage.records.silent}`);
    await shown(words.actors.node.states["error.waiting"]);
  });

  if (LANGUAGES[language].direction === "rtl")
    test("what a timer is called, right to left, also where the chart comes after the journal", async () => {
      const { page, url } = visit;
      const charts = Promise.withResolvers<void>();
      await page.route("**/api/v1/machines?*", async (route) => {
        await charts.promise;
        await route.continue();
      });
      await page.goto(`${url}/inspect/node/${stage.records.silent}`);
      await page.locator("[data-kind='event'] > bdi").first().waitFor();
      charts.resolve();
      const timers = page.locator("[data-kind='timer'] > bdi");
      await timers.first().waitFor();
      const others = page.locator("[data-kind='timer'] > bdi:not(:dir(rtl))");
      expect(await others.allInnerTexts()).toEqual([]);
      await page.unroute("**/api/v1/machines?*");
    });

  test("what happened to an account", async () => {
    await visit.go(`/users/${stage.records.users[5] ?? 0}?tab=history`);
    await shown(words.actors.user.events.switchOff);
    await shown(words.users.standing.manual);
  });

  test("the days of a month", async () => {
    await visit.go("/users/new");
    await visit.page.getByRole("button", { name: words.parts.pickDate }).first().click();
    const heads = visit.page.locator("table[role='grid'] th");
    await heads.first().waitFor();
    expect(await heads.first().innerText()).toBe(FIRST_COLUMN[language]);
    expect(visit.problems).toEqual([]);
  });
});
