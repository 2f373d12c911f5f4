// Fetches of subscriptions with 100,000 accounts on SQLite, beside a bare route of the same process and size. Run: node
// bin/node24.mjs test/bench/subscriptions.ts
import { z } from "zod";
import { Child } from "./measure/child.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(100_000, 5000);
/** Accounts that ask again and again: their bodies fit into memory. */
const HOT = 5000;
const ENDPOINTS = 8;
const CONNECTIONS = 64;

const server = new Child("children/subscriptions.ts");
const { port, size } = await server.ask(
  { users: USERS, endpoints: ENDPOINTS },
  z.object({ port: z.int(), size: z.int() }),
);
const shared = { port, method: "GET", headers: [{ "user-agent": "Happ/2.0" }], servers: [server] } as const;
const hot = new HttpLoad(HOT);
const all = new HttpLoad(USERS);
const at = (path: string): Target => ({ ...shared, path });
const who: readonly { name: string; load: HttpLoad; target: Target; runs: HttpMeasured[] }[] = [
  { name: "bare route", load: hot, target: at("/bare/{id}"), runs: [] },
  ...["links", "clash", "singbox", "xray"].map((format) => ({
    name: `${format}, ${thousands(HOT)} accounts`,
    load: hot,
    target: at(`/sub/s{id}/${format}`),
    runs: [],
  })),
  { name: `links, ${thousands(USERS)} accounts`, load: all, target: at("/sub/s{id}/links"), runs: [] },
];
for (const { load, target } of who) await load.run(target, CONNECTIONS, extent(3000, 500));
for (let run = 0; run < RUNS; run++)
  for (const { load, target, runs } of who) runs.push(await load.run(target, CONNECTIONS, LOOP_MS));
const bare = medianOf(who[0]?.runs ?? [], ({ rate }) => rate);
const rows = who.map(({ name, runs }): Cell[] => {
  const rate = medianOf(runs, (run) => run.rate);
  const of = (pick: (run: HttpMeasured) => number) => medianOf(runs, pick);
  return [name, rate, percent(rate, bare), of((run) => run.p50), of((run) => run.p99), of((run) => run.cpu)];
});
printTable(
  `Fetches of subscriptions, ${thousands(USERS)} accounts with ${ENDPOINTS} endpoints (${thousands(size)} characters of links), ${CONNECTIONS} connections, medians of ${RUNS} (goal: warm at 60 % of the bare route)`,
  ["who", "answers/s", "of bare", "p50 ms", "p99 ms", "CPU µs each"],
  rows,
);
await Promise.all([hot.end(), all.end()]);
await server.end("SIGKILL");
