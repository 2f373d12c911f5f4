// `npm run matrix`: runs the matrix and prints it; with `--write` the tables in docs/engines.md become what this run
// says. Exits with 1 when a cell failed.
import { parseArgs } from "node:util";
import { CLIENTS, FORMAT, HERE, MIHOMO_CLIENTS } from "./clients.ts";
import { writeDocument } from "./document.ts";
import { PAYLOAD } from "./echo.ts";
import { runMatrix } from "./run.ts";
import { SERVERS } from "./servers.ts";
import { matrixMarkdown, notesMarkdown } from "./table.ts";

const { values } = parseArgs({
  options: { write: { type: "boolean", default: false }, server: { type: "string", multiple: true } },
});
const servers = values.server ? SERVERS.filter((server) => values.server?.includes(server)) : SERVERS;
const begun = performance.now();
const run = await runMatrix(servers);
console.info(`${matrixMarkdown(run)}\n\n${notesMarkdown(run)}\n`);
const failed = run.outcomes.filter(({ state }) => state === "failed");
for (const { server, cell, client, reason } of failed)
  console.info(`FAILED ${server} ${cell.name} ${client}: ${reason}`);
for (const difference of [...run.differences, ...run.leftovers]) console.info(difference);
for (const { what, exchanges, up, down } of run.counted)
  if (Math.min(up, down) < exchanges * PAYLOAD)
    console.info(`${what}: ${exchanges} exchanges, and counted ${up} up, ${down} down`);
if (failed.length > 0) console.info(run.output);
const carried = run.outcomes.filter(({ state }) => state === "ok").length;
for (const client of [...CLIENTS, ...MIHOMO_CLIENTS]) {
  const own = run.outcomes.filter((outcome) => outcome.client === client && outcome.state === "ok").length;
  const format = FORMAT[client];
  console.info(
    HERE.includes(client)
      ? `${client}: ${own} ways, from subscriptions in the format ${format}`
      : `skipped: ${client}, since MIHOMO names no program; nothing is known of the format ${format}`,
  );
}
console.info(
  `${carried} ways carried bytes, ${failed.length} failed; ${Math.round((performance.now() - begun) / 1000)} s`,
);
if (failed.length > 0) process.exitCode = 1;
else if (values.write) writeDocument(run);
