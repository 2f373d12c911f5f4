// Checks the pages of an editor who can change settings, inbounds and fronts, but cannot read users. The pages show
// what leads customers somewhere, but do not let the editor change it, and say why. The rest is saved as usual.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const EDITOR = { username: "edda", password: "correct horse battery" };
const { fronts, parts, shell, subscription } = words;

describe.skipIf(!hasBrowser)("an editor who reads no users", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let front: number;
  let inbound: number;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    const api = await stage.panel.logIn();
    const scopes = ["settings:write", "pool:write"];
    await api.ok("POST", "/roles", { name: "editor", base: "admin", scopes });
    await api.ok("POST", "/admins", { ...EDITOR, role: "editor" });
    const config = { listen_port: 8080, transport: { type: "ws" } };
    inbound = await stage.panel.api.make("inbounds", { tag: "over-ws", type: "vless", config });
    front = await stage.panel.api.make("fronts", { name: "cdn", domain: "front.example", inboundIds: [inbound] });
    visit = await stage.visit({ signedIn: false });
    await visit.signIn(EDITOR.username, EDITOR.password);
  });
  afterAll(() => stage?.dispose());

  test("changes the words of settings, and no address", async () => {
    const { page } = visit;
    await visit.go("/settings?group=subscriptions");
    const support = page.locator("#setting-sub_support_url");
    await support.getByRole("img", { name: parts.leads }).waitFor();
    expect(await support.getByRole("textbox").isDisabled()).toBe(true);
    const title = page.locator("#setting-sub_title");
    await title.getByText(parts.leadsByLinks).waitFor();
    await title.getByRole("textbox").fill("My VPN");
    await page.getByRole("button", { name: parts.save, exact: true }).click();
    await expect.poll(async () => settingOf("sub_title")).toBe("My VPN");
    expect(await visit.barriers()).toEqual([]);
    await visit.go("/subscription");
    await page.getByText(parts.leadsByLinks).waitFor();
    await page.getByText(subscription.apps, { exact: true }).first().waitFor();
  });

  async function settingOf(key: string): Promise<unknown> {
    const { items } = (await stage.panel.api.ok("GET", `/settings?q=${key}`)) as {
      items: readonly { key: string; value: unknown }[];
    };
    return items.find((row) => row.key === key)?.value;
  }

  test("changes a front but for where it leads, and makes none", async () => {
    const { page } = visit;
    await visit.go("/fronts");
    await page.getByText("front.example").first().waitFor();
    expect(await page.getByRole("link", { name: fronts.add }).count()).toBe(0);
    await visit.go("/fronts/new");
    await page.getByText(shell.barred.text("editor", "users:read")).waitFor();
    visit.refused.length = 0;
    await visit.go(`/fronts/${front}`);
    await page.getByText(parts.leads).waitFor();
    for (const name of [fronts.fields.domain, fronts.fields.address, fronts.fields.sni])
      expect([name, await page.getByRole("textbox", { name, exact: true }).count()]).toEqual([name, 0]);
    await page.getByRole("textbox", { name: fronts.fields.remark, exact: true }).fill("by the CDN");
    await page.getByRole("button", { name: parts.save, exact: true }).click();
    await expect
      .poll(async () => ((await stage.panel.api.ok("GET", `/fronts/${front}`)) as { remark: string }).remark)
      .toBe("by the CDN");
    await visit.go(`/inbounds/${inbound}?tab=fronts`);
    await page.getByText(parts.leads).waitFor();
    expect(visit.refused).toEqual([]);
  });
});
