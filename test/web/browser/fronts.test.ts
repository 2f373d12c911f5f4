// Fronts by their pages: one is made and says what clients get of it, an inbound's are chosen and put into an order,
// and a reseller has none of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const { fronts, parts, shell } = words;

interface Row {
  readonly id: number;
  readonly name: string;
}

describe.skipIf(!hasBrowser)("fronts", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let ws: number;
  const page = () => visit.page;
  const field = (name: string) => page().getByRole("textbox", { name, exact: true });
  const chosen = async () =>
    ((await stage.panel.api.ok("GET", `/inbounds/${ws}/fronts`)) as readonly Row[]).map(({ name }) => name);
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    const inbound = (tag: string, transport?: string) =>
      stage.panel.api.make("inbounds", {
        tag,
        type: "vless",
        config: { listen_port: 8080, ...(transport && { transport: { type: transport } }) },
      });
    ws = await inbound("over-ws", "ws");
    await inbound("plain");
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  test("one is made for an inbound, with what clients get of it beside the form", async () => {
    await visit.go("/fronts");
    await page().getByText(fronts.none.title).waitFor();
    await page().keyboard.press("n");
    await field(fronts.fields.name).fill("cdn");
    await field(fronts.fields.domain).fill("front.example");
    await page().getByRole("combobox", { name: fronts.fields.inboundIds, exact: true }).click();
    expect(await page().getByRole("option").allInnerTexts()).toEqual(["over-ws"]);
    await page().getByRole("option", { name: "over-ws" }).click();
    await page().keyboard.press("Escape");
    await page().getByText("front.example:443").waitFor();
    await field(fronts.fields.address).fill("203.0.113.9");
    await page().getByText("203.0.113.9:443").waitFor();
    await page().getByRole("button", { name: fronts.create }).click();
    await page().getByRole("heading", { name: "cdn", level: 1 }).waitFor();
    expect(await chosen()).toEqual(["cdn"]);
    expect(await visit.barriers()).toEqual([]);

    await field(fronts.fields.sni).fill("a b");
    await page().getByRole("button", { name: parts.save }).click();
    await page()
      .getByRole("link", { name: new RegExp(fronts.fields.sni) })
      .waitFor();
    await field(fronts.fields.sni).fill("sni.example");
    await page().getByRole("button", { name: parts.save }).click();
    await page().getByText(fronts.saved("cdn")).waitFor();
    await page().getByRole("button", { name: fronts.switchOff }).click();
    await page().getByText(fronts.gives.off).waitFor();
    await page().getByRole("button", { name: fronts.switchOn }).click();
    await page().getByText("203.0.113.9:443").waitFor();
    expect(visit.problems).toEqual([]);
  });

  test("the fronts of an inbound are chosen on its page and put into an order", async () => {
    await stage.panel.api.make("fronts", { name: "second", domain: "second.example" });
    await visit.go(`/inbounds/${ws}?tab=fronts`);
    await page().getByText(fronts.of.order).waitFor();
    await page().getByRole("combobox", { name: fronts.of.choose }).click();
    await page().getByRole("option", { name: "second · second.example" }).click();
    await page()
      .getByRole("button", { name: fronts.of.moveUp("second") })
      .focus();
    await page().keyboard.press("ArrowUp");
    expect(await visit.barriers()).toEqual([]);
    await page().getByRole("button", { name: parts.save }).click();
    await page().getByText(fronts.of.saved("over-ws")).waitFor();
    expect(await chosen()).toEqual(["second", "cdn"]);
    await page()
      .getByRole("button", { name: fronts.of.take("cdn") })
      .click();
    await page().getByRole("button", { name: parts.save }).click();
    await expect.poll(chosen).toEqual(["second"]);
    await visit.go(`/inbounds?q=plain`);
    await page().getByRole("link", { name: "plain" }).click();
    await page().getByRole("tab", { name: fronts.title }).click();
    await page().getByText(fronts.help.inboundIds).waitFor();
    expect(await page().getByRole("link", { name: fronts.of.newOne }).count()).toBe(0);

    const phone = await stage.visit({ size: PHONE, locale: "fa-IR" });
    await phone.go(`/inbounds/${ws}?tab=fronts`);
    await phone.page.getByText("second.example").waitFor();
    expect([await phone.overflow(), await phone.wordless(), await phone.barriers()]).toEqual([undefined, [], []]);
    await phone.close();
    expect(visit.problems).toEqual([]);
  });

  test("one is deleted, and a reseller reads none", async () => {
    await visit.go("/fronts");
    await page()
      .getByRole("button", { name: parts.actionsOf("second"), exact: true })
      .click();
    await page().getByRole("menuitem", { name: fronts.remove }).click();
    await page().getByRole("dialog").getByRole("button", { name: fronts.remove }).click();
    await expect.poll(chosen).toEqual([]);
    await stage.panel.api.ok("POST", "/admins", { username: "shop", password: ROOT.password, role: "resale" });
    const theirs = await stage.visit({ signedIn: false });
    await theirs.signIn("shop", ROOT.password);
    expect(await theirs.page.getByRole("link", { name: fronts.title, exact: true }).count()).toBe(0);
    await theirs.go("/fronts");
    await theirs.page.getByText(shell.barred.text("resale", "pool:read")).waitFor();
    expect(theirs.problems).toEqual([]);
    await theirs.close();
    expect(visit.problems).toEqual([]);
  });
});
