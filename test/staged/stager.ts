// Stages a file in a process of its own, as slowly as its test needs to kill it in the middle: `DATABASE DIRECTORY`.
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../src/lib/clock.ts";
import { StagedFileRows, StagedFiles, StagedPartRows } from "../../src/staged/testing.ts";
import { connectTestDatabase } from "../database.ts";

const MIB = 1024 * 1024;
const [url = "", directory = "", where = ""] = process.argv.slice(2);
const db = await connectTestDatabase(url, [StagedFileRows, StagedPartRows]);
const staged = new StagedFiles({ ...db, clock: systemClock, directory, shared: true });

async function* slow(): AsyncGenerator<Uint8Array, undefined> {
  for (let piece = 1; piece <= 8; piece++) {
    yield Buffer.alloc(MIB, piece);
    if (where === "file" && piece === 4) {
      process.stdout.write("half\n");
      await pause(60_000);
    }
  }
}

if (where === "rows")
  db.commits.onCommit(({ changes }) => {
    // The process is killed while it writes the next ones.
    if (changes.some(({ table, id }) => table === StagedPartRows.name && String(id).endsWith(".3")))
      process.stdout.write("half\n");
  });
const content = await staged.take("agent", slow());
process.stdout.write("taken\n");
await pause(60_000);
process.stdout.write(content.sha256);
