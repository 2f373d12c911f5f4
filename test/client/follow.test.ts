// Events of a day, followed by a program that is killed between an event and its cursor: none is lost, and none is
// handled twice by who keeps the ids of handled ones.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Panel } from "../../src/client/index.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

const FOLLOWER = fileURLToPath(new URL("./follower.ts", import.meta.url));
/** At which event each life ends: in the middle of a page of 100, at its ends, after several pages. */
const LIVES = [1, 37, 100, 101, 230, 99];

describe.each(dialects)("on %s", (dialect) => {
  let whole: WholePanel;
  let client: Panel;
  let folder: string;
  beforeAll(async () => {
    whole = await WholePanel.open(dialect);
    client = new Panel({ url: whole.url, token: whole.token });
    folder = await mkdtemp(`${tmpdir()}/signalbox-follow-`);
  });
  afterAll(async () => {
    await whole.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const follower = (dies: number) =>
    spawn(process.execPath, [FOLLOWER], {
      env: { ...process.env, PANEL: whole.url, TOKEN: whole.token, FOLDER: folder, DIES: String(dies) },
      stdio: ["ignore", "pipe", "inherit"],
    });
  const sell = (day: number, accounts: number) =>
    client.call("createUsers", {
      body: { users: Array.from({ length: accounts }, (_, n) => ({ name: `d${day}-${n}` })) },
    });
  const handled = async (): Promise<readonly number[]> =>
    (await readFile(`${folder}/handled`, "utf8")).trim().split("\n").map(Number);

  test("killed again and again, and the panel restarts under it", async () => {
    await sell(0, 250);
    for (const [day, dies] of LIVES.entries()) {
      const life = follower(dies);
      const ended = once(life, "exit");
      await sell(day + 1, 60);
      expect((await ended)[1]).toBe("SIGKILL");
    }
    const last = follower(0);
    try {
      const lines = createInterface({ input: last.stdout })[Symbol.asyncIterator]();
      await lines.next();
      await whole.restart();
      const { id } = await client.call("createUser", { body: { name: "the last one" } });
      await client.call("updateUser", { path: { id }, body: { enable: false } });
      const all = await client.call("listEvents", { query: { limit: 1000 } });
      const ids = all.items.map((event) => event.id);
      const missing = new Set(ids);
      for (const done of await handled()) missing.delete(done);
      while (missing.size > 0) missing.delete(Number((await lines.next()).value));
      const noted = await handled();
      expect(new Set(noted)).toEqual(new Set(ids));
      // Killed between the two, it was given some again: that is what ids are kept for.
      expect(noted.length).toBeGreaterThan(ids.length);
    } finally {
      last.kill("SIGKILL");
    }
  });
});
