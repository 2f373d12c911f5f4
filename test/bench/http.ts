// The same durable command over HTTP, with a token, validation, journal, audit record and event, and a read with a
// token, beside fastify's route that does nothing. Run: node bin/node24.mjs test/bench/http.ts
import { z } from "zod";
import { dialects } from "../database.ts";
import { Child } from "./measure/child.ts";
import { startCounterApi } from "./measure/counter-api.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const KEYS = 100_000;
const CONNECTIONS = [1, 16, 64, 256];
const WARM_UP_MS = extent(2000, 500);

interface Contestant {
  readonly name: string;
  readonly target: Target;
  /** By the number of connections. */
  readonly runs: Map<number, HttpMeasured[]>;
  /** Answers in all, the warm-up's included. */
  answered: number;
}

const contestant = (name: string, target: Target): Contestant => ({
  name,
  target,
  runs: new Map(CONNECTIONS.map((each) => [each, []])),
  answered: 0,
});

const noop = new Child("children/noop.ts");
const { port } = await noop.ask({}, z.object({ port: z.int() }));
const idle = { port, headers: [{ authorization: "Bearer nobody looks at this" }], servers: [noop] };
const apis = [];
for (const dialect of dialects) apis.push({ dialect, api: await startCounterApi(dialect, KEYS) });
const load = new HttpLoad(KEYS);

/** Rounds of everybody, one after the other, so that what disturbs the machine disturbs all. */
async function compare(title: string, baseline: Target, others: readonly Contestant[]): Promise<void> {
  const base = contestant("no-op route", baseline);
  const all = [base, ...others];
  for (const each of all) each.answered += (await load.run(each.target, 64, WARM_UP_MS)).answered;
  for (let run = 0; run < RUNS; run++) {
    for (const connections of CONNECTIONS) {
      for (const each of all) {
        const measured = await load.run(each.target, connections, LOOP_MS);
        each.runs.get(connections)?.push(measured);
        each.answered += measured.answered;
      }
    }
  }
  const rows = CONNECTIONS.flatMap((connections) =>
    all.map(({ name, runs }): Cell[] => {
      const of = (from: Contestant["runs"], pick: (run: HttpMeasured) => number) =>
        medianOf(from.get(connections) ?? [], pick);
      const rate = of(runs, (run) => run.rate);
      const share = percent(
        rate,
        of(base.runs, (run) => run.rate),
      );
      return [
        connections,
        name,
        rate,
        share,
        of(runs, (run) => run.p50),
        of(runs, (run) => run.p99),
        of(runs, (run) => run.cpu),
      ];
    }),
  );
  printTable(title, ["connections", "who", "answers/s", "of no-op", "p50 ms", "p99 ms", "CPU µs each"], rows);
}

const commands = apis.map(({ dialect, api }) => contestant(`command, ${dialect}`, api.command));
const reads = apis.map(({ dialect, api }) => contestant(`read, ${dialect}`, api.read));
await compare(
  `Durable commands over HTTP, ${thousands(KEYS)} keys, medians of ${RUNS}; all found on disk (must at 256: 60 % of no-op, goal: 80 %)`,
  { ...idle, method: "POST", path: "/counters/{id}/count", body: '{"note":"counted by the bench"}' },
  commands,
);
await compare(
  `Reads with a token, ${thousands(KEYS)} keys, medians of ${RUNS}`,
  { ...idle, method: "GET", path: "/counters/{id}" },
  reads,
);
await load.end();
await noop.end("SIGKILL");
for (const [index, { api }] of apis.entries()) await api.end({ commands: commands[index]?.answered ?? 0 });
