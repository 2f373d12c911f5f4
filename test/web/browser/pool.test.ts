// Inbounds, outbounds and templates by their pages: a person serves VLESS behind REALITY from a node without a word of
// JSON, edits the same record as JSON, and is told what a deletion breaks. Who may only read changes nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const READER = { username: "vera", password: "correct horse battery" };

interface Record {
  readonly id: number;
  readonly tag: string;
  readonly config: { readonly [name: string]: unknown };
}

describe.skipIf(!hasBrowser)("the pool", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const { pool, parts } = words;
  beforeAll(async () => {
    stage = await openStage();
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const inbounds = async () =>
    ((await stage.panel.api.ok("GET", "/inbounds?limit=1000")) as { items: readonly Record[] }).items;
  const save = () => visit.page.getByRole("button", { name: parts.save, exact: true }).click();
  /** The question with the number of nodes that run what is saved. */
  const question = async (name: string, nodes: number) => {
    const dialog = visit.page.getByRole("dialog", { name: pool.saving.title(name) });
    await dialog.getByText(pool.saving.nodes(nodes, String(nodes))).waitFor();
    return dialog;
  };
  const agree = async (name: string, nodes = 1) =>
    (await question(name, nodes)).getByRole("button", { name: parts.save, exact: true }).click();

  test("an inbound by preset, a template with it, and a node that serves it: clicks and one name", async () => {
    const { page } = visit;
    await visit.go("/inbounds");
    await page.getByRole("link", { name: pool.inbounds.add }).first().click();
    await page.getByText(pool.inbounds.presets.reality.label).click();
    await page.getByRole("button", { name: pool.inbounds.create }).click();
    await page.getByRole("link", { name: pool.inbounds.intoTemplate }).click();
    await page.getByLabel(pool.keys.name).fill("behind reality");
    await page.getByRole("button", { name: pool.templates.create }).click();
    await page.waitForURL(/\/templates\/\d+$/);
    await page.getByRole("combobox", { name: pool.templates.give }).click();
    await page.getByRole("option", { name: "silent" }).click();
    await page.getByRole("button", { name: pool.templates.giveButton, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: pool.templates.giveTitle("behind reality", "silent") });
    // What the node served until now is named.
    await dialog.getByText(pool.templates.giveText("template", "0")).waitFor();
    await dialog.getByRole("button", { name: pool.templates.giveButton }).click();
    await page.getByText(pool.templates.given("behind reality", "silent")).waitFor();

    const made = (await inbounds()).find(({ tag }) => tag === "vless-reality-443");
    const reality = {
      enabled: true,
      handshake: { server: "www.microsoft.com" },
      short_id: [expect.stringMatching(/^[0-9a-f]+$/)],
    };
    expect(made?.config).toMatchObject({ listen_port: 443, tls: { enabled: true, reality } });
    const node = (await stage.panel.api.ok("GET", `/nodes/${stage.records.silent}`)) as { templateId: number };
    const template = (await stage.panel.api.ok("GET", `/templates/${node.templateId}`)) as { inboundIds: number[] };
    expect(template.inboundIds).toEqual([made?.id]);
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  test("the only node, which serves nothing yet, is given a template by one press", async () => {
    const { page } = visit;
    const { api } = stage.panel;
    const name = "a first one";
    const node = await api.make("nodes", { name, address: "127.1.0.251", port: 9, enabled: false });
    const template = await api.make("templates", { name: "for it" });
    const alone = [await api.ok("GET", `/nodes/${node}`)];
    await page.route("**/api/v1/nodes?limit=1000", (route) => route.fulfill({ json: { items: alone, total: 1 } }));
    await visit.go(`/templates/${template}`);
    await page.getByText(pool.templates.giveFirst).waitFor();
    await page.getByRole("button", { name: pool.templates.giveButton, exact: true }).click();
    await page.getByText(pool.templates.given("for it", name)).waitFor();
    expect(await api.ok("GET", `/nodes/${node}`)).toMatchObject({ templateId: template });
    await page.unroute("**/api/v1/nodes?limit=1000");
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  test("a fault is told at its field before anything is sent, and the summary leads there", async () => {
    const { page } = visit;
    const made = (await inbounds()).find(({ tag }) => tag === "vless-reality-443");
    await visit.go(`/inbounds/${made?.id}`);
    const site = page.getByRole("textbox", { name: pool.keys.site });
    await site.fill("");
    await page.getByRole("textbox", { name: pool.keys.listen_port, exact: true }).fill("70000");
    await save();
    await page
      .getByRole("alert")
      .filter({ hasText: parts.problems(2) })
      .waitFor();
    await page.getByRole("alert").getByRole("link", { name: pool.keys.site }).click();
    await expect.poll(() => page.evaluate("document.activeElement?.value")).toBe("");
    // A reload loses nothing of it, but keeps no private key in the browser.
    expect(await page.evaluate<string>("JSON.stringify(sessionStorage)")).not.toMatch(/"private_key\\":\\"/);
    await page.getByRole("textbox", { name: pool.keys.listen_port, exact: true }).fill("8443");
    await site.fill("www.apple.com");
    await save();
    await agree("vless-reality-443");
    await page.getByText(pool.saved("vless-reality-443")).waitFor();
    const saved = (await inbounds()).find(({ id }) => id === made?.id);
    expect(saved?.config).toMatchObject({
      listen_port: 8443,
      tls: { server_name: "www.apple.com", reality: { handshake: { server: "www.apple.com" } } },
    });
  });

  test("as JSON it is the same draft: faults have their line, what changes is shown, Ctrl+S saves it", async () => {
    const { page } = visit;
    const made = (await inbounds()).find(({ tag }) => tag === "vless-reality-443");
    await visit.go(`/inbounds/${made?.id}`);
    await page.getByLabel(pool.keys.remark).fill("by hand");
    await page.getByText("JSON", { exact: true }).click();
    const text = page.getByRole("textbox", { name: pool.inbounds.asJson });
    const whole = await text.inputValue();
    expect(JSON.parse(whole)).toMatchObject({ tag: "vless-reality-443", remark: "by hand" });
    await text.fill(whole.replace("8443", '"8443"').replace("server_name", "sever_name"));
    await page.getByText(words.parts.json.line("7", "20")).waitFor();
    await page.getByText("config.tls.sever_name").waitFor();
    await text.fill(whole.replace("8443", "8443 8444"));
    await page.getByText(parts.json.faults.comma).waitFor();
    await text.fill(whole.replace("8443", "2053"));
    await page.getByText(parts.json.fine).waitFor();
    await page.getByRole("button", { name: parts.json.changes }).click();
    const change = page.getByRole("row").filter({ hasText: "listen_port" });
    expect(await change.innerText()).toMatch(/8443[\s\S]*2053/);
    await text.press("Control+s");
    await agree("vless-reality-443");
    await page.getByText(pool.saved("vless-reality-443")).waitFor();
    expect((await inbounds()).find(({ id }) => id === made?.id)).toMatchObject({
      remark: "by hand",
      config: { listen_port: 2053 },
    });
  });

  test("a template or an inbound that nodes run is not written before the person has read their number", async () => {
    const { page } = visit;
    const { api } = stage.panel;
    const node = (await api.ok("GET", `/nodes/${stage.records.silent}`)) as { templateId: number };
    const read = async () => (await api.ok("GET", `/templates/${node.templateId}`)) as { remark: string };
    const user = await api.make("users", { name: "of the template", templateIds: [node.templateId] });
    await visit.go(`/templates/${node.templateId}`);
    await page.getByLabel(pool.keys.remark).fill("asked");
    await save();
    const dialog = await question("behind reality", 1);
    await dialog.getByText(/\d+ users? ha(s|ve) it/).waitFor();
    await dialog.getByRole("button", { name: parts.cancel }).click();
    await dialog.waitFor({ state: "hidden" });
    expect((await read()).remark).toBe("");
    await save();
    await agree("behind reality");
    await page.getByText(pool.saved("behind reality")).waitFor();
    expect((await read()).remark).toBe("asked");
    await api.ok("DELETE", `/users/${user}`);
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  // rule subscriptions.entry.13
  test("of an inbound on loopback the page says that no subscription lists it", async () => {
    const { page } = visit;
    const config = { listen: "127.0.0.1", listen_port: 4099 };
    const id = await stage.panel.api.make("inbounds", { tag: "inside", type: "vless", config });
    await visit.go(`/inbounds/${id}`);
    await page.getByText(pool.inbounds.onLoopback).waitFor();
    await page.getByRole("textbox", { name: pool.keys.listen, exact: true }).fill("::");
    await page.getByText(pool.inbounds.onLoopback).waitFor({ state: "hidden" });
    // Nothing runs it: nobody is asked.
    await save();
    await page.getByText(pool.saved("inside")).waitFor();
    await stage.panel.api.ok("DELETE", `/inbounds/${id}`);
  });

  test("what the form does not touch stays as it is", async () => {
    const { page } = visit;
    const { id } = (await stage.panel.api.ok("POST", "/outbounds", {
      tag: "through",
      type: "socks",
      config: { server: "10.0.0.1", server_port: 1080, connect_timeout: "5s" },
    })) as { id: number };
    await visit.go(`/outbounds/${id}`);
    await page.getByRole("textbox", { name: pool.keys.server, exact: true }).fill("10.0.0.2");
    await save();
    await page.getByText(pool.saved("through")).waitFor();
    expect(await stage.panel.api.ok("GET", `/outbounds/${id}`)).toMatchObject({
      config: { server: "10.0.0.2", server_port: 1080, connect_timeout: "5s" },
    });
  });

  test("a deletion names the templates and nodes that it takes the inbound from", async () => {
    const { page } = visit;
    const made = (await inbounds()).find(({ tag }) => tag === "vless-reality-443");
    await visit.go(`/inbounds/${made?.id}`);
    await page.getByRole("button", { name: parts.actionsOf("vless-reality-443") }).click();
    await page.getByRole("menuitem", { name: pool.verbs.delete }).click();
    const dialog = page.getByRole("dialog", { name: pool.inbounds.deleteTitle("vless-reality-443") });
    await dialog.getByText(pool.inbounds.deleteText(1, "1")).waitFor();
    await dialog.getByRole("link", { name: "behind reality" }).waitFor();
    await dialog.getByRole("link", { name: "silent" }).waitFor();
    await dialog.getByRole("button", { name: pool.verbs.delete }).click();
    await page.waitForURL(/\/inbounds$/);
    expect((await inbounds()).map(({ tag }) => tag)).toEqual(["in"]);
  });

  test("who may only read sees every field, no key, and nothing that changes", async () => {
    const api = stage.panel.api;
    await api.ok("POST", "/roles", { name: "reader", base: "admin", scopes: ["pool:read", "templates:read"] });
    await api.ok("POST", "/admins", { ...READER, role: "reader" });
    const reader = await stage.visit({ signedIn: false });
    await reader.signIn(READER.username, READER.password);
    reader.refused.length = 0;
    for (const path of ["/inbounds", "/inbounds/1", "/outbounds", "/templates", "/templates/1"]) {
      await reader.go(path);
      const offered = await reader.page.locator("main").getByRole("button", { name: pool.verbs.clone }).count();
      const added = await reader.page.locator("main").getByRole("link", { name: pool.inbounds.add }).count();
      expect([path, offered, added]).toEqual([path, 0, 0]);
    }
    await reader.page.getByText(pool.readOnly).waitFor();
    await reader.go("/inbounds/new");
    await reader.page.getByText(words.shell.barred.text("reader", "pool:write")).waitFor();
    expect([reader.problems, reader.refused]).toEqual([[], []]);
    await reader.close();
  });
});
