// Checks the pages of a caretaker who can change nodes, but cannot read users. The pages offer nothing that would send
// the accounts elsewhere, and say why. The rest of a node is edited as usual.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const CARETAKER = { username: "vera", password: "correct horse battery" };

describe.skipIf(!hasBrowser)("a caretaker of nodes", () => {
  let stage: BrowserStage;
  let visit: Visit;
  beforeAll(async () => {
    stage = await openStage();
    const api = await stage.panel.logIn();
    await api.ok("POST", "/roles", { name: "caretaker", base: "admin", scopes: ["nodes:write", "stats:read"] });
    await api.ok("POST", "/admins", { ...CARETAKER, role: "caretaker" });
    visit = await stage.visit({ signedIn: false });
    await visit.signIn(CARETAKER.username, CARETAKER.password);
  });
  afterAll(() => stage?.dispose());

  test("is offered no new node, and told which scope that takes", async () => {
    const { page } = visit;
    await visit.go("/nodes");
    await page.locator("main tbody tr").first().waitFor();
    expect(await page.getByRole("link", { name: words.nodes.add }).count()).toBe(0);
    for (const path of ["/nodes/new", "/nodes/start"]) {
      await visit.go(path);
      await page.getByText(words.shell.barred.text("caretaker", "users:read")).waitFor();
    }
  });

  test("edits a node, but neither where it is nor what it serves", async () => {
    const { page } = visit;
    visit.refused.length = 0;
    await visit.go(`/nodes/${stage.records.silent}?tab=settings`);
    await page.getByText(words.nodes.needsUsers).first().waitFor();
    for (const label of [
      words.nodes.fields.address,
      words.nodes.fields.port,
      words.nodes.fields.template,
      words.nodes.fields.linkAddress,
    ])
      expect([label, await page.getByLabel(label, { exact: true }).count()]).toEqual([label, 0]);
    expect(await page.getByRole("button", { name: words.nodes.verbs.move }).count()).toBe(0);
    await page.getByLabel(words.nodes.fields.remark, { exact: true }).fill("in the cellar");
    await page.getByRole("button", { name: words.parts.save, exact: true }).click();
    await page.getByText("in the cellar").first().waitFor();
    await page.getByRole("button", { name: /^Actions for / }).click();
    expect(await page.getByRole("menuitem", { name: words.nodes.verbs.repin }).isDisabled()).toBe(true);
    expect(visit.refused).toEqual([]);
  });
});
