// Every view is an address, and every view is reached by keyboard: reload, back and forward keep it; from sign-in to a
// step of a journal no mouse is needed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

describe.skipIf(!hasBrowser)("addresses and keys", () => {
  let stage: BrowserStage;
  let id: number;
  beforeAll(async () => {
    stage = await openStage();
    id = stage.records.users[12] ?? 0;
    for (const enable of [false, true, false]) await stage.panel.api.ok("PATCH", `/users/${id}`, { enable });
  });
  afterAll(() => stage?.dispose());

  const heading = (visit: Visit) => visit.page.locator("h1").first().innerText();
  const place = (visit: Visit) => visit.page.url().slice(visit.url.length);

  test("a deep link shows its view to whoever signs in first", async () => {
    const visit = await stage.visit({ signedIn: false });
    await visit.page.goto(`${visit.url}/inspect/user/${id}?at=2`);
    await visit.page.locator("input[autocomplete~='username']").fill(ROOT.username);
    await visit.page.locator("input[type='password']").fill(ROOT.password);
    await visit.page.keyboard.press("Enter");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}?at=2`);
    await expect.poll(() => heading(visit)).toBe("user-12");
    await visit.close();
  });

  test("reload, back and forward keep the view: search, page, and step of the journal", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users?limit=10&page=2");
    // Traffic moves the figures meanwhile; who stands there, and in which order, is the view.
    const names = async () =>
      (await page.locator("main tbody tr").allInnerTexts()).map((row) => row.trim().split("\n")[0]);
    const second = await names();
    expect(second.length).toBeGreaterThan(0);
    await page.reload();
    await visit.settled();
    expect(await names()).toEqual(second);
    await visit.go(`/inspect/user/${id}`);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}?at=3`);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}?at=2`);
    const lit = () => page.evaluate<string>("looks.litState()");
    await expect.poll(lit).toBe("disabled.manual");
    await page.reload();
    await expect.poll(lit).toBe("disabled.manual");
    await page.keyboard.press("l");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}`);
    await page.goBack();
    await expect.poll(() => place(visit)).toMatch(/at=\d$/);
    await page.goForward();
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}`);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("by keyboard alone: sign in, find an actor, step its journal", async () => {
    const visit = await stage.visit({ signedIn: false });
    const { page } = visit;
    const { keyboard } = page;
    await visit.go("/login");
    await keyboard.type(ROOT.username);
    await keyboard.press("Tab");
    await keyboard.type(ROOT.password);
    await keyboard.press("Enter");
    await page.getByRole("navigation").first().waitFor();
    await keyboard.press("Control+k");
    await page.getByPlaceholder(words.shell.searchFor).waitFor();
    await keyboard.type("user-12");
    await page
      .getByRole("option", { name: /user-12/ })
      .or(page.getByRole("button", { name: /user-12/ }))
      .first()
      .waitFor();
    await keyboard.press("Enter");
    await expect.poll(() => place(visit)).toMatch(new RegExp(`^/(users|inspect/user)/${id}`));
    await keyboard.press("g");
    await keyboard.press("i");
    await expect.poll(() => place(visit)).toBe("/inspect");
    // Each page takes the focus with its heading, also when that comes with an answer.
    const focused = () => page.evaluate("document.activeElement?.matches('h1') && document.activeElement.textContent");
    await expect.poll(focused).toBe(words.inspect.title);
    for (const [key, title] of [
      ["n", words.nodes.title],
      ["u", words.users.title],
    ] as const) {
      await keyboard.press("g");
      await keyboard.press(key);
      await expect.poll(focused).toBe(title);
    }
    // Forty rows and two lines of filters: the rows scroll, the page does not.
    await page.locator("main tbody tr").first().waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
    await visit.go(`/inspect/user/${id}`);
    await keyboard.press("Home");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}?at=1`);
    await keyboard.press("ArrowRight");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}?at=2`);
    await keyboard.press("End");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${id}`);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });
});
