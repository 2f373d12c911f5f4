// Work on many users by its pages: a bulk operation with what it would do, taken back; users from a pattern and from a
// file; the list as a file. A reseller does the same with its own.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { parts, users, jobs, titles } = words;
const GIB = 2 ** 30;

interface Rows {
  readonly items: readonly { readonly id: number; readonly name: string; readonly enable: boolean }[];
  readonly total: number;
}

describe.skipIf(!hasBrowser)("jobs", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const page = () => visit.page;
  const found = async (query: string) => (await stage.panel.api.ok("GET", `/users?sort=id&${query}`)) as Rows;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  test("a selection is switched off as one job, which is taken back on its page", async () => {
    const made = Array.from({ length: 3 }, (_, index) => ({ name: `bulk-${index}`, group: "bulk" }));
    await stage.panel.api.ok("POST", "/users/batch", { users: made });
    await visit.go("/users?q=bulk-");
    for (const { name } of made)
      await page()
        .getByRole("checkbox", { name: parts.select(name), exact: true })
        .click();
    const bar = page().getByRole("toolbar", { name: parts.selection });
    await bar.getByRole("button", { name: users.switchOff }).click();
    const dialog = page().getByRole("dialog");
    await dialog.getByText(jobs.trial(3)).waitFor();
    await dialog.getByRole("button", { name: users.switchOff }).click();
    await page().getByText(users.bulkDone(3, 3)).first().waitFor();
    expect((await found("group=bulk")).items.every(({ enable }) => !enable)).toBe(true);

    await visit.go("/jobs");
    await page().getByRole("link", { name: jobs.works.disable }).first().click();
    await page().getByText(jobs.states.succeeded).first().waitFor();
    await page().reload();
    await page().getByText(jobs.progress("3", "3")).first().waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page().getByRole("button", { name: jobs.undo }).click();
    await page().getByRole("dialog").getByRole("button", { name: jobs.undo }).click();
    await page()
      .getByRole("heading", { name: jobs.undoOf(jobs.works.disable) })
      .waitFor();
    await page().getByText(jobs.states.succeeded).first().waitFor();
    expect((await found("group=bulk")).items.every(({ enable }) => enable)).toBe(true);
    expect(visit.problems).toEqual([]);
  });

  // rule jobs.page.1
  test("volume and time are added to a selection, and the same fields are written into it", async () => {
    const expiry = Math.floor(Date.now() / 1000) + 86_400;
    const made = Array.from({ length: 3 }, (_, index) => ({ name: `more-${index}`, volume: 5 * GIB, expiry }));
    await stage.panel.api.ok("POST", "/users/batch", { users: made });
    await visit.go("/users?q=more-");
    const choose = async () => {
      for (const { name } of made)
        await page()
          .getByRole("checkbox", { name: parts.select(name), exact: true })
          .check();
    };
    const bar = page().getByRole("toolbar", { name: parts.selection });
    const dialog = page().getByRole("dialog");
    await choose();
    await bar.getByRole("button", { name: users.extend }).click();
    await dialog.getByRole("textbox", { name: users.extendVolume }).fill("3");
    await dialog.getByRole("textbox", { name: users.extendTime }).fill("2");
    await dialog.getByText(jobs.trial(3)).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await dialog.getByRole("button", { name: users.extend }).click();
    await page().getByText(users.bulkDone(3, 3)).first().waitFor();
    const more = { volume: 8 * GIB, expiry: expiry + 2 * 86_400 };
    expect((await found("q=more-")).items).toMatchObject(made.map(() => more));

    await visit.go("/users?q=more-");
    await choose();
    await bar.getByRole("button", { name: users.edit, exact: true }).click();
    const fields = dialog.getByRole("combobox", { name: users.bulkFields });
    for (const label of [users.fields.group, users.fields.deviceLimit]) {
      await fields.fill(label);
      await page().getByRole("option", { name: label, exact: true }).click();
    }
    await dialog.getByRole("textbox", { name: users.fields.group, exact: true }).fill("gold");
    await dialog.getByRole("textbox", { name: users.fields.deviceLimit, exact: true }).fill("4");
    await dialog.getByText(jobs.trial(3)).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await dialog.getByRole("button", { name: users.edit, exact: true }).click();
    await expect.poll(async () => (await found("group=gold")).total).toBe(3);
    expect((await found("group=gold")).items).toMatchObject(made.map(() => ({ deviceLimit: 4, volume: 8 * GIB })));
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  test("a form whose plans and templates do not come says so, and takes them when they are asked for again", async () => {
    const made = (await stage.panel.api.ok("POST", "/plans", { name: "gift", volume: GIB })) as { id: number };
    const lost = await stage.visit();
    await lost.page.route(/\/api\/v1\/(plans|templates)\?/, (route) => route.abort());
    await lost.go("/users/generate");
    const alert = lost.page.getByRole("alert");
    await alert.waitFor();
    await lost.page.unroute(/\/api\/v1\/(plans|templates)\?/);
    await alert.getByRole("button", { name: parts.retry }).click();
    await alert.waitFor({ state: "detached" });
    await lost.page.getByLabel(users.fields.plan, { exact: true }).first().waitFor();
    await lost.close();
    await stage.panel.api.ok("DELETE", `/plans/${made.id}`);
  });

  test("names are shown before users are made by them; they come as a table and as codes", async () => {
    await visit.go("/users");
    await page().getByRole("button", { name: users.moreActions }).click();
    await page().getByRole("menuitem", { name: titles.generateUsers }).click();
    const pattern = page().getByRole("textbox", { name: jobs.pattern, exact: true });
    await pattern.fill("gift-{x}");
    await page().getByText(jobs.patternWrong).waitFor();
    await pattern.fill("gift-{n:2}");
    await page().getByLabel(jobs.howMany).fill("5");
    await page().getByText("gift-01, gift-02, gift-03, …, gift-05").waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page().getByRole("button", { name: jobs.generateStart, exact: true }).click();
    await page().getByRole("button", { name: jobs.csv }).waitFor();
    expect((await found("q=gift-")).total).toBe(5);
    const saved = page().waitForEvent("download");
    await page().getByRole("button", { name: jobs.csv }).click();
    const lines = readFileSync(await (await saved).path(), "utf8").split("\r\n");
    expect(lines[0]).toBe("\uFEFFid,name,subUrl");
    expect(lines[1]).toContain("gift-01,http");
    await page().getByRole("link", { name: jobs.codes }).click();
    await page().getByRole("img", { name: "QR: gift-05" }).waitFor();
    expect(await page().getByRole("main").getByRole("listitem").count()).toBe(5);
    expect(await visit.barriers()).toEqual([]);
    expect(visit.problems).toEqual([]);
  });

  test("the list is a file; a file is imported, and its bad lines are listed", async () => {
    await visit.go("/users?q=gift-");
    await page().getByRole("button", { name: users.moreActions }).click();
    const saved = page().waitForEvent("download");
    await page().getByRole("menuitem", { name: users.exportCsv }).click();
    const file = readFileSync(await (await saved).path(), "utf8");
    expect(file.split("\r\n").filter((line) => line.includes("gift-"))).toHaveLength(5);
    await visit.go("/users/import");
    // The button is the page's own, in the reader's language: a browser's says what the browser likes.
    await page().getByText(jobs.chooseFile).waitFor();
    await page()
      .locator("input[type=file]")
      .setInputFiles({
        name: "friends.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("name,volume\nfriend-1,5\nfriend-2,lots\ngift-01,7\n"),
      });
    await page().getByLabel(jobs.conflicts.update).check();
    expect(await visit.barriers()).toEqual([]);
    await page().getByRole("button", { name: jobs.importCheck, exact: true }).click();
    // Checked first: nothing is written, and each problem is listed with what was read.
    const check = page().getByRole("region", { name: jobs.checkTitle });
    await check.getByText(jobs.checkCounts.create(1, "1"), { exact: true }).waitFor();
    await check.getByText(jobs.checkCounts.fail(1, "1"), { exact: true }).waitFor();
    const refused = page().getByRole("table", { name: jobs.refusedTable });
    expect(await refused.getByRole("row").nth(1).innerText()).toMatch(/^3\b[^]*volume[^]*lots[^]*50GB/);
    expect(await visit.barriers()).toEqual([]);
    const problems = page().waitForEvent("download");
    await check.getByRole("button", { name: jobs.leftCsv }).click();
    expect(readFileSync(await (await problems).path(), "utf8")).toContain("3,friend-2,volume,lots,size,");
    expect((await found("q=friend-")).total).toBe(0);
    await page().getByRole("button", { name: jobs.importStart, exact: true }).click();
    await page().getByText(jobs.states.succeeded).first().waitFor();
    await expect.poll(() => refused.innerText()).toContain("volume");
    expect(await refused.getByRole("row").nth(1).innerText()).toMatch(/^3\b/);
    // In the person's words, not those of a validator.
    expect(await refused.innerText()).not.toContain("Invalid input");
    expect(await refused.innerText()).toContain("validation");
    expect((await found("q=friend-")).total).toBe(1);
    expect(await visit.barriers()).toEqual([]);
    expect(visit.problems).toEqual([]);
  });

  // rule jobs.page.3
  test("lines that were skipped are listed apart from those that were refused, and all come as a file", async () => {
    await stage.panel.api.ok("POST", "/users/batch", { users: [{ name: "here-1" }, { name: "here-2" }] });
    await visit.go("/users/import");
    const buffer = Buffer.from("name,volume,group\nhere-1,,\nhere-3,lots,\nhere-2,,\nhere-4,1,\nhere-5,1,\u0007\n");
    await page().locator("input[type=file]").setInputFiles({ name: "again.csv", mimeType: "text/csv", buffer });
    await page().getByLabel(jobs.emptyChoices.unlimited).check();
    await page().getByRole("button", { name: jobs.importCheck, exact: true }).click();
    await page().getByRole("button", { name: jobs.importStart, exact: true }).click();
    await page().getByText(jobs.states.succeeded).first().waitFor();
    const table = page().getByRole("table", { name: jobs.refusedTable });
    const cells = async () =>
      (await table.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split(/\s+/).slice(0, 3));
    await expect.poll(cells).toEqual([
      ["3", "here-3", "volume"],
      ["6", "here-5", "group"],
    ]);
    expect(await visit.barriers()).toEqual([]);
    await page().getByText(`${jobs.facts.skipped}: 2`, { exact: true }).click();
    await expect.poll(cells).toEqual([
      ["2", "here-1", "–"],
      ["4", "here-2", "–"],
    ]);
    await table.getByText(jobs.exists).first().waitFor();
    const saved = page().waitForEvent("download");
    await page().getByRole("button", { name: jobs.leftCsv }).click();
    const rows = readFileSync(await (await saved).path(), "utf8").split("\r\n");
    expect(rows.map((row) => row.split(",").slice(0, 2).join(","))).toEqual([
      "\uFEFFline,outcome",
      "2,skipped",
      "3,refused",
      "4,skipped",
      "6,refused",
      "",
    ]);
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  test("a reseller sees and makes its own alone", async () => {
    await stage.panel.api.ok("POST", "/admins", { username: "shop", password: ROOT.password, role: "resale" });
    const theirs = await stage.visit({ signedIn: false });
    await theirs.signIn("shop", ROOT.password);
    theirs.refused.length = 0;
    await theirs.go("/jobs");
    await theirs.page.getByText(jobs.none).waitFor();
    await theirs.page.getByRole("link", { name: jobs.works.generate }).click();
    await theirs.page.getByRole("textbox", { name: jobs.pattern, exact: true }).fill("shop-{n}");
    await theirs.page.getByRole("button", { name: jobs.generateStart, exact: true }).click();
    await theirs.page.getByRole("button", { name: jobs.csv }).waitFor();
    await theirs.go("/users");
    await theirs.page.getByRole("checkbox", { name: parts.select("shop-3"), exact: true }).click();
    await theirs.page
      .getByRole("toolbar", { name: parts.selection })
      .getByRole("button", { name: users.remove })
      .click();
    await theirs.page.getByRole("dialog").getByRole("button", { name: users.remove }).click();
    await theirs.page.getByText(users.bulkDone(1, 1)).first().waitFor();
    expect((await found("q=shop-")).total).toBe(9);
    await theirs.go("/jobs");
    await expect.poll(() => theirs.page.locator("main tbody tr").count()).toBe(2);
    await theirs.go("/users/import");
    const buffer = Buffer.from("Name,Volume\nshop-file-1,1GB\nshop-file-2,\n,,\n");
    await theirs.page.locator("input[type=file]").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer });
    await theirs.page.getByRole("button", { name: jobs.importCheck, exact: true }).click();
    await theirs.page.getByText(jobs.checkCounts.create(1, "1"), { exact: true }).waitFor();
    await theirs.page.getByRole("button", { name: jobs.importStart, exact: true }).click();
    await theirs.page.getByText(jobs.states.succeeded).first().waitFor();
    expect((await found("q=shop-file")).items).toMatchObject([{ name: "shop-file-1", volume: GIB }]);
    expect(theirs.problems).toEqual([]);
    expect(theirs.refused).toEqual([]);
    await theirs.close();
  });
});
