// The dearest requests that strangers can write: the processor time of each, and what others wait beside a flood of the
// worst from two addresses. Run: node bin/node24.mjs test/bench/strangers.ts [sqlite|postgresql]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { entities } from "../../src/panel/entities.ts";
import type { Dialect } from "../../src/db/index.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { freshAddress, oddRequestsFor, openRoutesOf, processorMs, send, type OddRequest } from "../odd-requests.ts";
import { Child } from "./measure/child.ts";
import { pacedLoop, type Paced } from "./measure/closed-loop.ts";
import { extent } from "./measure/extent.ts";
import { Panel } from "./measure/panel.ts";
import { median, printTable } from "./measure/table.ts";

/** Measurements of each request; the middle one counts. */
const TIMES = extent(7, 1);
const SHOWN = 15;
const FLOOD_MS = extent(15_000, 1500);
/** Connections of each address. */
const CONNECTIONS = 8;
/** Requests of each kind a second, beside the flood. */
const BESIDE = 20;

const Flooded = z.object({ sent: z.int() });
const Made = z.object({ id: z.int(), subId: z.string() });

async function measure(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const { id } = await panel.setUp();
  const link = `/sub/${Made.parse(await panel.get(`/api/v1/users/${id}`)).subId}`;
  const port = Number(new URL(panel.url).port);
  const address = freshAddress();
  const routes = openRoutesOf((await panel.get("/api/v1/openapi.json")) as Parameters<typeof openRoutesOf>[0]);
  const elsewhere = ["/healthz", "/nothing", "/api/v1/nothing", "/sub/nobody", `${link}/clash`].map((path) => ({
    method: "GET",
    path,
  }));
  const all = [...routes, ...elsewhere].flatMap(oddRequestsFor);
  const costs: { odd: OddRequest; ms: number; bytes: number }[] = [];
  for (const odd of all) {
    const taken: number[] = [];
    let bytes = 0;
    for (let time = 0; time < TIMES; time++) {
      const before = processorMs(panel.pid);
      ({ bytes } = await send(port, odd, address()));
      taken.push(processorMs(panel.pid) - before);
    }
    costs.push({ odd, ms: median(taken), bytes });
  }
  const dearest = costs.toSorted((one, other) => other.ms - one.ms).slice(0, SHOWN);
  printTable(
    `The dearest of ${all.length} requests of strangers on ${dialect}`,
    ["request", "processor ms", "answer bytes"],
    dearest.map(({ odd, ms, bytes }) => [odd.name, ms, bytes]),
  );

  const beside = (): Promise<Paced[]> => {
    const asked = [
      async () => (await fetch(`${panel.url}/healthz`)).text(),
      () => panel.get(`/api/v1/users/${id}`),
      () => send(port, { name: "", method: "GET", path: link, headers: {} }, address()),
    ];
    return Promise.all(asked.map((ask) => pacedLoop(16, BESIDE, FLOOD_MS, ask)));
  };
  const quiet = await beside();
  const child = new Child("children/strangers.ts");
  const requests = dearest.map(({ odd }) => odd);
  const order = { port, ms: FLOOD_MS, from: ["127.3.0.1", "127.3.0.2"], connections: CONNECTIONS, requests };
  const [{ sent }, flooded] = await Promise.all([child.ask(order, Flooded), beside()]);
  await child.end("SIGKILL");
  printTable(
    `Beside ${Math.round((sent * 1000) / FLOOD_MS)} of them a second from two addresses, on ${dialect}; milliseconds`,
    ["asked", "p50 alone", "p99 alone", "p50 beside", "p99 beside"],
    ["/healthz", "GET /users/{id} of a token", "a subscription"].map((name, at) => [
      name,
      quiet[at]?.p50 ?? 0,
      quiet[at]?.p99 ?? 0,
      flooded[at]?.p50 ?? 0,
      flooded[at]?.p99 ?? 0,
    ]),
  );
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

const [only] = process.argv.slice(2);
for (const dialect of dialects) if (only === undefined || only === dialect) await measure(dialect);
