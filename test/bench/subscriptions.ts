// Fetches of subscriptions with 100,000 accounts on SQLite, beside a bare route of the same process whose answers have
// the same headers and bodies. Run: node bin/node24.mjs test/bench/subscriptions.ts
import { z } from "zod";
import { Child } from "./measure/child.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(100_000, 5000);
/** Accounts that ask again and again: their answers fit into memory. */
const HOT = 5000;
const ENDPOINTS = 8;
const MANY_ENDPOINTS = 200;
const CONNECTIONS = 64;
const FORMATS = ["links", "clash", "singbox", "xray"] as const;
const PACE = 1000;
const EDIT_MS = 100;

const Served = z.object({ port: z.int(), barePort: z.int(), sizes: z.record(z.string(), z.int()) });
interface Row {
  readonly name: string;
  readonly load: HttpLoad;
  readonly target: Target;
  readonly runs: HttpMeasured[];
  /** The name of the bare row of the same size. */
  readonly bare?: string;
}

const server = new Child("children/subscriptions.ts");
const large = new Child("children/subscriptions.ts");
const { port, barePort, sizes } = await server.ask({ users: USERS, endpoints: ENDPOINTS }, Served);
const { port: largePort } = await large.ask({ users: extent(20_000, 2000), endpoints: MANY_ENDPOINTS }, Served);
const headers = [{ "user-agent": "Happ/2.0" }];
const at = (path: string, listener = port): Target => ({
  port: listener,
  method: "GET",
  headers,
  path,
  servers: [server],
});
const atLarge = (path: string): Target => ({ port: largePort, method: "GET", headers, path, servers: [large] });
const hot = new HttpLoad(HOT);
const all = new HttpLoad(USERS);
const few = new HttpLoad(extent(20_000, 2000));
const bareOf = (format: string) => `bare route, ${thousands(sizes[format] ?? 0)} characters`;
const rows: Row[] = FORMATS.flatMap((format): Row[] => [
  { name: bareOf(format), load: hot, target: at(`/bare/${format}/{id}`, barePort), runs: [] },
  {
    name: `${format}, ${thousands(HOT)} accounts`,
    load: hot,
    target: at(`/sub/s{id}/${format}`),
    runs: [],
    bare: bareOf(format),
  },
]);
// What the headers alone cost a route that does nothing.
rows.unshift({
  name: `a route without them, ${thousands(sizes["links"] ?? 0)} characters`,
  load: hot,
  target: at("/body/links/{id}", barePort),
  runs: [],
});
for (const format of FORMATS)
  rows.push({
    name: `${format}, ${thousands(USERS)} accounts`,
    load: all,
    target: at(`/sub/s{id}/${format}`),
    runs: [],
    bare: bareOf(format),
  });
for (const format of FORMATS)
  rows.push({
    name: `${format} with ${MANY_ENDPOINTS} endpoints, cold`,
    load: few,
    target: atLarge(`/sub/s{id}/${format}`),
    runs: [],
  });
for (const { load, target } of rows) await load.run(target, CONNECTIONS, extent(2000, 300));
for (let run = 0; run < RUNS; run++)
  for (const { load, target, runs } of rows) runs.push(await load.run(target, CONNECTIONS, LOOP_MS));
const rateOf = (row: Row | undefined) => medianOf(row?.runs ?? [], ({ rate }) => rate);
const shown = rows.map((row): Cell[] => {
  const of = (pick: (run: HttpMeasured) => number) => medianOf(row.runs, pick);
  const bare = row.bare === undefined ? "" : percent(rateOf(row), rateOf(rows.find(({ name }) => name === row.bare)));
  return [row.name, rateOf(row), bare, of((run) => run.p50), of((run) => run.p99), of((run) => run.cpu)];
});
printTable(
  `Fetches of subscriptions, ${thousands(USERS)} accounts with ${ENDPOINTS} endpoints, ${CONNECTIONS} connections, medians of ${RUNS} (goals: warm at 60 % of the bare route, cold under 400 µs of processor with ${ENDPOINTS} endpoints and 5,000 with ${MANY_ENDPOINTS})`,
  ["who", "answers/s", "of bare", "p50 ms", "p99 ms", "CPU µs each"],
  shown,
);

const paced: Cell[][] = [];
for (const edits of [false, true]) {
  const runs: HttpMeasured[] = [];
  for (let run = 0; run < RUNS; run++) {
    const ms = extent(5000, 1000);
    const edited = edits
      ? server.ask({ edits: Math.floor(ms / EDIT_MS) - 2, everyMs: EDIT_MS }, z.object({ edited: z.int() }))
      : undefined;
    runs.push(await hot.run({ ...at("/sub/s{id}/singbox"), perSecond: PACE }, CONNECTIONS, ms));
    await edited;
  }
  const of = (pick: (run: HttpMeasured) => number) => medianOf(runs, pick);
  paced.push([
    edits ? `an inbound is edited every ${EDIT_MS} ms` : "nothing is edited",
    of((run) => run.rate),
    of((run) => run.p50),
    of((run) => run.p99),
  ]);
}
printTable(
  `${thousands(PACE)} fetches a second of singbox (goal: p99 under 50 ms while it is edited)`,
  ["while", "answers/s", "p50 ms", "p99 ms"],
  paced,
);
await Promise.all([hot.end(), all.end(), few.end()]);
await Promise.all([server.end("SIGKILL"), large.end("SIGKILL")]);
