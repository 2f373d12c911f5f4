// A panel that moves by an archive: to a panel that is not set up yet, on either database, and back; and a start that
// finds its database damaged.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeSync,
  closeSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { archiveOf } from "../backups/restore/archive-of.ts";
import { dialects } from "../database.ts";
import { eventually } from "../runtime/eventually.ts";
import { SETUP_TOKEN, startPanel, type E2ePanel } from "./panel.ts";
import { logIn } from "./set-up.ts";

const Names = z.object({ items: z.array(z.object({ name: z.string() })) });
const PASSPHRASE = "گذرواژه passphrase";

/** What a panel writes as it starts, and what a restore changes on purpose: its epoch, where ids go on, its events. */
const CHANGES = [
  "admins",
  "changes",
  "deliveries",
  "event_log",
  "events",
  "id_blocks",
  "settings",
  "state_counts",
  // What waits to be found by its texts, and is entered soon.
  "user_text_queue",
  "user_texts",
];

let panels: E2ePanel[] = [];
afterEach(async () => {
  for (const panel of panels) await panel.dispose();
  panels = [];
});

async function started(...[options]: Parameters<typeof startPanel>): Promise<E2ePanel> {
  const panel = await startPanel({ engine: "none", ...options });
  panels.push(panel);
  return panel;
}

/** As a browser in setup sends it. */
async function restoreInSetup(
  panel: E2ePanel,
  archive: Uint8Array,
  query = "",
  token = SETUP_TOKEN,
): Promise<Response> {
  return fetch(`${panel.url}/api/setup/restore?t=${token}${query}`, {
    method: "POST",
    body: Buffer.from(archive),
    headers: { "x-backup-passphrase": Buffer.from(PASSPHRASE).toString("latin1") },
  });
}

/** Signs in with the account of the archive, once the panel is there again. */
async function namesOn(panel: E2ePanel): Promise<string[]> {
  const session = await logIn(panel.url);
  return Names.parse(await session.ok("GET", "/users?sort=id")).items.map(({ name }) => name);
}

describe.each(dialects.map((to) => [to] as const))("an archive of sqlite on a new panel on %s", (to) => {
  // rule backups.setup.1
  it("finishes its setup, and comes back as the same archive", async () => {
    const source = await started();
    await source.api.make("users", { name: "moved" });
    await source.api.make("nodes", { name: "far", address: "192.0.2.1", port: 7443, enabled: false });
    await source.stop();
    const first = await archiveOf(source, PASSPHRASE);

    const target = await started({ dialect: to, pending: true });
    expect((await restoreInSetup(target, first.bytes, "", "wrong-token-of-nobody")).status).toBe(404);
    const answer = await restoreInSetup(target, first.bytes, "&web_domain=panel.example");
    expect(await answer.json()).toEqual({
      staged: to === "sqlite",
      snapshot: "",
      tables: first.tables,
      rows: first.rows,
    });
    await eventually(() => namesOn(target)).toEqual(["moved"]);
    expect((await restoreInSetup(target, first.bytes)).status).toBe(409);
    const session = await logIn(target.url);
    expect(await session.ok("GET", "/settings?limit=1000")).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ key: "web_domain", value: "panel.example" })]),
    });
    await target.stop();
    const second = await archiveOf(target);
    const differ = [...first.digests].filter(([name, sha256]) => second.digests.get(name) !== sha256);
    expect(differ.map(([name]) => name).filter((name) => !CHANGES.includes(name))).toEqual([]);
  });
});

describe("an archive whose panel answers elsewhere, on a new panel", () => {
  // rule backups.setup.2
  it("leaves it where it answers by now, if that is asked", async () => {
    const source = await started();
    await source.api.make("users", { name: "moved" });
    for (const [key, value] of [
      ["web_basepath", "/elsewhere"],
      ["web_tls_mode", "self_signed"],
    ] as const)
      await source.api.ok("PUT", `/settings/${key}`, { value });
    await source.stop();
    const { bytes } = await archiveOf(source);

    const target = await started({ pending: true });
    expect((await restoreInSetup(target, bytes, "&keep_web_settings=true")).status).toBe(200);
    await eventually(() => namesOn(target)).toEqual(["moved"]);
    // As another start finds it.
    await target.stop();
    await target.start();
    expect(await namesOn(target)).toEqual(["moved"]);
  });
});

describe("a start that finds its database damaged", () => {
  // rule backups.damage.1
  it("names the newest whole archive, and touches nothing", async () => {
    const panel = await started();
    const { bytes } = await archiveOf(panel);
    await panel.stop();
    const file = panel.databaseUrl.slice("sqlite:".length);
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(100, 7), 0, 100, 0);
    closeSync(descriptor);
    copyFileSync(file, `${file}.seen`);
    const refused = async () => (await panel.command("serve")).output;
    expect(await refused()).toMatch(/is damaged .*; no whole archive lies in .*\/backups/);
    const folder = join(panel.directory, "backups");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "signalbox-good.tar.gz"), bytes);
    writeFileSync(join(folder, "signalbox-later.tar.gz"), bytes.slice(0, -40));
    expect(await refused()).toMatch(/is damaged .*; the newest whole archive is .*\/signalbox-good\.tar\.gz/);
    expect(statSync(file).size).toBe(statSync(`${file}.seen`).size);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(existsSync(join(panel.directory, "restore"))).toBe(false);
  });
});
