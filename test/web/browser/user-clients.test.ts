// What clients get of an account, on its record: the preview as any of them, the last fetches, and its devices.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { lock } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { InboundRows } from "../../../src/pool/index.ts";
import { en as words } from "../../../src/web/words/en.ts";
import { fa } from "../../../src/web/words/fa.ts";
import { connectTestDatabase } from "../../database.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const { clients, users, parts } = words;
/** A folder for pictures, for people to see; empty: none are taken. */
const PICTURES = process.env["SIGNALBOX_PICTURES"] ?? "";
/** What a stranger may call a device. */
const HOSTILE = "<img src=x onerror=alert(1)>";

describe.skipIf(!hasBrowser)("the clients of an account", () => {
  let stage: BrowserStage;
  let user = 0;
  const subId = async () => (await stage.panel.api.user(user)).subId;
  const fetchAs = async (hwid: string, userAgent: string, model = "Pixel 9") =>
    fetch(`${stage.panel.url}/sub/${await subId()}`, {
      headers: { "x-hwid": hwid, "user-agent": userAgent, "x-device-model": model, "x-device-os": "Android" },
    });
  const picture = async ({ page }: Visit, name: string) => {
    if (PICTURES !== "") await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };

  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    const { api } = stage.panel;
    const plain = await api.make("inbounds", { tag: "plain", type: "vless", config: { listen_port: 20_443 } });
    const split = { listen_port: 20_444, transport: { type: "xhttp" } };
    const xhttp = await api.make("inbounds", { tag: "split", type: "vless", config: split });
    const templateId = await api.make("templates", { name: "t", inboundIds: [plain, xhttp] });
    const linkAddress = "127.1.0.250, b|127.1.0.251";
    await api.make("nodes", { name: "n1", address: "127.1.0.250", port: 9, templateId, linkAddress });
    user = await api.make("users", { name: "ali", deviceLimit: 2, templateIds: [templateId] });
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.dispose());

  // rules subscriptions.preview.1, subscriptions.preview.2
  test("the preview shows what each client gets, why, and what is left out", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go(`/users/${user}?tab=access`);
    await page.getByText(clients.servers("4")).waitFor();
    await page.getByText(clients.byNone).waitFor();
    const body = page.getByRole("region", { name: clients.body });
    expect(await body.textContent()).not.toContain("vless://");
    await page.getByText(clients.decoded, { exact: true }).click();
    await expect.poll(() => body.textContent()).toContain("vless://");

    await page.getByRole("combobox", { name: clients.client }).click();
    await page.getByRole("option", { name: "sing-box", exact: true }).click();
    await page.getByText(clients.leftOut("2")).waitFor();
    // One reason for both addresses of the node, which stands there by its name.
    const reason = page.getByRole("listitem").filter({ hasText: clients.why.transport("singbox", "xhttp") });
    await reason.getByRole("link", { name: "n1" }).waitFor();
    expect(await reason.count()).toBe(1);
    await page.getByText("User-Agent starts with “SFA”").waitFor();
    await page.getByText(clients.headers, { exact: true }).click();
    // A header in base64 is shown with its decoded text too.
    await page.getByText("ali", { exact: true }).last().waitFor();
    await picture(visit, "access");
    expect(await visit.barriers()).toEqual([]);

    await page.getByLabel(clients.userAgent).fill("clash-verge/9");
    await page.getByText("User-Agent starts with “Clash”").waitFor();
    expect(await page.getByRole("combobox", { name: clients.client }).inputValue()).toBe(clients.otherClient);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  // rule subscriptions.device.4
  test("devices are listed as they call themselves, forgotten one by one and all at once; the limit is changed", async () => {
    await fetchAs("one", "Happ/3.1", HOSTILE);
    await fetchAs("two", `v2raytun/ios ${HOSTILE}`);
    expect((await fetchAs("three", "Happ/3.1")).status).toBe(403);
    const visit = await stage.visit({ size: PHONE });
    const { page } = visit;
    await visit.go(`/users/${user}?tab=devices`);
    await page.getByText(clients.used("2", "2")).waitFor();
    await page.getByText(clients.selfServiceOff).waitFor();
    // Seven tabs are wider than a phone: the chosen one is in sight, and there are more on both sides.
    await expect.poll(() => page.getByRole("tablist").getAttribute("data-more")).toBe("start end");
    expect(await page.locator("main img").count()).toBe(0);
    await picture(visit, "devices-phone");
    expect(await visit.barriers()).toEqual([]);
    expect(await visit.overflow()).toBeUndefined();
    await page.getByRole("button", { name: `${clients.forget}: Pixel 9, Android` }).click();
    await page.getByRole("dialog").getByRole("button", { name: clients.forget, exact: true }).click();
    await page.getByText(clients.used("1", "2")).waitFor();
    expect((await fetchAs("three", "Happ/3.1")).status).toBe(200);

    await page.getByLabel(clients.limit).fill("5");
    await page.getByRole("button", { name: parts.save, exact: true }).click();
    await page.getByText(clients.used("2", "5")).waitFor();
    await page.getByRole("button", { name: clients.forgetAll }).click();
    await page.getByRole("dialog").getByRole("button", { name: clients.forgetAll }).click();
    await page.getByText(clients.noDevices).waitFor();

    // What was fetched is listed within five seconds.
    await visit.go(`/users/${user}?tab=access`);
    await page.getByText(`v2raytun/ios ${HOSTILE}`).waitFor();
    await page.getByText("403").first().waitFor();
    await page.getByLabel(clients.userAgent).fill(`Shadowrocket/1 ${HOSTILE}`);
    await page.getByText(clients.servers("4")).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await picture(visit, "access-phone");
    expect(await visit.overflow()).toBeUndefined();
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  // rule users.verdict.1
  test("the verdict has a button for what it found, and says the next thing once that is mended", async () => {
    const { api } = stage.panel;
    await api.ok("PATCH", `/users/${user}`, { enable: false });
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go(`/users/${user}`);
    const verdict = page.locator("#verdict");
    await verdict.getByText(users.verdict.codes.manual).waitFor();
    await verdict.getByRole("button", { name: users.switchOn, exact: true }).click();
    await expect.poll(async () => (await api.user(user)).enable).toBe(true);
    await verdict.getByText(users.verdict.codes.not_connected).waitFor();
    await verdict.getByRole("link", { name: users.verdict.actions.nodes }).click();
    await page.getByText("n1", { exact: true }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/nodes");
    // Nobody has asked for this one's link: that nobody was refused is no news.
    await visit.go(`/users/${await api.make("users", { name: "unasked" })}`);
    await verdict.getByText(users.verdict.codes.never_fetched).waitFor();
    expect(await verdict.innerText()).not.toContain(users.verdict.checks.refused);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("a new link is copied, and takes the devices with it", async () => {
    await fetchAs("four", "Happ/3.1");
    const visit = await stage.visit({ locale: "fa-IR", scheme: "dark" });
    await visit.go(`/users/${user}?tab=access`);
    await picture(visit, "access-fa");
    expect(await visit.barriers()).toEqual([]);
    expect(await visit.wordless()).toEqual([]);
    await visit.close();
    const again = await stage.visit();
    const { page } = again;
    await again.go(`/users/${user}?tab=access`);
    await page.getByRole("button", { name: users.rotate, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: users.rotate, exact: true }).click();
    await page.getByText(users.rotatedCopied("ali")).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(`/sub/${await subId()}`);
    expect(await stage.panel.api.ok("GET", `/users/${user}/devices`)).toEqual([]);
    await again.close();
  });

  // rules subscriptions.preview.2, subscriptions.preview.3
  test("what an older version stored and this one refuses is said there, and on the inbound's page", async () => {
    const { panel } = stage;
    const inbounds = z.object({ items: z.array(z.object({ id: z.number(), tag: z.string() })) });
    const { items } = inbounds.parse(await panel.api.ok("GET", "/inbounds"));
    const idOf = (tag: string) => items.find((each) => each.tag === tag)?.id ?? 0;
    await panel.kill();
    const database = await connectTestDatabase(panel.databaseUrl, entities);
    await database.commits.submit({
      name: "older version",
      locks: [lock(InboundRows, idOf("plain")), lock(InboundRows, idOf("split"))],
      decide(draft) {
        draft.update(InboundRows, idOf("plain"), { config: { listen_port: 20_443, transport: { type: "kcp" } } });
        draft.update(InboundRows, idOf("split"), { clientConfig: { tls: { utls: { fingerprint: "netscape" } } } });
      },
    });
    await database.close();
    await panel.start();
    // The one that is written from right to left stands for the others: none compiles without the words.
    for (const [locale, { clients: own, pool }] of Object.entries({ "en-US": words, "fa-IR": fa })) {
      const visit = await stage.visit({ locale, size: PHONE });
      const { page } = visit;
      await visit.go(`/users/${user}?tab=access`);
      // The words are written around what is written left to right.
      const [before = ""] = own.why.refused("", "|").split("|");
      await page
        .getByRole("listitem")
        .filter({ hasText: "config.transport.type" })
        .getByText(before.trim().slice(0, 30))
        .waitFor();
      await page.getByRole("listitem").filter({ hasText: "clientConfig.tls.utls" }).waitFor();
      expect(await visit.wordless()).toEqual([]);
      expect(await visit.overflow()).toBeUndefined();
      await visit.go(`/inbounds/${idOf("plain")}`);
      await page.getByText(pool.unlisted).waitFor();
      await page.getByText("config.transport.type").first().waitFor();
      await visit.go(`/inbounds/${idOf("split")}`);
      await page.getByText(pool.untold).waitFor();
      expect(await visit.overflow()).toBeUndefined();
      expect(visit.problems).toEqual([]);
      await picture(visit, `refused-${locale}`);
      await visit.close();
    }
    const visit = await stage.visit();
    await visit.go("/inbounds");
    await visit.page
      .getByRole("img", { name: new RegExp(`^${words.pool.unlisted}: config\\.transport\\.type$`) })
      .waitFor();
    expect(await visit.barriers()).toEqual([]);
    await visit.close();
  });
});
