// Previews of archives that are sent and of stored ones, and rehearsals, through the panel itself.
import { request } from "node:http";
import { readdirSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialects } from "../../database.ts";
import { WholePanel, type Answer } from "../../whole-panel.ts";
import { archivePanel, storeBackup } from "./stored.ts";

const GIB = 1024 ** 3;

describe.each(dialects)("archives on %s", (dialect) => {
  let panel: WholePanel;
  let archive: Buffer;
  let encrypted: Buffer;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    await panel.call("POST", "/api/v1/users", { name: "alice" });
    archive = await archivePanel(panel, "backup-a.tar.gz");
    encrypted = await archivePanel(panel, "backup-b.tar.gz.enc", { passphrase: "пароль ü" });
  }, 120_000);
  afterAll(() => panel.dispose());

  const send = async (path: string, body?: Uint8Array, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${panel.url}/api${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${panel.token}`, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };
  const passphrase = (text: string) => ({ "x-backup-passphrase": Buffer.from(text, "utf8").toString("latin1") });

  // rules backups.preview.1, backups.preview.3
  it("are previewed as they are sent", async () => {
    const before = readdirSync(panel.directory).toSorted();
    const { status, body } = await send("/backup/preview", archive, { "content-type": "application/gzip" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ admins: 1, users: 1, nodes: 0, warnings: [], compatible: true });
    expect(body.manifest).toMatchObject({ format: 1, database: dialect, history: true, audit: true });
    expect((await send("/backup/preview", encrypted, passphrase("пароль ü"))).body).toMatchObject({ users: 1 });
    for (const [bytes, headers, code] of [
      [encrypted, {}, "encrypted"],
      [encrypted, passphrase("другой"), "passphrase"],
      [archive.subarray(0, -100), {}, "format"],
      [Buffer.from("hello"), {}, "format"],
      [Buffer.alloc(0), {}, "format"],
    ] as const) {
      const refused = await send("/backup/preview", bytes, headers);
      expect([refused.status, refused.body.code, typeof refused.body.error]).toEqual([400, code, "string"]);
    }
    // Nothing is left of what was sent.
    expect(readdirSync(panel.directory).filter((name) => !before.includes(name))).toEqual(
      before.includes("uploads") ? [] : ["uploads"],
    );
    expect(readdirSync(`${panel.directory}/uploads`)).toEqual([]);
  }, 60_000);

  // rule backups.preview.1
  it("are refused by the length that is announced, before a byte is read", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${panel.token}`, "content-length": String(GIB + 1) };
      const sent = request(`${panel.url}/api/backup/preview`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });

  // rules backups.preview.1, backups.preview.3
  it("are previewed and tried out where they are stored", async () => {
    expect((await send("/backups/backup-a.tar.gz/preview")).body).toMatchObject({ users: 1, compatible: true });
    expect((await send("/backups/backup-b.tar.gz.enc/preview")).body).toMatchObject({ code: "encrypted" });
    expect((await send("/backups/backup-b.tar.gz.enc/preview", undefined, passphrase("пароль ü"))).status).toBe(200);
    for (const verb of ["preview", "rehearse"]) {
      expect((await send(`/backups/backup-z.tar.gz/${verb}`)).status).toBe(404);
      expect((await send(`/backups/..%2Fsecret.key/${verb}`)).body).toMatchObject({ code: "format" });
    }
  }, 60_000);

  // rule backups.rehearse.1
  it("are tried out, with what came of it", async () => {
    const ok = await send("/backups/backup-a.tar.gz/rehearse");
    expect(ok.status).toBe(200);
    expect(ok.body).toMatchObject({ ok: true, admins: 1, users: 1, nodes: 0, warnings: [] });
    expect(ok.body.tables).toBeGreaterThan(20);
    expect(ok.body.rows).toBeGreaterThan(5);
    expect(ok.body.seconds).toBeGreaterThan(0);
    expect((await send("/backups/backup-b.tar.gz.enc/rehearse")).body).toMatchObject({ code: "encrypted" });
    const wrong = await send("/backups/backup-b.tar.gz.enc/rehearse", undefined, passphrase("wrong"));
    expect([wrong.status, wrong.body.code]).toEqual([400, "passphrase"]);
    const plain = gunzipSync(archive);
    const at = plain.lastIndexOf(Buffer.from('"alice"'));
    plain.write("alicf", at + 1);
    storeBackup(panel, "backup-c.tar.gz", gzipSync(plain));
    const failed = await send("/backups/backup-c.tar.gz/rehearse");
    expect(failed.status).toBe(200);
    expect(failed.body).toMatchObject({ ok: false, warnings: [expect.stringMatching(/SHA-256 differs/)] });
    // What is there is there as before.
    const users = await panel.call("GET", "/api/v1/users");
    expect(users.body.items.map(({ name }: { name: string }) => name)).toEqual(["alice"]);
  }, 60_000);
});
