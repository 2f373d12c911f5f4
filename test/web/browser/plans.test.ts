// Plans by their pages: made and put into an order, a user made and renewed by one, and what a reseller that sells
// plans only is offered.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { parts, plans, users } = words;
const DAY = 86_400;

interface Rows {
  readonly items: readonly { readonly id: number; readonly name: string }[];
}

describe.skipIf(!hasBrowser)("plans", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const page = () => visit.page;
  const names = async () => ((await stage.panel.api.ok("GET", "/plans")) as Rows).items.map(({ name }) => name);
  const idOf = async (path: string, name: string) =>
    ((await stage.panel.api.ok("GET", path)) as Rows).items.find((row) => row.name === name)?.id ?? 0;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  test("a plan is made, and copied; the order is changed by keys and by drag", async () => {
    await visit.go("/plans");
    await page().keyboard.press("n");
    await page().getByRole("textbox", { name: plans.fields.name, exact: true }).fill("Gold");
    await page().getByLabel(users.fields.deviceLimit).fill("3");
    await page().getByRole("button", { name: plans.create }).click();
    await page().getByRole("link", { name: "Gold" }).waitFor();
    await page()
      .getByRole("button", { name: parts.actionsOf("Gold"), exact: true })
      .click();
    await page().getByRole("menuitem", { name: plans.copy }).click();
    const name = page().getByRole("textbox", { name: plans.fields.name, exact: true });
    await expect.poll(() => name.inputValue()).toBe("Gold 2");
    await name.fill("Silver");
    await page().getByRole("button", { name: plans.create }).click();
    await page().getByRole("link", { name: "Silver" }).waitFor();
    expect(await names()).toEqual(["Gold", "Silver"]);
    expect(await stage.panel.api.ok("GET", `/plans/${await idOf("/plans", "Silver")}`)).toMatchObject({
      deviceLimit: 3,
      days: 30,
    });

    await page().getByRole("button", { name: plans.order }).click();
    const up = page().getByRole("button", { name: plans.moveUp("Silver") });
    await up.focus();
    await page().keyboard.press("ArrowUp");
    await page().getByRole("button", { name: plans.saveOrder }).click();
    await expect.poll(names).toEqual(["Silver", "Gold"]);

    await page().getByRole("button", { name: plans.order }).click();
    const rows = page().getByRole("dialog").getByRole("listitem");
    await rows
      .filter({ hasText: "Gold" })
      .locator("[data-handle]")
      .dragTo(rows.filter({ hasText: "Silver" }));
    await page().getByRole("button", { name: plans.saveOrder }).click();
    await expect.poll(names).toEqual(["Gold", "Silver"]);
    expect(visit.problems).toEqual([]);
  });

  // A record that did not come: the page still has its heading and a way back, and comes when it is asked for again.
  test("a plan that fails to load is told as that, below the heading of the list", async () => {
    const own = await stage.visit();
    const { page: other } = own;
    const id = await idOf("/plans", "Gold");
    const path = `**/api/v1/plans/${id}`;
    await other.route(path, (route) => route.fulfill({ status: 500, json: {} }));
    await own.go(`/plans/${id}`);
    await other.getByRole("alert").waitFor();
    expect(await other.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual([plans.title]);
    await other.unroute(path);
    await other.getByRole("button", { name: parts.retry }).click();
    await other.getByRole("heading", { level: 1, name: "Gold" }).waitFor();
    await own.close();
  });

  // rule users.renew.8
  test("a user by a plan needs a name alone; a renewal by a plan says its end first", async () => {
    const plan = await idOf("/plans", "Gold");
    await visit.go("/plans");
    await page()
      .getByRole("button", { name: parts.actionsOf("Gold"), exact: true })
      .click();
    await page().getByRole("menuitem", { name: plans.newUser }).click();
    await expect.poll(() => page().getByLabel(users.fields.volume).count()).toBe(0);
    await page().getByRole("textbox", { name: users.fields.name, exact: true }).fill("anna");
    await page().getByRole("button", { name: users.create, exact: true }).click();
    await page().getByText(users.createdTitle("anna")).waitFor();
    const id = await idOf("/users", "anna");
    const read = () => stage.panel.api.ok("GET", `/users/${id}`) as Promise<{ expiry: number }>;
    const { expiry, ...made } = await read();
    expect(made).toMatchObject({ deviceLimit: 3, duration: 0 });

    await visit.go(`/users/${id}`);
    await page().keyboard.press("r");
    const dialog = page().getByRole("dialog");
    await dialog.getByLabel(users.renewByPlan, { exact: true }).check();
    await dialog.getByRole("combobox", { name: users.renewPlanName }).selectOption(String(plan));
    await dialog.getByRole("table", { name: users.renewFacts }).waitFor();
    await dialog.getByRole("button", { name: users.renew }).click();
    await expect.poll(async () => (await read()).expiry).toBe(expiry + 30 * DAY);
    expect(visit.problems).toEqual([]);
  });

  test("a plan and a user are limited to some inbounds, and the record says to which", async () => {
    const { api } = stage.panel;
    const made = (await api.ok("POST", "/inbounds", {
      tag: "only-this",
      remark: "fast",
      type: "vless",
      config: { listen_port: 4433 },
    })) as { id: number };
    await api.ok("POST", "/templates", { name: "limited", inboundIds: [made.id] });
    const all = () => page().getByRole("switch", { name: users.fields.allInbounds });
    const choose = async () => {
      expect(await page().getByRole("combobox", { name: users.fields.inboundIds }).count()).toBe(0);
      await all().click({ force: true });
      await page().getByRole("combobox", { name: users.fields.inboundIds }).click();
      await page().getByRole("option", { name: "only-this · fast" }).click();
      await page().keyboard.press("Escape");
    };
    await visit.go(`/plans/${await idOf("/plans", "Silver")}`);
    await choose();
    await page().getByRole("button", { name: parts.save, exact: true }).click();
    const plan = async () => (await api.ok("GET", `/plans/${await idOf("/plans", "Silver")}`)) as object;
    await expect.poll(plan).toMatchObject({ inboundIds: [made.id], deviceLimit: 3 });

    const config = { by: { trojan: { password: "from-elsewhere" } } };
    const user = (await api.ok("POST", "/users", { name: "limited", config })) as { id: number };
    await visit.go(`/users/${user.id}?tab=edit`);
    await choose();
    await page().getByRole("button", { name: parts.save, exact: true }).click();
    const stored = () => api.ok("GET", `/users/${user.id}`);
    await expect.poll(stored).toMatchObject({ inboundIds: [made.id] });
    await visit.go(`/users/${user.id}`);
    await page().getByText("only-this · fast").waitFor();
    // Credentials for one protocol are shown where there are some.
    await page().getByText(users.otherLinks).click();
    await page().getByText(`${users.password} (trojan)`).waitFor();
    await page().getByText("from-elsewhere").waitFor();
    await visit.go(`/users/${user.id}?tab=edit`);
    await all().click({ force: true });
    await page().getByRole("button", { name: parts.save, exact: true }).click();
    await expect.poll(stored).toMatchObject({ inboundIds: null });
    await api.ok("PUT", `/plans/${await idOf("/plans", "Silver")}`, { ...(await plan()), inboundIds: null });
    expect(visit.problems).toEqual([]);
  });

  // rule users.owner.5
  test("a reseller that sells plans only is offered its own, and changes none", async () => {
    const { api } = stage.panel;
    const reseller = { username: "shop", password: ROOT.password, role: "resale" };
    const granted = { plansOnly: true, planIds: [await idOf("/plans", "Silver")] };
    await api.ok("POST", "/admins", { ...reseller, ...granted });
    const theirs = await stage.visit({ signedIn: false });
    await theirs.signIn("shop", ROOT.password);
    await theirs.go("/plans");
    await theirs.page.getByRole("link", { name: "Silver" }).click();
    const name = theirs.page.getByRole("textbox", { name: plans.fields.name, exact: true });
    await expect.poll(() => name.isDisabled()).toBe(true);
    // It can be read all the same.
    expect(await theirs.page.evaluate("getComputedStyle(document.querySelector('main input:disabled')).opacity")).toBe(
      "1",
    );
    expect(await theirs.page.getByRole("button", { name: plans.remove }).count()).toBe(0);
    await theirs.go("/users/new");
    // One plan is no choice: it is chosen already.
    const choice = theirs.page.getByRole("combobox", { name: users.fields.plan });
    await expect.poll(() => choice.inputValue()).toBe("Silver");
    await choice.click();
    expect(await theirs.page.getByRole("option").allInnerTexts()).toEqual(["Silver"]);
    await theirs.page.keyboard.press("Escape");
    await theirs.page.getByRole("textbox", { name: users.fields.name, exact: true }).fill("sold");
    await theirs.page.getByRole("button", { name: users.create, exact: true }).click();
    await theirs.page.getByText(users.createdTitle("sold")).waitFor();
    expect(await api.ok("GET", `/users/${await idOf("/users", "sold")}`)).toMatchObject({ deviceLimit: 3 });
    // Nobody is offered what is refused: it renews, and resets nothing.
    await theirs.go("/users");
    await theirs.page.getByRole("button", { name: parts.actionsOf("sold"), exact: true }).click();
    await theirs.page.getByRole("menuitem", { name: users.renew }).waitFor();
    expect(await theirs.page.getByRole("menuitem", { name: users.resetUsage }).count()).toBe(0);
    await theirs.page.getByRole("menuitem", { name: users.renew }).click();
    const dialog = theirs.page.getByRole("dialog");
    await dialog.getByLabel(users.renewByPlan, { exact: true }).check();
    expect(await dialog.getByRole("radio").count()).toBe(2);
    expect(await dialog.getByRole("combobox", { name: users.renewPlanName }).inputValue()).toBe(
      String(await idOf("/plans", "Silver")),
    );
    await theirs.page.keyboard.press("Escape");
    await theirs.go(`/users/${await idOf("/users", "sold")}?tab=edit`);
    await theirs.page.getByRole("textbox", { name: users.fields.desc, exact: true }).waitFor();
    for (const label of [users.fields.volume, users.fields.expiry, users.fields.speedLimit, users.fields.deviceLimit])
      expect(await theirs.page.getByRole("textbox", { name: label, exact: true }).count()).toBe(0);
    await theirs.page.keyboard.press("Control+k");
    await theirs.page.getByPlaceholder(words.shell.searchFor).waitFor();
    const offered = (await theirs.page.getByRole("dialog").innerText()).split("\n");
    expect(offered).toContain(words.titles.newUser);
    expect(offered).not.toContain(words.titles.newPlan);
    await theirs.page.keyboard.press("Escape");
    await theirs.go("/users");
    await theirs.page.getByRole("checkbox", { name: parts.select("sold"), exact: true }).click();
    await theirs.page.getByRole("button", { name: users.switchOff, exact: true }).first().waitFor();
    for (const label of [users.resetUsage, users.extend])
      expect(await theirs.page.getByRole("button", { name: label, exact: true }).count()).toBe(0);
    expect(theirs.problems).toEqual([]);
    await theirs.close();
  });
});
