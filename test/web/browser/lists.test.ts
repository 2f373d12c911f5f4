// Lists as operators use them daily: why and since when, selections, keys, menus that stay, drafts, and whatever
// somebody pastes into the search.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser, launchBrowser } from "./chromium.ts";
import { makeUsers } from "../../e2e/fleet.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import { PHONE, Visit } from "./visit.ts";

const { users, parts, overview, shell } = words;

describe.skipIf(!hasBrowser)("lists", () => {
  let stage: BrowserStage;
  const idOf = (index: number) => stage.records.users[index] ?? 0;
  const row = (visit: Visit, name: string) => visit.page.locator("main tbody tr").filter({ hasText: name });
  const tick = (visit: Visit, name: string) =>
    visit.page.getByRole("checkbox", { name: parts.select(name), exact: true });
  const place = (visit: Visit) => visit.page.url().slice(visit.url.length);
  const closed = async (visit: Visit) => {
    expect(visit.problems).toEqual([]);
    await visit.close();
  };
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.dispose());

  test("a row says since when an account is off, and by whom; the filter finds it by the reason", async () => {
    const visit = await stage.visit();
    await visit.go("/users?status=disabled");
    await expect
      .poll(() => row(visit, "user-5").innerText())
      .toMatch(new RegExp(`${users.standing.manual}\\s+since \\d\\d:\\d\\d · by root`));
    expect(await visit.page.locator("main tbody tr").count()).toBe(3);
    await visit.page.getByRole("button", { name: new RegExp(`^${users.status.expired}`) }).click();
    await row(visit, "user-9").waitFor();
    await closed(visit);
  });

  test("a selection survives the turning of pages; what is refused stays selected, with its reason", async () => {
    // An account without any limit has nothing to renew. An account with a date alone has no known term.
    // So each gets a volume and no end.
    for (const index of [7, 10, 12, 13, 14, 15])
      await stage.panel.api.ok("PATCH", `/users/${idOf(index)}`, { volume: 1_000_000_000_000, expiry: 0 });
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users?limit=11&sort=id&order=asc");
    await tick(visit, "user-7").click();
    await tick(visit, "user-10").click();
    await page.keyboard.press("]");
    await row(visit, "user-12").waitFor();
    await tick(visit, "user-12").click();
    await tick(visit, "user-15").click({ modifiers: ["Shift"] });
    const bar = page.getByRole("toolbar", { name: parts.selection });
    await expect.poll(() => bar.getByRole("status").innerText()).toBe(`${parts.selected(6)} ${parts.elsewhere(2)}`);
    // Gone when its turn comes.
    await stage.panel.api.ok("DELETE", `/users/${idOf(10)}`);
    await bar.getByRole("button", { name: users.renew }).click();
    await page.getByRole("dialog").getByRole("button", { name: users.renew }).click();
    const refusals = page.getByRole("table", { name: users.bulkRefusals });
    await expect.poll(() => refusals.innerText()).toContain("user-10");
    await page.keyboard.press("Escape");
    await expect.poll(() => bar.getByRole("status").innerText()).toBe(`${parts.selected(1)} ${parts.elsewhere(1)}`);
    await page.keyboard.press("Escape");
    await expect.poll(() => bar.count()).toBe(0);
    await closed(visit);
  });

  test("the last day of each row's traffic: asked together, gaps stay gaps, said in words; a hidden column asks nothing", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    const asked: URLSearchParams[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith("/sparklines")) asked.push(url.searchParams);
    });
    await visit.go("/users?limit=25&sort=id&order=asc");
    await expect
      .poll(() =>
        row(visit, "user-4")
          .getByRole("img", { name: /24 hours/ })
          .count(),
      )
      .toBe(1);
    // The rows in sight asked once; who scrolls asks for the others.
    expect(asked).toHaveLength(1);
    const ids = asked[0]?.get("ids")?.split(",") ?? [];
    expect(ids).toContain(String(idOf(4)));
    expect(new Set(ids).size).toBe(ids.length);
    // The panel has just begun: a day ago nothing is known, and nothing is drawn there.
    const line = row(visit, "user-4").getByRole("img", { name: /24 hours/ });
    expect(await line.getAttribute("aria-label")).toMatch(/nothing is known\.$/);
    const drawn = line.locator("polyline, line:not([x1='0'])").first();
    const begins = (await drawn.getAttribute("points"))?.split(",")[0] ?? (await drawn.getAttribute("x1"));
    expect(Number(begins)).toBeGreaterThan(44);
    await page.getByRole("button", { name: parts.columns, exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: parts.lastDay.header }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => line.count()).toBe(0);
    asked.length = 0;
    await visit.go("/users?limit=25&sort=id&order=desc");
    await row(visit, "user-30").waitFor();
    expect(asked).toHaveLength(0);
    await visit.follow("/nodes");
    await expect
      .poll(() =>
        row(visit, "node-1")
          .getByRole("img", { name: /24 hours/ })
          .count(),
      )
      .toBe(1);
    expect(asked).toHaveLength(1);
    await closed(visit);
  });

  test("by keys: j and x select, Shift-X a stretch; w leads to the machine of the row under the cursor", async () => {
    const visit = await stage.visit();
    const { keyboard } = visit.page;
    await visit.go("/users?sort=id&order=asc");
    for (const key of ["j", "j", "x", "j", "j", "Shift+X"]) await keyboard.press(key);
    await expect.poll(() => visit.page.locator("tr[data-selected=true]").count()).toBe(3);
    await keyboard.press("Escape");
    await keyboard.press("w");
    await expect.poll(() => place(visit)).toBe(`/inspect/user/${idOf(3)}`);
    await closed(visit);
  });

  test("the record knows its neighbours in the list it came from, and the way back to that list", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users?sort=id&order=asc&limit=25");
    await row(visit, "user-7").getByRole("link").click();
    await expect.poll(() => place(visit)).toBe(`/users/${idOf(7)}`);
    await page.getByRole("heading", { name: "user-7" }).waitFor();
    await page.keyboard.press("]");
    await page.getByRole("heading", { name: "user-8" }).waitFor();
    await page.keyboard.press("[");
    await page.getByRole("heading", { name: "user-7" }).waitFor();
    await page.locator("main").getByRole("link", { name: users.title }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("limit")).toBe("25");
    await closed(visit);
  });

  test("a button has the focus again when what it works on is done, and when what it opened is closed", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users");
    // Both say as their title what they are.
    const focused = () => page.evaluate<string>("document.activeElement.title");
    const saved = page.waitForEvent("download");
    await page.getByTitle(parts.saveList).focus();
    await page.keyboard.press("Enter");
    await saved;
    await expect.poll(focused).toBe(parts.saveList);
    await page.getByTitle(shell.account.menu).filter({ visible: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await expect.poll(focused).toBe(shell.account.menu);
    await visit.go("/");
    await page.getByTitle(overview.chooseTiles).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(focused).toBe(overview.chooseTiles);
    await closed(visit);
  });

  test("what opens a menu keeps the focus while the menu is loaded, and has it again when that closes", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users");
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      begun.resolve();
      await released.promise;
      await route.continue();
    });
    const name = parts.actionsOf("user-20");
    const focused = () => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')");
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
    await begun.promise;
    expect(await focused()).toBe(name);
    released.resolve();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await expect.poll(focused).toBe(name);
    await closed(visit);
  });

  test("an open menu stays, and its row under it, while the list changes; the news wait for a click", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users");
    await page.getByRole("button", { name: parts.actionsOf("user-20"), exact: true }).click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    const before = await row(visit, "user-20").boundingBox();
    await stage.panel.api.ok("POST", "/users", { name: "came meanwhile" });
    await page.getByRole("button", { name: /changed: show/ }).waitFor();
    expect(await menu.isVisible()).toBe(true);
    expect(await row(visit, "user-20").boundingBox()).toEqual(before);
    await page.keyboard.press("Escape");
    await row(visit, "came meanwhile").waitFor();
    await closed(visit);
  });

  test("the search finds by a pasted link, a client's configuration, a contact and a note", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    const { api } = stage.panel;
    const user = (await api.ok("PATCH", `/users/${idOf(30)}`, {
      desc: "pays in cash",
      contact: { telegram_id: "@thirty" },
    })) as {
      subUrl: string;
      subToken: string;
      config: { uuid: string };
    };
    await visit.go("/users");
    const search = page.getByPlaceholder(users.search);
    const pasted = [
      user.subUrl,
      `${user.subUrl}/clash`,
      user.subUrl.replace(/[^/]+$/, user.subToken),
      user.config.uuid,
      `vless://${user.config.uuid}@host:443?type=tcp#x`,
      "@thirty",
      "in cash",
    ];
    for (const text of pasted) {
      await search.fill("nobody has this");
      await page.getByText(parts.nothingFound).waitFor();
      await search.fill(text);
      await row(visit, "user-30").waitFor();
      expect(await page.locator("main tbody tr").count()).toBe(1);
    }
    await closed(visit);
  });

  test("a draft survives Esc and a reload; only what was changed is sent, and contacts that the form does not know stay", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    const { api } = stage.panel;
    await api.ok("PATCH", `/users/${idOf(31)}`, { contact: { shop_number: "77", email: "a@example.com" } });
    await visit.go(`/users/${idOf(31)}?tab=edit`);
    await page.getByLabel(users.fields.email).fill("b@example.com");
    await page.keyboard.press("Escape");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(parts.draftRestored).waitFor();
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await page.keyboard.press("Control+s");
    const body = (await sent).postDataJSON() as Record<string, unknown>;
    expect(body).toEqual({ contact: { email: "b@example.com" }, version: expect.any(Number) });
    await page.getByText(users.saved("user-31")).waitFor();
    expect(await api.ok("GET", `/users/${idOf(31)}`)).toMatchObject({
      contact: { shop_number: "77", email: "b@example.com" },
    });
    await closed(visit);
  });

  test("a view keeps filter, order and columns under a name, for this person on this device", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users?status=disabled&sort=name&order=asc");
    await page.getByRole("button", { name: parts.columns }).click();
    await page.getByRole("menuitemcheckbox", { name: users.columns.created }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: parts.views }).click();
    await page.getByRole("textbox", { name: parts.viewName }).fill("those off");
    await page.keyboard.press("Enter");
    await visit.go("/users");
    await page.getByRole("button", { name: parts.columns }).click();
    await page.getByRole("menuitemcheckbox", { name: users.columns.created }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: parts.views }).click();
    await page.getByRole("button", { name: "those off", exact: true }).click();
    await expect.poll(() => place(visit)).toBe("/users?order=asc&sort=name&status=disabled");
    await page.getByRole("columnheader", { name: users.columns.created }).waitFor();
    await closed(visit);
  });

  test("an account by four keys: n, its name, Enter, c", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users");
    await page.keyboard.press("n");
    await expect.poll(() => page.evaluate<string>("document.activeElement?.tagName ?? ''")).toBe("INPUT");
    await page.keyboard.type("by keys");
    await page.keyboard.press("Enter");
    await page.getByText(users.createdTitle("by keys")).waitFor();
    await page.keyboard.press("c");
    await page.getByText(parts.copied).first().waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain("/sub/");
    await closed(visit);
  });

  test("on plain http a link is copied too, by the browser's old command", async () => {
    const { port } = new URL(stage.panel.url);
    const browser = await launchBrowser(["--host-resolver-rules=MAP panel.test 127.0.0.1"]);
    const visit = await Visit.open(browser, `http://panel.test:${port}`);
    await visit.signIn(ROOT.username, ROOT.password);
    await visit.go(`/users/${idOf(12)}`);
    expect(await visit.page.evaluate<boolean>("isSecureContext")).toBe(false);
    const { subUrl } = (await stage.panel.api.ok("GET", `/users/${idOf(12)}`)) as { subUrl: string };
    // The verdict above may offer it too.
    await visit.page.getByRole("button", { name: users.copyLink }).last().click();
    await visit.page.getByRole("button", { name: parts.copied }).waitFor();
    const field = visit.page.getByPlaceholder(words.shell.searchFor);
    await visit.page.keyboard.press("Control+k");
    await field.focus();
    await visit.page.keyboard.press("Control+v");
    await expect.poll(() => field.inputValue()).toBe(subUrl);
    // The browser tells that on plain http it heeds one header less.
    expect(visit.problems.filter((problem) => !problem.includes("Cross-Origin-Opener-Policy"))).toEqual([]);
    await browser.close();
  });

  test("on a phone a long press selects, a tap then adds, and targets are as large as a thumb", async () => {
    const visit = await stage.visit({ size: PHONE });
    const { page } = visit;
    await visit.go("/users?sort=id&order=asc");
    const card = page.locator("main li").filter({ hasText: "user-6" });
    await card.scrollIntoViewIfNeeded();
    const box = (await card.boundingBox()) ?? { x: 0, y: 0 };
    const touch = await visit.context.newCDPSession(page);
    await touch.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: box.x + 40, y: box.y + 30 }],
    });
    const bar = page.getByRole("toolbar", { name: parts.selection });
    await bar.waitFor();
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.getByRole("link", { name: "user-7" }).tap();
    await expect.poll(() => bar.getByRole("status").innerText()).toBe(parts.selected(2));
    expect(place(visit)).toBe("/users?sort=id&order=asc");
    const targets = await card
      .getByRole("button")
      .or(bar.getByRole("button", { name: users.renew }))
      .all();
    for (const target of targets) {
      const size = await target.boundingBox();
      expect([size?.width ?? 0, size?.height ?? 0].map((side) => side >= 44)).toEqual([true, true]);
    }
    expect(await visit.overflow()).toBeUndefined();
    expect(await visit.barriers()).toEqual([]);
    await closed(visit);
  });

  test("the list as a file holds all that match, in the columns that are shown, and no formula", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await stage.panel.api.make("users", { name: "=1+1 formula" });
    await visit.go("/users?q=formula");
    await row(visit, "=1+1 formula").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: parts.saveList }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("users.csv");
    const [head = "", ...lines] = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(head.split(",")[0]).toBe(`\uFEFF${users.columns.name}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^'=1\+1 formula,/);
    await closed(visit);
  });

  test("a screen reader's tree: landmarks, headings, search, filters and rows, each named, in the order of reading", async () => {
    const visit = await stage.visit();
    await visit.go("/users?q=user-1");
    await row(visit, "user-12").waitFor();
    const list = await visit.page.locator("body").ariaSnapshot();
    inOrder(list, [
      `link "${words.shell.skip}"`,
      `navigation "${words.shell.navigation}"`,
      "main",
      `heading "${users.title}" [level=1]`,
      `link "${users.add}"`,
      `searchbox "${users.search}"`,
      `button "${parts.columns}"`,
      "table",
      `columnheader "${users.columns.name}"`,
      `checkbox "${parts.select("user-12")}"`,
      `link "user-12"`,
      `combobox "${parts.pageSize}"`,
      `button "${parts.nextPage}"`,
    ]);
    await visit.go(`/users/${idOf(11)}`);
    await visit.page.getByRole("tab", { name: users.tabs.overview }).waitFor();
    const record = await visit.page.locator("body").ariaSnapshot();
    inOrder(record, [
      "main",
      `link "${users.title}"`,
      'heading "user-11" [level=1]',
      `switch`,
      `button "${users.renew}"`,
      `button "${parts.actionsOf("user-11")}"`,
      "tablist",
      `tab "${users.tabs.overview}" [selected]`,
      `tabpanel "${users.tabs.overview}"`,
      `heading "${users.usageTitle}" [level=2]`,
    ]);
    await visit.go("/");
    const front = await visit.page.locator("body").ariaSnapshot();
    inOrder(front, [`navigation "${words.shell.navigation}"`, "main", `heading "${overview.title}" [level=1]`]);
    await closed(visit);
  });

  test("of 10,000 rows those in sight are drawn: by the wheel, by keys and by the end of the list", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    const like = await stage.panel.api.ok("GET", `/users/${idOf(20)}`);
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      ...(like as object),
      id: index + 1,
      name: `row-${index}`,
      desc: index % 3 === 0 ? "with a note" : "",
    }));
    await page.route(/\/api\/v1\/users\?/, (route) => route.fulfill({ json: { items, total: items.length } }));
    await visit.go("/users?limit=1000");
    const drawn = page.locator("tr[data-place]");
    const frame = page.locator("div:has(> table[aria-rowcount='10001'])");
    await row(visit, "row-0").first().waitFor();
    expect(await drawn.count()).toBeLessThan(60);
    await frame.hover();
    await page.mouse.wheel(0, 5000);
    await expect.poll(() => drawn.first().getAttribute("data-place").then(Number)).toBeGreaterThan(50);
    await frame.evaluate((element: { scrollTop: number; scrollHeight: number }) => {
      element.scrollTop = element.scrollHeight;
    });
    await row(visit, "row-9999").waitFor();
    expect(await drawn.count()).toBeLessThan(60);
    // The cursor begins at the first row, and takes the list there.
    await page.keyboard.press("j");
    await expect.poll(() => page.locator("tr[data-cursor=true]").getAttribute("data-place")).toBe("0");
    expect(await row(visit, "row-1").first().isVisible()).toBe(true);
    await closed(visit);
  });

  test("the overview's tiles are a person's own: chosen and ordered here, the same on another device", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/");
    await page.getByRole("button", { name: overview.chooseTiles }).click();
    const kept = page.waitForResponse((response) => response.url().endsWith("/me/dashboard-tiles"));
    await page.getByRole("checkbox", { name: overview.tiles.spent }).check();
    await kept;
    const moved = page.waitForResponse((response) => response.url().endsWith("/me/dashboard-tiles"));
    await page.getByRole("button", { name: overview.tileUp(overview.tiles.spent) }).click();
    await moved;
    expect(await visit.barriers()).toEqual([]);
    await closed(visit);
    const other = await stage.visit({ size: PHONE });
    await other.go("/");
    const tiles = () =>
      other.page.locator("main section > a[class*=tileHead], main section > div[class*=tileHead]").allInnerTexts();
    await expect
      .poll(async () => (await tiles()).map((text) => text.split("\n")[0]))
      .toEqual([
        overview.tiles.users,
        overview.tiles.online,
        overview.tiles.nodes,
        overview.tiles.spent,
        overview.tiles.panel,
      ]);
    await closed(other);
  });

  // rule jobs.page.2
  test("all that match are meant without being read: counted before, changed by one job, and nobody beside them", async () => {
    const { api } = stage.panel;
    await makeUsers(api, 1005, (index) => ({
      name: `mass-${String(index).padStart(4, "0")}`,
      group: "mass",
      volume: 10 ** 9,
    }));
    const off = async (query: string) => {
      const { total } = (await api.ok("GET", `/users?status=disabled&${query}limit=1`)) as { total: number };
      return total;
    };
    const others = await off("");
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/users?group=mass&limit=25&sort=name&order=asc");
    await page.getByRole("checkbox", { name: parts.selectAll }).click();
    const bar = page.getByRole("toolbar", { name: parts.selection });
    await bar.getByRole("button", { name: parts.selectMatching(1005) }).click();
    await expect.poll(() => bar.getByRole("status").innerText()).toBe(parts.selected(1005));
    // On every page; who takes one out means those in sight without it.
    await page.keyboard.press("]");
    await row(visit, "mass-0025").waitFor();
    await tick(visit, "mass-0025").click();
    await expect.poll(() => bar.getByRole("status").innerText()).toBe(parts.selected(24));
    await tick(visit, "mass-0025").click();
    await bar.getByRole("button", { name: parts.selectMatching(1005) }).click();
    await bar.getByRole("button", { name: users.switchOff }).click();
    const dialog = page.getByRole("dialog", { name: users.bulkTitle(users.switchOff, 1005) });
    await dialog.getByText(words.jobs.trial(1005)).waitFor();
    // With another filter nobody asked for all.
    await page.keyboard.press("Escape");
    await page.getByPlaceholder(users.search).fill("mass-00");
    await expect.poll(() => bar.getByRole("status").innerText()).toMatch(new RegExp(`^${parts.selected(25)}`));
    await page.getByPlaceholder(users.search).fill("");
    await row(visit, "mass-0000").waitFor();
    await expect.poll(() => bar.getByRole("status").innerText()).toMatch(new RegExp(`^${parts.selected(25)}`));
    await page.getByRole("checkbox", { name: parts.selectAll }).click();
    await bar.getByRole("button", { name: parts.selectMatching(1005) }).click();
    await bar.getByRole("button", { name: users.switchOff }).click();
    await dialog.getByText(words.jobs.trial(1005)).waitFor();
    await dialog.getByRole("button", { name: users.switchOff }).click();
    await page.getByText(users.bulkDone(1005, 1005)).waitFor();
    expect([await off("group=mass&"), (await off("")) - 1005]).toEqual([1005, others]);
    await closed(visit);
  });
});

/** Each stands in the tree after the one before it. */
function inOrder(tree: string, wanted: readonly string[]): void {
  let rest = tree;
  for (const part of wanted) {
    const at = rest.indexOf(part);
    expect(at, `${part} after the others, in\n${tree}`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at + part.length);
  }
}
