// Designing the subscription page: what is typed is drawn beside, saved, and seen by a visitor.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { DESK, PHONE } from "./visit.ts";

const { subscription, parts } = words;
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
    await page.getByLabel(subscription.name, { exact: true }).fill("North Star");
    await drawn.getByRole("heading", { name: "North Star" }).waitFor();
    // Its own style holds in the frame, under the policy of the panel.
    await drawn.getByText("Clash Verge Rev").first().waitFor({ state: "hidden" });
    const apps = page.getByLabel(subscription.appsLabel);
    await apps.fill("[");
    await page.getByText(subscription.notJson).waitFor();
    await apps.fill('[{"name": "Mine", "stores": {"android": "javascript:alert(1)"}}]');
    await page.getByText(subscription.refused).waitFor();
    await apps.fill('[{"name": "Mine", "stores": {"android": "https://store.example/mine"}}]');
    await drawn.getByText("Mine", { exact: true }).first().waitFor({ state: "visible" });
    expect(await visit.barriers()).toEqual([]);
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

  test("it fits a phone and a desk, in both directions", async () => {
    for (const [size, locale] of [
      [PHONE, "fa-IR"],
      [DESK, "ru-RU"],
    ] as const) {
      const visit = await stage.visit({ size, locale, scheme: "dark" });
      await visit.go("/subscription");
      await visit.page.locator("iframe").waitFor();
      if (PICTURES !== "")
        await visit.page.screenshot({ path: join(PICTURES, `design-${locale}.png`), fullPage: true });
      expect(await visit.overflow()).toBeUndefined();
      expect(await visit.barriers()).toEqual([]);
      await visit.close();
    }
  });
});
