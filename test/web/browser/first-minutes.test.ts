// The first minutes of a new panel by its pages alone: setup, a node, a user, the subscription link, sign out.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

describe.skipIf(!hasBrowser)("the first minutes", () => {
  let stage: BrowserStage;
  let visit: Visit;
  beforeAll(async () => {
    stage = await openStage({ pending: true });
    visit = await stage.visit({ signedIn: false });
  });
  afterAll(() => stage?.dispose());

  test("the printed link opens setup; afterwards the page finds the panel that restarted", async () => {
    const [, link = ""] = /waits for setup: (\S+)/.exec(stage.panel.output) ?? [];
    const { page } = visit;
    await page.goto(link);
    const { setup } = words.session;
    expect(await visit.barriers()).toEqual([]);
    await page.getByLabel(words.session.username).fill(ROOT.username);
    await page.getByLabel(words.session.password, { exact: true }).fill(ROOT.password);
    await page.getByLabel(setup.repeat, { exact: true }).fill("something else");
    // On this machine alone: no certificate is in the way, and what the choice does to links is said.
    expect(await page.getByRole("radio", { name: setup.tlsModes.none }).isChecked()).toBe(true);
    const links = page.getByText(setup.links);
    expect(await links.innerText()).toMatch(/ http:\/\/127\.0\.0\.1:\d+\/$/);
    await page.getByRole("radio", { name: setup.tlsModes.self_signed }).click();
    await expect.poll(() => links.innerText()).toMatch(/ https:\/\//);
    await page.getByText(setup.tlsModes.none).click();
    await page.getByRole("button", { name: setup.finish }).click();
    await page.getByText(setup.differs).waitFor();
    await page.getByLabel(setup.repeat, { exact: true }).fill(ROOT.password);
    await page.getByRole("button", { name: setup.finish }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await visit.signIn(ROOT.username, ROOT.password);
  });

  test("the overview leads to a first node on this machine, and the page follows until it is connected", async () => {
    const { page } = visit;
    const { start, connect } = words.nodes;
    await page.locator("main").getByRole("link", { name: words.overview.steps.serve.action }).click();
    await page.waitForURL((url) => url.pathname === "/nodes/start");
    const [port = 0, agentPort = 0] = await quietPorts(2);
    // The usual port of an agent may be another panel's on this machine.
    await page.route("**/api/v1/nodes", (route) => {
      const body = route.request().postDataJSON() as { port: number } | null;
      return body === null ? route.continue() : route.continue({ postData: { ...body, port: agentPort } });
    });
    await page.getByLabel(start.port).fill(String(port));
    await page.getByLabel(words.nodes.fields.linkAddress).fill("127.0.0.1");
    await page.getByRole("button", { name: start.submit }).click();
    await page.getByText(connect.connected(start.nodeName)).waitFor();
    for (const made of [`vless-${port}`, start.templateName])
      await page.locator("main").getByRole("link", { name: made, exact: true }).waitFor();
  });

  test("a name makes a user, and its link is copied with one press: it leads to that node", async () => {
    const { page } = visit;
    await page.getByRole("link", { name: words.nodes.start.user }).click();
    await page.getByRole("textbox", { name: words.users.columns.name, exact: true }).fill("anna");
    await page.getByRole("button", { name: words.users.create }).click();
    await page.getByText(words.users.createdTitle("anna")).waitFor();
    const copy = page.getByRole("button", { name: words.users.copyLink });
    await copy.click();
    // The code is one key away, and the keyboard is where it was when that closes.
    await page.keyboard.press("q");
    await page.getByRole("dialog").getByRole("img", { name: "QR: anna" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => copy.and(page.locator(":focus")).count()).toBe(1);
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    const config = Buffer.from(
      await (await fetch(link, { headers: { "user-agent": "v2rayNG/1.9" } })).text(),
      "base64",
    ).toString();
    expect(config).toMatch(/^vless:\/\/[^@]+@127\.0\.0\.1:\d+/);
  });

  test("the overview says what the steps made; from the last user it leads to the code for a phone", async () => {
    const { page } = visit;
    const { steps } = words.overview;
    await page.route("**/api/v1/users?sub_fetched=true**", (route) =>
      route.fulfill({ json: { items: [], total: 0, limit: 1, offset: 0 } }),
    );
    await visit.go("/");
    const list = page.locator("main ol").filter({ hasText: steps.serve.name });
    const made = [words.nodes.start.templateName, words.nodes.start.nodeName, "anna"];
    expect(await list.getByRole("link").allInnerTexts()).toEqual([...made, steps.link.action]);
    await list.getByRole("link", { name: steps.link.action }).click();
    await page.getByText(words.users.createdTitle("anna")).waitFor();
    await page.getByRole("button", { name: words.parts.qrLarge }).waitFor();
    await page.unroute("**/api/v1/users?sub_fetched=true**");
  });

  test("whoever signs out is out: the page behind asks to sign in", async () => {
    const { page } = visit;
    await page.getByRole("button", { name: ROOT.username }).filter({ visible: true }).click();
    await page.getByRole("menuitem", { name: words.shell.account.signOut }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await page.goto(`${visit.url}/users`);
    await page.waitForURL((url) => url.pathname === "/login");
    expect(visit.problems).toEqual([]);
  });
});
