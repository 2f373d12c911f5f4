// A shop that follows events and is killed again and again. It notes each event, then where to go on, as a program does
// that cannot do both at once. PANEL, TOKEN; FOLDER: where it keeps both; DIES: at the how-many-th event of this life.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Panel } from "../../src/client/index.ts";

const { PANEL = "", TOKEN = "", FOLDER = "", DIES = "0" } = process.env;
const kept = `${FOLDER}/cursor`;
const cursor = existsSync(kept) ? readFileSync(kept, "utf8") : "";
let handled = 0;
for await (const { event, cursor: next } of new Panel({ url: PANEL, token: TOKEN }).followEvents({ cursor })) {
  appendFileSync(`${FOLDER}/handled`, `${event.id}\n`);
  process.stdout.write(`${event.id}\n`);
  if (++handled === Number(DIES)) process.kill(process.pid, "SIGKILL");
  writeFileSync(`${kept}.new`, next);
  renameSync(`${kept}.new`, kept);
}
