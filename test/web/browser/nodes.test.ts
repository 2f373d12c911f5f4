// A node by its pages: added, refused at its fields, edited, switched, given another template, moved, trusted again
// after its key changed, deleted.
import { once } from "node:events";
import { createServer } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { AGENT_PORT, LOCAL_ADDRESS } from "../../../src/web/nodes/node.ts";
import { addressOf, startFleet, type SimulatedFleet } from "../../e2e/fleet.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { nodes } = words;
const { fields, verbs, done, standing } = nodes;
const { rules } = words.parts.refusals;

const dialog = (page: Page) => page.getByRole("dialog");
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

describe.skipIf(!hasBrowser)("nodes", () => {
  let stage: BrowserStage;
  let fleet: SimulatedFleet;
  let visit: Visit;
  let page: Page;
  let port = 0;
  let id = 0;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    const { api, directory } = stage.panel;
    [port = 0] = await quietPorts(1);
    fleet = await startFleet(api, { directory, port, active: 0, rate: 0 });
    for (const name of ["first", "second"]) await api.make("templates", { name, inboundIds: [] });
    visit = await stage.visit();
    ({ page } = visit);
  });
  afterAll(async () => {
    await fleet?.stop();
    await stage?.dispose();
  });

  /** From the menu of the node's page. */
  const choose = async (verb: string) => {
    await page.getByRole("button", { name: /^Actions for / }).click();
    await page.getByRole("menuitem", { name: verb }).click();
  };
  const record = (tab = "") => visit.go(`/nodes/${id}${tab}`);

  test("added: refusals stand at their fields, an emptied port stays empty, then the page follows it until it is connected", async () => {
    await visit.go("/nodes/new");
    await field(page, fields.name).fill("vienna");
    await field(page, fields.address).fill("not a host");
    await field(page, fields.port).fill("99999");
    await page.getByRole("button", { name: nodes.create.submit }).click();
    await page.getByText(rules.host).waitFor();
    await page.getByText(rules.too_large(65_535)).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await field(page, fields.address).fill(addressOf(0));
    await field(page, fields.port).fill("");
    await page.getByRole("button", { name: nodes.create.submit }).click();
    expect(await field(page, fields.port).inputValue()).toBe("");
    await field(page, fields.port).fill(String(port));
    await page.getByRole("button", { name: nodes.create.submit }).click();
    await page.getByText(nodes.connect.connected("vienna")).waitFor();
    id = Number(new URL(page.url()).searchParams.get("id"));
  });

  test("edited: another template and a name; what does not fit is named at its field", async () => {
    await record("?tab=settings");
    await field(page, fields.linkAddress).fill("a|b c|");
    await page.getByRole("button", { name: words.parts.save, exact: true }).click();
    await page.getByText(rules.client_addresses).first().waitFor();
    await field(page, fields.linkAddress).fill("Vienna|vpn.example");
    await field(page, fields.name).fill("wien");
    await page.getByRole("combobox", { name: fields.template }).or(field(page, fields.template)).first().click();
    await page.getByRole("option", { name: "second" }).click();
    await page.getByRole("button", { name: words.parts.save, exact: true }).click();
    await page.getByText(done.saved("wien")).waitFor();
    const node = (await stage.panel.api.ok("GET", `/nodes/${id}`)) as { linkAddress: string; templateId: number };
    const templates = (await stage.panel.api.ok("GET", "/templates")) as { items: { id: number; name: string }[] };
    expect(node.linkAddress).toBe("Vienna|vpn.example");
    expect(templates.items.find((each) => each.id === node.templateId)?.name).toBe("second");
  });

  test("compared with what it has, switched off after a question, and on again", async () => {
    await record();
    await choose(verbs.sync);
    await page.getByText(/The node runs revision/).waitFor();
    const toggle = page.getByRole("switch", { name: nodes.columns.enabled });
    await toggle.click({ force: true });
    await dialog(page).getByRole("button", { name: verbs.disable }).click();
    await page.getByText(done.disabled("wien")).waitFor();
    await page.getByText(standing.off, { exact: true }).first().waitFor();
    await toggle.click({ force: true });
    await page.getByText(standing.connected, { exact: true }).first().waitFor();
  });

  test("moved to another address: the page shows it there", async () => {
    await record();
    await choose(verbs.move);
    await dialog(page).getByRole("textbox", { name: fields.address }).fill("a b");
    await dialog(page).getByRole("button", { name: nodes.confirm.move.action }).click();
    await dialog(page).getByText(rules.host).waitFor();
    await dialog(page).getByRole("textbox", { name: fields.address }).fill(addressOf(1));
    await dialog(page).getByRole("button", { name: nodes.confirm.move.action }).click();
    await page.getByText(done.moved("wien")).waitFor();
    await page
      .getByText(`${addressOf(1)}:${port}`)
      .first()
      .waitFor();
    await page.getByText(standing.connected, { exact: true }).first().waitFor();
  });

  test("its key changed: both keys are shown, nothing is retried, and a repin takes the new one", async () => {
    await record();
    await fleet.stop();
    fleet = await startFleet(stage.panel.api, { directory: stage.panel.directory, port, active: 0, rate: 0, seed: 8 });
    await page.getByText(nodes.next.noRetry).first().waitFor();
    expect(await visit.barriers()).toEqual([]);
    await choose(verbs.repin);
    await dialog(page).getByText(nodes.confirm.repin.presented).waitFor();
    await dialog(page).getByRole("button", { name: verbs.repin }).click();
    await page.getByText(done.repin("wien")).waitFor();
    await page.getByText(standing.connected, { exact: true }).first().waitFor();
  });

  test("usage that was refused is said on its page: why, of which account, how much", async () => {
    const at = Math.floor(Date.now() / 1000) - 60;
    const told = { id: 1, at, code: "not_served", userId: 7, up: 1024, down: 2048 };
    const rest = { id: 2, at, code: "too_fast", userId: 0, up: 5, down: 0 };
    const answer = { items: [told, rest], total: 13, limit: 10, offset: 0 };
    await page.route("**/usage-refusals?*", (route) => route.fulfill({ json: answer }));
    await record();
    await page.getByText(nodes.refusals.codes.not_served).waitFor();
    await page.getByText(nodes.refusals.codes.too_fast).waitFor();
    await page.getByText(nodes.refusals.further).waitFor();
    await page.getByText(nodes.refusals.more(11, "11")).waitFor();
    expect(await page.getByRole("link", { name: "7", exact: true }).getAttribute("href")).toBe("/users/7");
    expect(await visit.barriers()).toEqual([]);
    await page.unroute("**/usage-refusals?*");
  });

  test("a port that is another's is not proposed, to a first server nor to a new node", async () => {
    const { api } = stage.panel;
    const { start } = nodes;
    // Nobody serves it, so nothing listens there.
    await api.make("inbounds", { tag: "there", type: "vless", config: { listen_port: 8443 } });
    const off = await api.make("nodes", { name: "off", address: LOCAL_ADDRESS, port: AGENT_PORT });
    await api.ok("POST", `/nodes/${off}/enabled`, { enabled: false });
    await visit.go("/nodes/start");
    await expect.poll(() => field(page, start.port).inputValue()).toBe("8444");
    await expect.poll(() => field(page, start.agentPort).inputValue()).toBe(String(AGENT_PORT + 1));
    await visit.go("/nodes/new");
    await expect.poll(() => field(page, fields.port).inputValue()).toBe(String(AGENT_PORT));
    await field(page, fields.address).fill(LOCAL_ADDRESS);
    await expect.poll(() => field(page, fields.port).inputValue()).toBe(String(AGENT_PORT + 1));
    await page.getByText(nodes.create.here, { exact: true }).click();
    await expect.poll(() => field(page, fields.port).inputValue()).toBe(String(AGENT_PORT + 1));
  });

  test("refused: its page says the item, the port and who holds it, and follows once it is free; an agent that is another's names that node", async () => {
    const { api } = stage.panel;
    const [held = 0, agentPort = 0] = await quietPorts(2);
    const holder = createServer().listen(held, "127.0.0.1");
    await once(holder, "listening");
    try {
      const inbound = await api.make("inbounds", {
        tag: "only",
        type: "vless",
        config: { listen: "127.0.0.1", listen_port: held },
      });
      const templateId = await api.make("templates", { name: "refused", inboundIds: [inbound] });
      await api.make("users", { name: "refused", templateIds: [templateId] });
      const made = { name: "cologne", address: LOCAL_ADDRESS, port: agentPort, isLocal: true, templateId };
      const refused = await api.make("nodes", made);
      await visit.go(`/nodes/${refused}`);
      await page.getByText(nodes.record.refusedBy).waitFor();
      const cause = page.getByRole("alert").filter({ hasText: nodes.record.refusedBy });
      const said = await cause.innerText();
      expect(said).toContain(`inbound only: port ${held} is used by another program`);
      // Which it is, an agent knows that may look at this user's programs; else how to ask stands there.
      expect(said).toMatch(new RegExp(`\\(process ${process.pid}\\)|ss -ltunp 'sport = :${held}'`));
      await page.getByText(standing.refused, { exact: true }).first().waitFor();
      // Its agent is connected all the same.
      await page.getByText(nodes.record.greeted, { exact: true }).waitFor();
      expect(await visit.barriers()).toEqual([]);
      await visit.go("/nodes");
      // The list does not cut off what is wrong.
      await page
        .locator("bdi")
        .filter({ hasText: `inbound only: port ${held}` })
        .waitFor();
      const cut = "Array.from(document.querySelectorAll('bdi'), (each) => each.scrollHeight > each.clientHeight + 1)";
      expect(await page.evaluate<boolean[]>(cut)).not.toContain(true);
      const double = await api.make("nodes", { name: "double", address: "localhost", port: agentPort });
      await visit.go(`/nodes/${double}`);
      await page.getByText(nodes.record.duplicateOf).waitFor();
      await page.getByRole("link", { name: nodes.record.holder }).click();
      await page.waitForURL((url) => url.pathname === `/nodes/${refused}`);
      holder.close();
      await api.ok("POST", `/nodes/${refused}/reconnect`);
      await page.getByText(standing.connected, { exact: true }).first().waitFor();
      expect(await page.getByText(nodes.record.refusedBy).count()).toBe(0);
      for (const each of [double, refused]) await api.ok("DELETE", `/nodes/${each}`);
      await api.ok("DELETE", `/templates/${templateId}`);
    } finally {
      holder.close();
    }
  });

  test("deleted: what only it used goes with it on demand, and the list is without it", async () => {
    await record();
    await choose(verbs.delete);
    await dialog(page)
      .getByRole("checkbox", { name: nodes.confirm.delete.leftovers("second", 0, "0") })
      .check();
    await dialog(page).getByRole("button", { name: verbs.delete }).click();
    await page.waitForURL((url) => url.pathname === "/nodes");
    await page.getByText(done.deleted("wien")).waitFor();
    expect((await stage.panel.api.request("GET", `/api/v1/nodes/${id}`)).status).toBe(404);
    const left = (await stage.panel.api.ok("GET", "/templates")) as { items: { name: string }[] };
    expect(left.items.map(({ name }) => name)).toEqual(["first"]);
    expect(visit.problems).toEqual([]);
  });
});
