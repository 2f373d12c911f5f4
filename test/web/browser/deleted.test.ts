// Deleted users by their page: taken back right after the deletion, looked for, brought back one and many, under other
// values where others have them, and forgotten for ever. A reseller does the same with its own.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { deleted, parts, users, titles } = words;

describe.skipIf(!hasBrowser)("deleted users", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const page = () => visit.page;
  const make = async (name: string, fields: object = {}): Promise<number> =>
    ((await stage.panel.api.ok("POST", "/users", { name, ...fields })) as { id: number }).id;
  const remove = (id: number) => stage.panel.api.ok("DELETE", `/users/${id}`);
  const there = async (name: string): Promise<boolean> =>
    ((await stage.panel.api.ok("GET", `/users?name=${encodeURIComponent(name)}`)) as { total: number }).total > 0;
  const menu = async (name: string, item: string, of: Visit = visit): Promise<void> => {
    await of.page
      .getByRole("button", { name: parts.actionsOf(name), exact: true })
      .first()
      .click();
    await of.page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  const answer = (button: string, of: Visit = visit) =>
    of.page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  // rule users.deleted.10
  test("the message of a deletion takes it back", async () => {
    const id = await make("slip");
    await visit.go(`/users?q=slip`);
    await menu("slip", users.remove);
    await answer(users.remove);
    await page().getByText(users.removed("slip")).first().waitFor();
    expect(await there("slip")).toBe(false);
    await page().getByRole("button", { name: parts.undo }).first().click();
    await page().getByText(users.restored("slip")).first().waitFor();
    expect(await stage.panel.api.ok("GET", `/users/${id}`)).toMatchObject({ name: "slip", enable: true });
    expect(visit.problems).toEqual([]);
  });

  // rule users.deleted.10
  test("one comes back by its row, after what it will be is said; others have its name by now", async () => {
    const ended = await make("ended", { expiry: Math.floor(Date.now() / 1000) - 60 });
    const taken = await make("taken");
    for (const id of [ended, taken]) await remove(id);
    await make("taken");
    await visit.go("/users");
    await page().getByRole("button", { name: users.moreActions }).click();
    await page().getByRole("menuitem", { name: titles.deletedUsers }).click();
    await page().getByRole("heading", { name: deleted.title }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await menu("ended", deleted.restore);
    await page().getByRole("dialog").getByText("It comes back switched off.").waitFor();
    await answer(deleted.restore);
    await page().getByText(deleted.restored("ended")).first().waitFor();
    expect(await there("ended")).toBe(true);

    await menu("taken", deleted.restore);
    const name = page().getByRole("dialog").getByLabel(deleted.name, { exact: true });
    await name.fill("taken-2");
    expect(await visit.barriers()).toEqual([]);
    await answer(deleted.restore);
    await page().getByText(deleted.restored("taken-2")).first().waitFor();
    expect(await there("taken-2")).toBe(true);
    await page().getByText(deleted.none).waitFor();
    expect(visit.problems).toEqual([]);
  });

  // rule users.deleted.10
  test("many come back at once, and those that cannot stay; one is forgotten for ever", async () => {
    const ids = [await make("many-1"), await make("many-2"), await make("many-3")];
    for (const id of ids) await remove(id);
    await make("many-2");
    await visit.go("/users/deleted?q=many-");
    for (const name of ["many-1", "many-2", "many-3"])
      await page()
        .getByRole("checkbox", { name: parts.select(name), exact: true })
        .click();
    const bar = page().getByRole("toolbar", { name: parts.selection });
    await bar.getByRole("button", { name: deleted.restore }).click();
    await answer(deleted.restore);
    await page().getByText(deleted.restoredMany(2, 3)).first().waitFor();
    expect([await there("many-1"), await there("many-3")]).toEqual([true, true]);
    await menu("many-2", deleted.forget);
    await answer(deleted.forget);
    await page().getByText(deleted.forgotten("many-2")).first().waitFor();
    expect((await stage.panel.api.ok("GET", "/users/deleted?q=many-")) as object).toMatchObject({ total: 0 });
    expect(visit.problems).toEqual([]);
  });

  // rule users.deleted.6
  test("a reseller finds its own alone, and brings them back", async () => {
    await remove(await make("of-the-panel"));
    await stage.panel.api.ok("POST", "/admins", { username: "shop", password: ROOT.password, role: "resale" });
    const login = await new Api(stage.panel.url).request("POST", "/api/v1/login", {
      username: "shop",
      password: ROOT.password,
    });
    const api = new Api(stage.panel.url, { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" });
    const { id } = (await api.ok("POST", "/users", { name: "of-the-shop" })) as { id: number };
    await api.ok("DELETE", `/users/${id}`);
    const theirs = await stage.visit({ signedIn: false });
    await theirs.signIn("shop", ROOT.password);
    theirs.refused.length = 0;
    await theirs.go("/users/deleted");
    await theirs.page.getByText("of-the-shop").first().waitFor();
    expect(await theirs.page.getByText("of-the-panel").count()).toBe(0);
    await menu("of-the-shop", deleted.restore, theirs);
    await answer(deleted.restore, theirs);
    await theirs.page.getByText(deleted.restored("of-the-shop")).first().waitFor();
    expect([theirs.refused, theirs.problems]).toEqual([[], []]);
  });
});
