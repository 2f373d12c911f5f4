// The drawing of an actor without a mouse: one stop of the tab key, arrows from state to state, keys for its size; and
// what the page says of it to who cannot see it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

interface Focused {
  readonly state: string;
  readonly seen: boolean;
}

interface Fit {
  readonly states: number;
  readonly cut: readonly string[];
  readonly name: number;
  readonly covered: number;
  readonly tooWide: number;
}

/** More stops than any page has before its drawing. */
const MOST_STOPS = 60;

/** Collects where the drawing is put. */
const PLACES = `{
  window.places = new Set();
  const look = (changes) => {
    for (const { target } of changes) if (/scale/.test(target.style?.transform)) places.add(target.style.transform);
  };
  new MutationObserver(look).observe(document, { subtree: true, attributes: true, attributeFilter: ["style"] });
}`;

describe.skipIf(!hasBrowser)("the drawing of an actor", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let id: number;
  beforeAll(async () => {
    stage = await openStage();
    id = stage.records.users[12] ?? 0;
    for (const enable of [false, true, false]) await stage.panel.api.ok("PATCH", `/users/${id}`, { enable });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const focused = () => visit.page.evaluate<Focused | undefined>("looks.focusedState()");
  const place = () => visit.page.url().slice(visit.url.length);
  const fit = () => visit.page.evaluate<Fit>("looks.fit()");
  const map = () => visit.page.locator("svg[data-map]");

  test("is one stop of the tab key, at the state of the actor", async () => {
    await visit.go(`/inspect/user/${id}`);
    let stops = 0;
    for (; stops < MOST_STOPS && (await focused()) === undefined; stops += 1) await visit.page.keyboard.press("Tab");
    expect(stops).toBeLessThan(MOST_STOPS);
    await expect.poll(focused).toEqual({ state: "disabled.manual", seen: true });
    await visit.page.keyboard.press("Tab");
    expect(await focused()).toBeUndefined();
    await visit.page.keyboard.press("Shift+Tab");
    expect(await focused()).toMatchObject({ state: "disabled.manual" });
  });

  test("is walked through with arrows, each state in sight, while the journal stands still", async () => {
    const walked = new Set<string>();
    const keys = [
      "Up",
      "Up",
      "Left",
      "Up",
      "Left",
      "Up",
      "Right",
      "Down",
      "Right",
      "Down",
      "Left",
      "Down",
      "Right",
      "Right",
    ];
    for (const key of keys.map((each) => `Arrow${each}`)) {
      await visit.page.keyboard.press(key);
      await expect.poll(async () => (await focused())?.seen).toBe(true);
      walked.add((await focused())?.state ?? "");
    }
    expect(walked.size).toBeGreaterThanOrEqual(4);
    expect(place()).toBe(`/inspect/user/${id}`);
  });

  test("says every state's path and sentence, and which is the actor's", async () => {
    const states = visit.page.locator("svg[role='group'] [data-state]");
    for (const title of await states.locator("title").allTextContents()) expect(title).toMatch(/\w.* · \S.*\.$/);
    const current = await visit.page.locator("svg[role='group'] [aria-current='true']").getAttribute("data-state");
    expect(current).toBe("disabled.manual");
  });

  test("fits its window, readable, from left to right: nothing is cut off or covered, and the column beside it is not too wide", async () => {
    for (const path of [
      `/inspect/user/${id}`,
      `/inspect/node/${stage.records.silent}`,
      `/inspect/node/${stage.records.nodes[0] ?? 0}`,
    ]) {
      await visit.go(path);
      await expect.poll(fit).toMatchObject({ cut: [], covered: 0, tooWide: 0 });
      const { states, name } = await fit();
      expect(states).toBeGreaterThan(8);
      // The node chart is the widest: its names are smaller than the user chart's.
      expect(name).toBeGreaterThan(9);
      expect(await visit.overlaps()).toEqual([]);
    }
  });

  test("gives its room to the journal, whose edge is dragged or moved by keys, and which stays so", async () => {
    const journal = visit.page.getByRole("region", { name: words.inspect.journal.title });
    const height = async () => Math.round((await journal.boundingBox())?.height ?? 0);
    const handle = visit.page.getByRole("separator", { name: words.inspect.journal.height });
    const before = await height();
    const edge = await handle.boundingBox();
    const [x, y] = [(edge?.x ?? 0) + 200, (edge?.y ?? 0) + 4];
    await visit.page.mouse.move(x, y);
    await visit.page.mouse.down();
    await visit.page.mouse.move(x, y - 120, { steps: 3 });
    await visit.page.mouse.up();
    await expect.poll(height).toBeGreaterThan(before + 100);
    await handle.focus();
    await visit.page.keyboard.press("ArrowDown");
    await expect.poll(height).toBeLessThan(before + 110);
    const left = await height();
    await visit.page.reload();
    await visit.settled();
    await expect.poll(height).toBe(left);
    expect(await visit.barriers()).toEqual([]);
  });

  test("says all that the chart does on demand: larger and smaller by keys; the map is there while a part is out of sight", async () => {
    await visit.go(`/inspect/user/${id}`);
    expect(await map().isVisible()).toBe(false);
    await visit.page.getByRole("button", { name: words.chart.detail }).click();
    await expect.poll(() => map().isVisible()).toBe(true);
    await visit.page.keyboard.press("0");
    await expect.poll(() => map().isVisible()).toBe(false);
    for (let times = 0; times < 4; times += 1) await visit.page.keyboard.press("+");
    await expect.poll(() => map().isVisible()).toBe(true);
    await visit.page.keyboard.press("0");
    await expect.poll(() => map().isVisible()).toBe(false);
    await visit.page.keyboard.press("d");
    await expect.poll(fit).toMatchObject({ cut: [] });
  });

  test("goes with the mouse, grows under the wheel, and opens nothing where a drag ends", async () => {
    const { page } = visit;
    await visit.go(`/inspect/user/${id}`);
    const box = page.locator("svg[role='group'] [aria-current='true']");
    const at = async () => (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await at();
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 12, { steps: 4 });
    await page.mouse.up();
    const moved = async () => {
      const after = await at();
      return [after.x - before.x, after.y - before.y].map(Math.round);
    };
    await expect.poll(moved).toEqual([-60, 12]);
    expect(place()).toBe(`/inspect/user/${id}`);
    await page.mouse.wheel(0, -200);
    await expect.poll(async () => (await at()).width).toBeGreaterThan(before.width * 1.2);
    const grown = await at();
    // The middle of the box is under the pointer as before.
    expect(Math.abs(grown.x + grown.width / 2 - (x - 60))).toBeLessThan(2);
    expect(Math.abs(grown.y + grown.height / 2 - (y + 12))).toBeLessThan(2);
  });

  test("stands at its place at once, and does not move there", async () => {
    const moving = await stage.visit();
    await moving.page.emulateMedia({ reducedMotion: "no-preference" });
    await moving.context.addInitScript({ content: PLACES });
    await moving.go(`/inspect/user/${id}`);
    expect(await moving.page.evaluate<string[]>("[...places]")).toHaveLength(1);
    await moving.close();
  });

  test("begins on a phone with the actor's state in sight and no button over it", async () => {
    const phone = await stage.visit({ size: PHONE });
    await phone.go(`/inspect/user/${id}`);
    const lit = await phone.page.locator("svg[role='group'] [aria-current='true']").boundingBox();
    const tool = await phone.page.getByRole("button", { name: words.chart.zoomIn }).boundingBox();
    expect(lit && lit.x >= 0 && lit.x + lit.width <= PHONE.width).toBe(true);
    expect(lit && tool && lit.y + lit.height <= tool.y).toBe(true);
    await phone.close();
  });

  test("nothing was refused or went wrong meanwhile", () => {
    expect(visit.problems).toEqual([]);
  });
});
