// Process engines as the agent runs them: throughput through the compiled configuration beside the engine's own
// smallest one, and what changes cost.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { DesiredState } from "../../src/agent/engines/contract/driver.ts";
import type { PlanUser } from "../../src/protocol/plan.ts";
import { planUser } from "../agent/embedded/harness.ts";
import { measureAgentCost } from "./engines/agent-cost.ts";
import { type Engine, ENGINES, planned, startClient, startDriver, startMinimal } from "./engines/servers.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { median, percent, printTable, quantile } from "./measure/table.ts";
import { quietPorts } from "../quiet-ports.ts";

const SECONDS = extent(1.5, 0.5);
/** Ours and theirs in turn, so many times: what disturbs the machine disturbs both. */
const PAIRS = extent(3 * RUNS, 2);
const MANY = extent(10_000, 1000);
const ADDED = extent(1000, 100);
const OPEN = extent(1000, 100);
const SINGLE = extent(20, 3);

/** Bytes a second of one or several downloads through a SOCKS port. */
async function download(socksPort: number, sourcePort: number, streams: number): Promise<number> {
  const one = async (): Promise<number> => {
    const args = ["-s", "--socks5-hostname", `127.0.0.1:${socksPort}`, "-o", "/dev/null", "-w", "%{speed_download}"];
    // curl ends with 28 when its time is up, which is what it is for here.
    const { stdout } = await promisify(execFile)("curl", [
      ...args,
      "-m",
      String(SECONDS),
      `http://127.0.0.1:${sourcePort}/`,
    ]).catch((error: { stdout: string }) => error);
    return Number(stdout);
  };
  const rates = await Promise.all(Array.from({ length: streams }, one));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function throughput(engine: Engine, sourcePort: number): Promise<(string | number)[][]> {
  const ours = await startDriver(engine);
  if (!ours) return [];
  const [a = 0, b = 0, c = 0, d = 0] = await quietPorts(4);
  await ours.driver.apply(planned([a, b]));
  const theirs = await startMinimal(engine, [c, d]);
  const client = await startClient([
    { port: a, tls: false },
    { port: c, tls: false },
    { port: b, tls: true },
    { port: d, tls: true },
  ]);
  const rows: (string | number)[][] = [];
  for (const [name, own, minimal] of [
    ["vless tcp", client.socks[0], client.socks[1]],
    ["vless tls", client.socks[2], client.socks[3]],
  ] as const) {
    for (const streams of [1, 16]) {
      const pairs: { ours: number; theirs: number }[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1)
        pairs.push({
          ours: await download(own ?? 0, sourcePort, streams),
          theirs: await download(minimal ?? 0, sourcePort, streams),
        });
      const mega = (pick: (pair: { ours: number; theirs: number }) => number): number => median(pairs.map(pick)) / 1e6;
      const ratio = median(pairs.map((pair) => pair.ours / pair.theirs));
      rows.push([engine, name, streams, mega((pair) => pair.ours), mega((pair) => pair.theirs), percent(ratio, 1)]);
    }
  }
  await client.end();
  theirs.kill("SIGKILL");
  await once(theirs, "exit");
  await ours.end();
  return rows;
}

const withUsers = (state: DesiredState, users: readonly PlanUser[]): DesiredState => ({
  structure: state.structure,
  users: new Map(users.map((user) => [user.id, user])),
});

async function changes(engine: Engine): Promise<(string | number)[][]> {
  const started = await startDriver(engine);
  if (!started) return [];
  const { driver, end } = started;
  const [a = 0, b = 0] = await quietPorts(2);
  const users = Array.from({ length: MANY }, (_, index) => planUser(index + 1));
  const state = planned([a, b]);
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const start = await timed(() => driver.apply(withUsers(state, users)));
  const added = Array.from({ length: ADDED }, (_, index) => planUser(MANY + 1 + index));
  users.push(...added);
  const batch = await timed(() => driver.changeUsers({ put: added, drop: [] }, withUsers(state, users)));
  const singles: number[] = [];
  let how = "";
  for (let round = 0; round < SINGLE; round += 1) {
    const user = planUser(MANY + ADDED + 1 + round);
    users.push(user);
    const next = withUsers(state, users);
    singles.push(
      await timed(async () => {
        const result = await driver.changeUsers({ put: [user], drop: [] }, next);
        how = result.how;
      }),
    );
  }
  await end();
  return [[engine, how, start, (ADDED / batch) * 1000, median(singles), quantile(singles, 0.95)]];
}

const block = Buffer.alloc(256 * 1024, 120);
function* endless(): Generator<Buffer> {
  for (;;) yield block;
}
const source = createServer((_, response) => {
  // The client leaves when its time is up.
  pipeline(Readable.from(endless(), { highWaterMark: 4 }), response).catch(() => undefined);
}).listen(0, "127.0.0.1");
await once(source, "listening");
const { port } = source.address() as AddressInfo;

const speeds: (string | number)[][] = [];
const costs: (string | number)[][] = [];
const agents: (string | number)[][] = [];
for (const engine of ENGINES) {
  speeds.push(...(await throughput(engine, port)));
  costs.push(...(await changes(engine)));
}
for (const engine of [...ENGINES, "embedded"] as const) {
  const { idle, open, asked, megabytes } = await measureAgentCost(engine, OPEN, extent(10, 2));
  agents.push([engine, idle, open, asked, megabytes]);
}
printTable(
  `download through the compiled configuration beside the engine's own smallest (medians of ${PAIRS} pairs)`,
  ["engine", "case", "streams", "ours MB/s", "smallest MB/s", "ratio"],
  speeds,
);
printTable(
  `changes with ${MANY.toLocaleString("en")} users on two inbounds (ms)`,
  ["engine", "how", "start", `added/s (${ADDED} at once)`, "one more p50", "p95"],
  costs,
);
printTable(
  `the agent's own process with ${OPEN.toLocaleString("en")} open connections (percent of a core; embedded: engine included)`,
  ["engine", "none open", "open", "open, all listed each second", "MB"],
  agents,
);
process.exit(0);
