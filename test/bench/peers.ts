// The same durable change of state by others: Restate over HTTP beside our API, DBOS in a process beside our runtime,
// each pair by the same closed loop in the same run. Run: node bin/node24.mjs test/bench/peers.ts           installs
// what test/bench/peers/package.json names, where it is absent
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createEmptyDatabase, dialects } from "../database.ts";
import { checkBooks, connectCounters, createCounters } from "./counters/actors.ts";
import { Child } from "./measure/child.ts";
import type { Measured } from "./measure/closed-loop.ts";
import { startCounterApi } from "./measure/counter-api.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { HttpLoad } from "./measure/http-load.ts";
import { medianOf, printTable, thousands, times, type Cell } from "./measure/table.ts";

const KEYS = 100_000;
const IN_FLIGHT = [1, 16, 64, 256];
/** Longer than other loops: the peers answer a few hundred times a second. */
const LOOP_MS = extent(4000, 1000);
const WARM_UP_MS = extent(5000, 1000);
/** As their manuals have it for production, without a line of log for each call. */
const PRODUCTION = { env: { NODE_ENV: "production", RESTATE_LOGGING: "ERROR" } };
const FOLDER = new URL("peers/", import.meta.url);

const Loop = z.object({ answered: z.number(), rate: z.number(), p50: z.number(), p99: z.number() });

interface Contestant {
  readonly name: string;
  load(inFlight: number, ms: number): Promise<Measured>;
  /** Ends it; throws unless so many changes are stored. */
  end(answered: number): Promise<void>;
}

function install(): void {
  if (existsSync(new URL("node_modules/", FOLDER))) return;
  console.log("installing the peers (npm ci in test/bench/peers)");
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  execFileSync("npm", ["ci"], { cwd: fileURLToPath(FOLDER), stdio: "inherit", env: { ...process.env, PATH } });
}

function agree(name: string, answered: number, stored: number | undefined): void {
  if (stored !== answered) throw new Error(`${name} answered ${answered} times, but ${stored} changes are stored`);
}

async function startRestate(load: HttpLoad): Promise<Contestant> {
  const child = new Child("peers/restate.ts", PRODUCTION);
  const { port } = await child.ask({ do: "open" }, z.object({ port: z.int() }));
  const target = {
    port,
    method: "POST",
    path: "/counter/{id}/count",
    headers: [{}],
    body: "{}",
    servers: [child],
  } as const;
  return {
    name: "restate",
    load: (inFlight, ms) => load.run(target, inFlight, ms),
    end: async (answered) => {
      agree("restate", answered, (await child.ask({ do: "count" }, z.object({ counted: z.number() }))).counted);
      await child.end();
    },
  };
}

async function startApi(dialect: (typeof dialects)[number], load: HttpLoad): Promise<Contestant> {
  const api = await startCounterApi(dialect, KEYS);
  return {
    name: `signalbox, ${dialect}`,
    load: (inFlight, ms) => load.run(api.command, inFlight, ms),
    end: (commands) => api.end({ commands }),
  };
}

async function startDbos(): Promise<Contestant> {
  const { url, drop } = await createEmptyDatabase("postgresql");
  const child = new Child("peers/dbos.ts", PRODUCTION);
  await child.ask({ do: "open", url, keys: KEYS }, z.unknown());
  return {
    name: "dbos, postgresql",
    load: (inFlight, ms) => child.ask({ do: "load", keys: KEYS, inFlight, ms }, Loop),
    end: async (answered) => {
      const { counted, ended } = await child.ask({ do: "count" }, z.object({ counted: z.number(), ended: z.number() }));
      agree("dbos", answered, counted);
      agree("dbos", answered, ended);
      await child.end();
      await drop();
    },
  };
}

async function startRuntime(dialect: (typeof dialects)[number]): Promise<Contestant> {
  const { url, drop } = await createCounters(dialect, KEYS);
  const child = new Child("children/counters.ts");
  await child.ask({ do: "open", url }, z.unknown());
  return {
    name: `signalbox, ${dialect}`,
    load: (inFlight, ms) => child.ask({ do: "load", keys: KEYS, inFlight, ms }, Loop),
    end: async (answered) => {
      await child.end();
      const db = await connectCounters(url);
      // One more: a process asks once when it is opened.
      await checkBooks(db.reads, KEYS, answered + 1);
      await db.close();
      await drop();
    },
  };
}

/** The peer first, then ours; in each round one after the other. */
async function compare(title: string, contestants: readonly Contestant[]): Promise<void> {
  const all = contestants.map((contestant) => ({ ...contestant, answered: 0, runs: new Map<number, Measured[]>() }));
  for (const each of all) each.answered += (await each.load(64, WARM_UP_MS)).answered;
  for (let run = 0; run < RUNS; run++) {
    for (const inFlight of IN_FLIGHT) {
      for (const each of all) {
        const measured = await each.load(inFlight, LOOP_MS);
        each.answered += measured.answered;
        each.runs.set(inFlight, [...(each.runs.get(inFlight) ?? []), measured]);
      }
    }
  }
  for (const each of all) await each.end(each.answered);
  const [peer] = all;
  const rows = IN_FLIGHT.flatMap((inFlight) =>
    all.map(({ name, runs }): Cell[] => {
      const of = (from: Map<number, Measured[]> | undefined, pick: (run: Measured) => number) =>
        medianOf(from?.get(inFlight) ?? [], pick);
      const rate = of(runs, (run) => run.rate);
      const factor = times(
        rate,
        of(peer?.runs, (run) => run.rate),
      );
      return [inFlight, name, rate, factor, of(runs, (run) => run.p50), of(runs, (run) => run.p99)];
    }),
  );
  printTable(title, ["in flight", "who", "changes/s", "of the peer", "p50 ms", "p99 ms"], rows);
}

install();
const load = new HttpLoad(KEYS);
const served = [await startRestate(load)];
for (const dialect of dialects) served.push(await startApi(dialect, load));
await compare(
  `Beside Restate, over HTTP, ${thousands(KEYS)} keys, medians of ${RUNS}; all found stored (must at 256: 8 x, goal: 12 x)`,
  served,
);
await load.end();
if (dialects.includes("postgresql")) {
  const inProcess = [await startDbos()];
  for (const dialect of dialects) inProcess.push(await startRuntime(dialect));
  await compare(
    `Beside DBOS, in process, ${thousands(KEYS)} keys, medians of ${RUNS}; all found stored (must at 256: 20 x, goal: 80 x)`,
    inProcess,
  );
} else console.log("skipped: DBOS needs PostgreSQL");
