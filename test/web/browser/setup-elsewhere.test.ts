// Setup that leads elsewhere: files that are not there are named at their field, and a panel under another name says
// where it is, with a way there that works.
import { afterAll, beforeAll, expect, test, describe } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";

const { session } = words;
const { setup } = session;
const { rules } = words.parts.refusals;

describe.skipIf(!hasBrowser)("setup that leads elsewhere", () => {
  let stage: BrowserStage;
  beforeAll(async () => {
    stage = await openStage({ pending: true });
  });
  afterAll(() => stage?.dispose());

  test("each refusal stands at its field; then the new name and the way by address are shown, and the latter signs in", async () => {
    const visit = await stage.visit({ signedIn: false });
    const { page } = visit;
    const [, link = ""] = /waits for setup: (\S+)/.exec(stage.panel.output) ?? [];
    await page.goto(link);
    const finish = () => page.getByRole("button", { name: setup.finish }).click();
    await page.getByLabel(session.username).fill("not a name");
    await page.getByLabel(session.password, { exact: true }).fill(ROOT.password);
    await page.getByLabel(setup.repeat, { exact: true }).fill(ROOT.password);
    await page.getByText(setup.tlsModes.files).click();
    await finish();
    await page.getByText(rules.required).first().waitFor();
    await page.getByLabel(setup.certFile).fill("/nowhere/panel.crt");
    await page.getByLabel(setup.keyFile).fill("/nowhere/panel.key");
    await page.getByLabel(setup.port).fill("70000");
    await finish();
    await page.getByText(rules.username).waitFor();
    await page.getByLabel(session.username).fill(ROOT.username);
    await finish();
    await page.getByText(rules.between(1, 65_535)).waitFor();
    await page.getByLabel(setup.port).fill("");
    await finish();
    await page.getByText("/nowhere/panel.crt does not exist", { exact: true }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await page.getByText(setup.tlsModes.none).click();
    await page.getByLabel(setup.domain).fill("panel.example");
    await finish();
    await page.getByRole("heading", { name: setup.moved }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    const named = await page.getByRole("link", { name: setup.open }).getAttribute("href");
    expect(named).toMatch(/^http:\/\/panel\.example(:\d+)?\/login$/);
    await page.getByRole("link", { name: "127.0.0.1" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await visit.signIn(ROOT.username, ROOT.password);
    expect(visit.problems).toEqual([]);
  });
});
