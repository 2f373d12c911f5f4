// Setup and settings that lead elsewhere: files that are not there are named at their field, and a panel under another
// name or port says where it is, with a way there that works.
import { afterAll, beforeAll, expect, test, describe } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { startPanel } from "../../e2e/panel.ts";
import { Program, SIGNALBOX } from "../../e2e/processes.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { builtInterface } from "../built.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import { Visit } from "./visit.ts";

const { session } = words;
const { setup } = session;
const { rules } = words.parts.refusals;

describe.skipIf(!hasBrowser)("setup that leads elsewhere", () => {
  let stage: BrowserStage;
  beforeAll(async () => {
    stage = await openStage({ pending: true });
  });
  afterAll(() => stage?.dispose());

  // rule setup.pending.3
  test("each refusal stands at its field; then the new name and the way by address are shown, and the latter signs in", async () => {
    const visit = await stage.visit({ signedIn: false });
    const { page } = visit;
    const [, link = ""] = /waits for setup: (\S+)/.exec(stage.panel.output) ?? [];
    await page.goto(link);
    const finish = () => page.getByRole("button", { name: setup.finish }).click();
    const { host } = new URL(link);
    await page.getByText(setup.portFixed(host), { exact: true }).waitFor();
    await page.getByLabel(session.username).fill("not a name");
    await page.getByLabel(session.password, { exact: true }).fill(ROOT.password);
    await page.getByLabel(setup.repeat, { exact: true }).fill(ROOT.password);
    await page.getByText(setup.tlsModes.files).click();
    const focused = (label: string) => page.getByLabel(label, { exact: true }).and(page.locator(":focus")).waitFor();
    await finish();
    await page.getByText(rules.required).first().waitFor();
    await focused(setup.certFile);
    await page.getByLabel(setup.certFile).fill("/nowhere/panel.crt");
    await page.getByLabel(setup.keyFile).fill("/nowhere/panel.key");
    await page.getByLabel(setup.port).fill("70000");
    await finish();
    await page.getByText(rules.username).waitFor();
    await focused(session.username);
    await page.getByLabel(session.username).fill(ROOT.username);
    await finish();
    await page.getByText(rules.between(1, 65_535)).waitFor();
    await focused(setup.port);
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
    expect(named).toBe("https://panel.example/login");
    await page.getByRole("link", { name: "127.0.0.1" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await visit.signIn(ROOT.username, ROOT.password);
    expect(visit.problems).toEqual([]);
  });

  test("a port that moves with a restart: the page says where the panel is then, and the way there works", async () => {
    const [first = 0, second = 0] = await quietPorts(2);
    const panel = await startPanel({ variables: { SIGNALBOX_WEB: await builtInterface() } });
    await (await panel.logIn()).ok("PUT", "/settings/web_listen_port", { value: String(first) });
    await panel.stop();
    // The address of the environment would win over the setting.
    const env = { ...panel.environment, SIGNALBOX_LISTEN: undefined };
    const program = new Program({ command: process.execPath, args: [...SIGNALBOX, "serve"], env });
    try {
      await program.says(/Signalbox listens on/);
      const visit = await Visit.open(stage.browser, `http://127.0.0.1:${first}`);
      const { page } = visit;
      await visit.signIn(ROOT.username, ROOT.password);
      await visit.go("/settings?q=web_listen_port");
      await page.locator("#setting-web_listen_port").getByRole("textbox").fill(String(second));
      await page.getByRole("button", { name: words.parts.save, exact: true }).click();
      const said = program.output.length;
      await page.getByRole("button", { name: words.settings.restart }).click();
      await page.getByRole("dialog").getByRole("button", { name: words.settings.restart }).click();
      await page.getByText(words.settings.moves).waitFor();
      await program.says(/Signalbox listens on/, said);
      await page.getByRole("link", { name: `127.0.0.1:${second}` }).click();
      await page.waitForURL((url) => url.port === String(second));
      await page.getByRole("navigation").first().waitFor();
    } finally {
      await program.end("SIGTERM");
      await panel.dispose();
    }
  });
});
