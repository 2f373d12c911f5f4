// What the panel keeps of the machine's memory, as the system counts it: fresh after setup, and after walks through all
// users of a list, page by page. Run: node bin/node24.mjs test/bench/resident.ts
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { extent } from "./measure/extent.ts";
import { copyUsers } from "./measure/panel.ts";
import { ServedPanel } from "./measure/served-panel.ts";
import { printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(100_000, 10_000);
const PAGE = 500;
/** A panel that rests gives memory back at its second look (`src/panel/rest.ts`). */
const REST_MS = 35_000;

/** MiB of a process: all, and without what is mapped from files (programs, the database). */
function resident(pid: number): readonly [number, number] {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return [of("VmRSS"), of("RssAnon")];
}

const Page = z.object({ items: z.array(z.object({ id: z.int() })) });

const rows: Cell[][] = [];
for (const dialect of dialects) {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new ServedPanel(directory, url);
  const note = async (what: string) => {
    await wait(REST_MS);
    rows.push([dialect, what, ...resident(panel.pid)]);
  };
  await panel.start();
  const first = await panel.setUp();
  await note("after setup");
  await panel.stop();
  await panel.start();
  await note("started again");
  await panel.stop();
  await copyUsers(url, first, USERS);
  await panel.start();
  await note(`with ${thousands(USERS)} users`);
  for (let walk = 1; walk <= 3; walk++) {
    for (let skip = 0; skip < USERS; skip += PAGE)
      Page.parse(await panel.get(`/api/v1/users?limit=${PAGE}&skip=${skip}`));
    await note(`after ${walk} walk${walk > 1 ? "s" : ""}`);
  }
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}
printTable("Memory of the panel's process, MiB", ["database", "when", "resident", "without files"], rows);
