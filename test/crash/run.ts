// `npm run crash -- --rounds N --seed S`: kills the real panel again and again and does the books.
import { parseArgs } from "node:util";
import { campaign } from "./campaign.ts";
import { crashRuntime } from "./runtime/campaign.ts";
import { KILLS, type Kill } from "./plan.ts";
import { forRounds } from "./share.ts";

const HELP = `npm run crash -- [options]

Kills the panel (src/main.ts serve) with SIGKILL under mixed commands, timers, deliveries and a simulated fleet, and does the books.

  --rounds N        kills (100)
  --seed S          commands and kill points follow from it (1)
  --database NAME   sqlite, postgresql (where PG_URL names a server), or both (both)
  --of WHAT         panel, or runtime: a process of the runtime alone, with queued effects (panel)
  --kill HOW        mixed, points, moments, or syscalls under strace (mixed)
  --books N         do the books after every N rounds (1)
  --keep            leave the database of a failed round
`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    database: { type: "string", default: "both" },
    of: { type: "string", default: "panel" },
    kill: { type: "string", default: "mixed" },
    books: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const kill = KILLS.find((each): each is Kill => each === values.kill);
if (values.help || !kill) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const { dialects } = await import("../database.ts");
for (const dialect of dialects.filter((each) => values.database === "both" || values.database === each)) {
  const [goesOn, seed, booksEvery] = [forRounds(Number(values.rounds)), Number(values.seed), Number(values.books)];
  const say = (text: string) => console.log(text);
  const report =
    values.of === "runtime"
      ? await crashRuntime(dialect, goesOn, seed, kill)
      : await campaign({ dialect, goesOn, seed, kill, booksEvery, keep: values.keep, say });
  console.log(dialect, report);
}
process.exit(0);
