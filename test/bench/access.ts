// What the API's rules cost: reads of the whole panel with a token and with a session, beside a bare fastify route that
// answers the same JSON; and a durable command with its token, its audit record and its idempotency key, beside the
// same unit behind a bare route of the same process. Run: node bin/node24.mjs test/bench/access.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { Child } from "./measure/child.ts";
import { REPLAYED, startCounterApi } from "./measure/counter-api.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { HttpLoad, type HttpMeasured, type Target } from "./measure/http-load.ts";
import { copyUsers, Panel } from "./measure/panel.ts";
import { median, medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(100_000, 1000);
const KEYS = extent(100_000, 1000);
const CONNECTIONS = [1, 64];
const WARM_UP_MS = extent(3000, 500);

interface Contestant {
  readonly name: string;
  readonly target: Target;
  /** The measurement that it is compared with; itself for a baseline. */
  readonly base: string;
}

interface Measured {
  /** By the number of connections, a run after the other. */
  readonly runs: ReadonlyMap<number, HttpMeasured[]>;
  /** Answers in all, the warm-up's included. */
  answered: number;
}

const load = new HttpLoad(Math.min(USERS, KEYS));

/** Rounds of everybody, one after the other. Resolves to what was measured, by name. */
async function inTurns(all: readonly Contestant[]): Promise<ReadonlyMap<string, Measured>> {
  const measured = new Map(
    all.map(({ name }): [string, Measured] => [name, { runs: new Map(CONNECTIONS.map((n) => [n, []])), answered: 0 }]),
  );
  const ask = async ({ name, target }: Contestant, connections: number, ms: number) => {
    const run = await load.run(target, connections, ms);
    const mine = measured.get(name);
    if (mine) mine.answered += run.answered;
    return run;
  };
  for (const each of all) await ask(each, REPLAYED, WARM_UP_MS);
  for (let run = 0; run < RUNS; run++) {
    for (const connections of CONNECTIONS)
      for (const each of all)
        measured
          .get(each.name)
          ?.runs.get(connections)
          ?.push(await ask(each, connections, LOOP_MS));
  }
  return measured;
}

/**
 * A row for each contestant. Ratios are medians of each run's own: what disturbs the machine in a run disturbs both
 * sides of it.
 */
function rowsOf(all: readonly Contestant[], measured: ReadonlyMap<string, Measured>): Cell[][] {
  return CONNECTIONS.flatMap((connections) =>
    all.map(({ name, base }) => {
      const runs = measured.get(name)?.runs.get(connections) ?? [];
      const others = measured.get(base)?.runs.get(connections) ?? [];
      const share = median(runs.map((run, index) => run.rate / (others[index]?.rate ?? Infinity)));
      const more = median(runs.map((run, index) => run.cpu - (others[index]?.cpu ?? 0)));
      const of = (pick: (run: HttpMeasured) => number) => medianOf(runs, pick);
      return [
        connections,
        name,
        of((run) => run.rate),
        percent(share, 1),
        of((run) => run.p50),
        of((run) => run.p99),
        of((run) => run.cpu),
        name === base ? "" : Math.round(more),
      ];
    }),
  );
}

const HEADINGS = ["connections", "who", "answers/s", "of bare", "p50 ms", "p99 ms", "CPU µs each", "µs more"];

/** Reads of one record with a token and with a session's cookie. */
async function reads(dialect: Dialect): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await panel.setUp();
  await panel.stop();
  await copyUsers(url, first.id, USERS);
  await panel.start();
  const bare = new Child("children/bare-reads.ts");
  const [me, user] = await Promise.all(["/api/v1/me", `/api/v1/users/${first.id}`].map((path) => panel.get(path)));
  const { port } = await bare.ask({ answers: { me, user } }, z.object({ port: z.int() }));
  const bareTarget = (path: string): Target => ({ port, method: "GET", path, headers: panel.bearers, servers: [bare] });
  const withSession = { headers: panel.cookies };
  const all: Contestant[] = [
    { name: "bare, account", base: "bare, account", target: bareTarget("/me") },
    { name: "account, token", base: "bare, account", target: panel.target("GET", "/api/v1/me") },
    { name: "account, session", base: "bare, account", target: panel.target("GET", "/api/v1/me", withSession) },
    { name: "bare, user", base: "bare, user", target: bareTarget("/user") },
    { name: "user, token", base: "bare, user", target: panel.target("GET", "/api/v1/users/{id}") },
    { name: "user, session", base: "bare, user", target: panel.target("GET", "/api/v1/users/{id}", withSession) },
  ];
  const measured = await inTurns(all);
  printTable(
    `Reads of one record, ${dialect}, ${thousands(USERS)} users, medians of ${RUNS} (goal at 64: 50 % of a bare route that answers the same JSON)`,
    HEADINGS,
    rowsOf(all, measured),
  );
  await bare.end("SIGKILL");
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
}

/** One durable command with more and more of the API around it. */
async function writes(dialect: Dialect): Promise<void> {
  const api = await startCounterApi(dialect, KEYS);
  const base = "bare route, the unit alone";
  const all: Contestant[] = [
    { name: base, base, target: api.bare },
    { name: "token, validation", base, target: api.unaudited },
    { name: "and audit record", base, target: api.command },
    { name: "and idempotency key", base, target: api.keyed },
    { name: "its repetition", base, target: api.replayed },
  ];
  const measured = await inTurns(all);
  const answered = (name: string) => measured.get(name)?.answered ?? 0;
  const [audited, keyed] = [answered("and audit record"), answered("and idempotency key")];
  printTable(
    `A durable command, ${dialect}, ${thousands(KEYS)} keys, medians of ${RUNS}; all found on disk`,
    HEADINGS,
    rowsOf(all, measured),
  );
  await api.end({
    commands: answered(base) + answered("token, validation") + audited + keyed + REPLAYED,
    audited: audited + keyed + REPLAYED,
    keyed: keyed + REPLAYED,
  });
}

for (const dialect of dialects) await reads(dialect);
for (const dialect of dialects) await writes(dialect);
await load.end();
