// A panel that is brought back from an archive: a real process, over HTTP.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventually } from "../runtime/eventually.ts";
import { dialects } from "../database.ts";
import { startPanel, type E2ePanel } from "./panel.ts";
import { logIn } from "./set-up.ts";
import { Api } from "./api.ts";
import { archiveOf } from "../backups/restore/archive-of.ts";

const Log = z.object({ items: z.array(z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) })) });
const Names = z.object({ items: z.array(z.object({ name: z.string() })) });
const CONFIRM = "confirm=replace-database";

/** The status of a request whose body is announced and never comes. */
function announced(url: string, { headers }: Api, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { ...headers, "content-length": length } });
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

describe.each(dialects)("a restore on %s", (dialect) => {
  let panel: E2ePanel;
  let archive: Uint8Array;
  let tables: number;
  let rows: number;
  const staged = dialect === "sqlite";
  const names = async () => Names.parse(await panel.api.ok("GET", "/users?sort=id")).items.map(({ name }) => name);
  const send = async (api: Api, path: string, body: Uint8Array, headers: Record<string, string> = {}) => {
    const response = await fetch(`${panel.url}/api${path}`, {
      method: "POST",
      headers: { ...api.headers, ...headers, origin: panel.url },
      body: Buffer.from(body),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: z.record(z.string(), z.unknown()).parse(answer) };
  };

  beforeAll(async () => {
    panel = await startPanel({ dialect, engine: "none" });
    await panel.api.make("users", { name: "before" });
    const made = await archiveOf(panel);
    archive = made.bytes;
    ({ tables, rows } = made);
    await panel.api.make("users", { name: "after" });
  });
  afterAll(() => panel?.dispose());

  // rule backups.restore.1
  it("is refused without its word, to tokens, and of what is no archive; nothing changes", async () => {
    const session = await logIn(panel.url);
    expect(await send(session, "/backup/restore", archive)).toMatchObject({ status: 400, body: { code: "confirm" } });
    expect(await send(session, "/backup/restore?confirm=yes", archive)).toMatchObject({ body: { code: "confirm" } });
    expect(await send(panel.api, `/backup/restore?${CONFIRM}`, archive)).toMatchObject({ status: 403 });
    const bad = archive.slice(0, 1000);
    expect(await send(session, `/backup/restore?${CONFIRM}`, bad)).toMatchObject({
      status: 400,
      body: { code: "format" },
    });
    expect(await send(session, `/backups/none.zip/restore?${CONFIRM}`, new Uint8Array())).toMatchObject({
      status: 400,
      body: { code: "format" },
    });
    expect(await send(session, `/backups/none.tar.gz/restore?${CONFIRM}`, new Uint8Array())).toMatchObject({
      status: 404,
    });
    const locked = (await archiveOf(panel, "its passphrase")).bytes;
    expect(await send(session, `/backup/restore?${CONFIRM}`, locked)).toMatchObject({ body: { code: "encrypted" } });
    const other = { "x-backup-passphrase": "another one" };
    expect(await send(session, `/backup/restore?${CONFIRM}`, locked, other)).toMatchObject({
      status: 400,
      body: { code: "passphrase" },
    });
    expect(await announced(`${panel.url}/api/backup/restore?${CONFIRM}`, session, 2 ** 30 + 1)).toBe(413);
    expect(await names()).toEqual(["before", "after"]);
  });

  // rule backups.restore.2
  it("brings back what the archive has, keeps an archive of what was there, and says so once", async () => {
    const session = await logIn(panel.url);
    const answers = await Promise.all([1, 2].map(() => send(session, `/backup/restore?${CONFIRM}`, archive)));
    // rule backups.restore.4
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "busy" });
    const answer = answers.find(({ status }) => status === 200) ?? { status: 0, body: {} };
    expect(answer.body).toMatchObject({ staged, tables, rows });
    const snapshot = z.string().parse(answer.body["snapshot"]);
    expect(snapshot).toMatch(/\/backups\/pre-restore-\d{8}-\d{6}-\w{4}\.tar\.gz$/);
    expect(statSync(snapshot).size).toBeGreaterThan(1000);
    await eventually(names).toEqual(["before"]);
    // Sessions do not come back, tokens do.
    expect(await session.request("GET", "/api/me")).toMatchObject({ status: 401 });
    const told = async () =>
      Log.parse(await panel.api.ok("GET", "/events/log?limit=1000")).items.filter(({ event }) =>
        ["panel.restore_applied", "panel.started"].includes(event),
      );
    const superseded = staged ? expect.stringMatching(/\.superseded$/) : snapshot;
    await eventually(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "panel.restore_applied", data: { superseded, tables, rows } }),
        expect.objectContaining({ event: "panel.started", data: expect.objectContaining({ restored: true }) }),
      ]),
    );
    await panel.stop();
    await panel.start();
    const again = (await told()).filter(
      ({ event, data }) => event === "panel.restore_applied" || data["restored"] === true,
    );
    expect(again).toHaveLength(2);
    expect(await names()).toEqual(["before"]);
    expect(existsSync(join(panel.directory, "restore/ready.json"))).toBe(false);
  });

  // rule backups.restore.3
  it("brings back what was there by the archive that it kept", async () => {
    const [kept = ""] = readdirSync(join(panel.directory, "backups")).filter((name) => name.startsWith("pre-restore-"));
    const session = await logIn(panel.url);
    expect(await send(session, `/backups/${kept}/restore?${CONFIRM}`, new Uint8Array())).toMatchObject({
      status: 200,
      body: { staged },
    });
    await eventually(names).toEqual(["before", "after"]);
    expect(readFileSync(join(panel.directory, "backups", kept)).length).toBeGreaterThan(1000);
  });
});
