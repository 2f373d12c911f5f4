// The schedule of archives through the panel's routes, what the panel's information says of it, and the retention.
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { WholePanel } from "../../whole-panel.ts";

describe.each(dialects)("the schedule on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    panel.call(method, `/api/v1${path}`, body, headers);
  const put = (body: unknown) => call("PUT", "/backups/schedule", body);
  const FIRST = {
    enabled: false,
    intervalHours: 24,
    dir: "",
    keep: 0,
    includeHistory: false,
    includeAudit: false,
    passphraseSet: false,
    rehearse: false,
    nextDue: null,
    lastResult: null,
  };

  // rule backups.schedule.5
  test("what is left out or null stays, and 0 hours are 24", async () => {
    expect(await call("GET", "/backups/schedule")).toMatchObject({ status: 200, body: FIRST });
    const dir = join(panel.directory, "elsewhere");
    const changed = { ...FIRST, intervalHours: 6, dir, keep: 3, includeHistory: true, rehearse: true };
    expect(await put({ intervalHours: 6, dir, keep: 3, includeHistory: true, rehearse: true })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await put({ intervalHours: null, dir: null, keep: null })).body).toEqual(changed);
    expect((await put({})).body).toEqual(changed);
    expect((await call("GET", "/backups")).body.dir).toBe(dir);
    expect((await put({ intervalHours: 8760, keep: 0 })).body).toMatchObject({ intervalHours: 8760, keep: 0 });
    expect((await put({ intervalHours: 0, dir: "", includeHistory: false, rehearse: false })).body).toEqual(FIRST);
    expect((await call("GET", "/backups")).body.dir).toBe(join(panel.directory, "backups"));
    const setting = async (key: string) =>
      (await call("GET", "/settings?limit=500")).body.items.find((each: { key: string }) => each.key === key);
    expect(await setting("backup_keep")).toMatchObject({ value: "0" });
    expect(await setting("backup_interval_hours")).toMatchObject({ value: "0" });
  });

  // rule backups.schedule.6
  test.each([
    [{ intervalHours: -1 }, "intervalHours"],
    [{ intervalHours: 8761 }, "intervalHours"],
    [{ intervalHours: 1.5 }, "intervalHours"],
    [{ keep: -1 }, "keep"],
    [{ dir: "relative/path" }, "dir"],
    [{ dir: 7 }, "dir"],
    [{ enabled: "yes" }, "enabled"],
    [{ passphrase: "x", clearPassphrase: true }, "passphrase"],
  ])("%j is refused", async (body, field) => {
    expect(await put({ includeAudit: true, ...body })).toMatchObject({ status: 400, body: { field } });
    expect((await call("GET", "/backups/schedule")).body).toEqual(FIRST);
  });

  test("a body that is none is refused", async () => {
    const response = await fetch(`${panel.url}/api/v1/backups/schedule`, {
      method: "PUT",
      headers: { authorization: `Bearer ${panel.token}`, "content-type": "application/json" },
      body: "{",
    });
    expect(response.status).toBe(400);
  });

  // rule backups.schedule.7
  test("the passphrase is never told, and goes only when it is asked to", async () => {
    expect((await put({ passphrase: "correct horse" })).body).toEqual({ ...FIRST, passphraseSet: true });
    expect((await put({ passphrase: "" })).body.passphraseSet).toBe(true);
    const everything = [
      (await call("GET", "/backups/schedule")).text,
      (await call("GET", "/settings?limit=500")).text,
      (await call("GET", "/changes?limit=200")).text,
    ];
    for (const text of everything) expect(text).not.toContain("correct horse");
    expect((await put({ passphrase: "", clearPassphrase: true })).body.passphraseSet).toBe(false);
    const logged = (await call("GET", "/changes?key=backups&limit=1")).body.items[0];
    expect(logged).toMatchObject({ entityId: "schedule", action: "update", obj: { passphraseSet: [true, false] } });
  });

  // rule backups.schedule.2
  test("the next one follows from the newest archive; the panel's information says so to main admins", async () => {
    const info = async (headers?: Record<string, string>) =>
      (await call("GET", "/panel/info", undefined, headers)).body;
    const off = { enabled: false, lastAt: null, lastResult: null, nextDue: null, error: "" };
    expect((await info()).backup).toEqual(off);
    const on = (await put({ enabled: true, intervalHours: 6 })).body;
    expect(Math.abs(on.nextDue - Date.now() / 1000)).toBeLessThan(120);
    const { name, createdAt } = (await call("POST", "/backups")).body;
    expect((await call("GET", "/backups/schedule")).body.nextDue).toBe(createdAt + 6 * 3600);
    expect((await info()).backup).toEqual({ ...off, enabled: true, lastAt: createdAt, nextDue: createdAt + 6 * 3600 });
    await call("POST", "/admins", { username: "helper", password: "correct horse", role: "admin" });
    const login = await fetch(`${panel.url}/api/v1/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "helper", password: "correct horse" }),
    });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await info({ cookie })).backup).toBeNull();
    await put({ enabled: false });
    await call("DELETE", `/backups/${name}`);
  });

  // rule backups.schedule.8
  test("a folder that cannot be read is an error, not an empty list", async () => {
    const dir = join(panel.directory, "in-the-way");
    await writeFile(dir, "a file");
    await put({ dir });
    for (const [method, path] of [
      ["GET", "/backups"],
      ["GET", "/panel/info"],
      ["POST", "/backups"],
    ] as const)
      expect([path, (await call(method, path)).status]).toEqual([path, 500]);
    await rm(dir);
    await mkdir(dir);
    await chmod(dir, 0o755);
    expect((await call("GET", "/backups")).status).toBe(200);
    await put({ dir: "" });
  });
});

// rule backups.stored.9
test("what a kill left is swept at the next start, and nothing else", async () => {
  const panel = await WholePanel.open("sqlite");
  try {
    const folder = join(panel.directory, "backups");
    const { name } = (await panel.call("POST", "/api/v1/backups")).body;
    await panel.stop();
    await mkdir(join(folder, ".spool-a1b2c3"));
    await writeFile(join(folder, ".spool-a1b2c3", "pages.db"), "half");
    await writeFile(join(folder, "signalbox-20261128-210000-aB3d.tar.gz.part"), "half");
    await writeFile(join(folder, "notes.part"), "mine");
    await panel.start();
    expect((await readdir(folder)).toSorted()).toEqual(["notes.part", name]);
  } finally {
    await panel.dispose();
  }
});
