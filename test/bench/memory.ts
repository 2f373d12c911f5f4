// The whole panel with one user and with a million: heap after a collection, and under load the highest heap and the longest pause.
// Run: node bin/node24.mjs test/bench/memory.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/entities.ts";
import { connectTestDatabase, createTestDatabase, dialects } from "../database.ts";
import { settle } from "./counters/actors.ts";
import { copyRow } from "./counters/copies.ts";
import { Child } from "./measure/child.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { HttpLoad, type Target } from "./measure/http-load.ts";
import { medianOf, printTable, quantile, thousands, type Cell } from "./measure/table.ts";

const USERS = extent(1_000_000, 50_000);
const LOAD_MS = extent(20_000, 1500);
const CONNECTIONS = 64;
const MIB = 2 ** 20;
const SETUP_TOKEN = "setup-token-of-the-bench";
const ADMIN = { username: "root", password: "correct horse battery" };

const Started = z.object({ url: z.string(), loaded: z.number(), started: z.number() });
const Heap = z.object({ heap: z.number(), rss: z.number() });
const Observed = z.object({ pauses: z.array(z.number()), highest: z.number(), blocked: z.number() });

/** A panel on a database, started and stopped as often as wanted. */
class Panel {
  token = "";
  readonly #environment: Readonly<Record<string, string>>;
  #child: Child | undefined;
  url = "";

  constructor(directory: string, databaseUrl: string) {
    this.#environment = {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_LISTEN: "127.0.0.1:0",
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
    };
  }

  /** Resolves to the milliseconds from its modules' being loaded to its listening. */
  async start(): Promise<number> {
    this.#child = new Child("children/panel.ts", { flags: ["--expose-gc"] });
    const { url, started } = await this.#child.ask({ do: "start", environment: this.#environment }, Started);
    this.url = url;
    return started;
  }

  async stop(): Promise<void> {
    await this.#running.end();
  }

  get #running(): Child {
    if (!this.#child) throw new Error("the panel is not started");
    return this.#child;
  }

  async heap(): Promise<z.output<typeof Heap>> {
    return this.#running.ask({ do: "heap" }, Heap);
  }

  async observed(): Promise<z.output<typeof Observed>> {
    return this.#running.ask({ do: "observed" }, Observed);
  }

  async post(path: string, body: object, headers: Record<string, string> = { authorization: `Bearer ${this.token}` }): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  }

  target(method: "GET" | "PATCH", path: string, body?: string): Target {
    const headers = [{ authorization: `Bearer ${this.token}` }];
    return {
      port: Number(new URL(this.url).port),
      method,
      path,
      headers,
      servers: [this.#running],
      ...(body === undefined ? {} : { body }),
    };
  }
}

/** Setup, a token, and the first user, of whom all others are copies. */
async function setUp(panel: Panel): Promise<{ id: number; started: number }> {
  await panel.start();
  await panel.post(`/api/v1/setup?t=${SETUP_TOKEN}`, { ...ADMIN, settings: { web_tls_mode: "none" } }, {});
  await panel.stop();
  const started = await panel.start();
  const login = await panel.post("/api/v1/login", ADMIN, {});
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const created = await panel.post("/api/v1/tokens", { desc: "bench", rateLimit: 1_000_000 }, { cookie });
  panel.token = z.object({ token: z.string() }).parse(await created.json()).token;
  const user = await panel.post("/api/v1/users", { name: "user", volume: 1_000_000_000_000 });
  return { id: z.object({ id: z.int() }).parse(await user.json()).id, started };
}

async function copyUsers(databaseUrl: string, first: number): Promise<void> {
  const db = await connectTestDatabase(databaseUrl, entities);
  const span = { from: first + 1, to: first + USERS - 1 };
  const unique = { name: "'user ' || n", sub_token: "'token' || n", sub_id: "'sub' || n" };
  await copyRow(db, "users", String(first), span, { id: "n", ...unique });
  await copyRow(db, "user_usage", String(first), span, { id: "n" });
  await settle(db);
  await db.close();
}

async function measure(dialect: Dialect): Promise<Cell[]> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const { url, drop } = await createTestDatabase(dialect, entities);
  const panel = new Panel(directory, url);
  const first = await setUp(panel);
  const few = await panel.heap();
  await panel.stop();
  await copyUsers(url, first.id);
  const started = await panel.start();
  const many = await panel.heap();
  const load = new HttpLoad(USERS);
  const runs: (z.output<typeof Observed> & { changes: number })[] = [];
  for (let run = 0; run < RUNS; run++) {
    await panel.observed();
    const changed = await load.run(panel.target("PATCH", "/api/v1/users/{id}", `{"remark":"run ${run}"}`), CONNECTIONS, LOAD_MS);
    await load.run(panel.target("GET", "/api/v1/users/{id}"), CONNECTIONS, LOAD_MS / 4);
    await load.run(panel.target("GET", "/api/v1/users?limit=50"), 4, LOAD_MS / 4);
    runs.push({ ...(await panel.observed()), changes: changed.rate });
  }
  const after = await panel.heap();
  await load.end();
  await panel.stop();
  await drop();
  rmSync(directory, { recursive: true, force: true });
  return [
    dialect,
    first.started,
    started,
    (many.heap - few.heap) / USERS,
    many.heap / MIB,
    medianOf(runs, (run) => run.highest) / MIB,
    after.heap / MIB,
    medianOf(runs, (run) => quantile(run.pauses, 0.99)),
    Math.max(...runs.flatMap((run) => run.pauses)),
    medianOf(runs, (run) => run.changes),
  ];
}

const rows: Cell[][] = [];
for (const dialect of dialects) rows.push(await measure(dialect));
printTable(
  `The whole panel with ${thousands(USERS)} users, ${RUNS} rounds of changes, reads and lists (pause must: 100 ms, goal: 30 ms)`,
  [
    "database",
    "start ms with one",
    "with all",
    "B heap per user",
    "idle heap MiB",
    "highest MiB",
    "heap after MiB",
    "GC p99 ms",
    "longest ms",
    "changes/s",
  ],
  rows,
);
