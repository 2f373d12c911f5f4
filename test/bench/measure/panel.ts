// The whole panel in a process of its own, as `serve` runs it: set up over its own API, started and stopped as often as
// a bench wants.
import { z } from "zod";
import { sql, type Database } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase } from "../../database.ts";
import { settle } from "../counters/actors.ts";
import { copyRow } from "../counters/copies.ts";
import { Child } from "./child.ts";
import type { Target } from "./http-load.ts";

const SETUP_TOKEN = "setup-token-of-the-bench";
const ADMIN = { username: "root", password: "correct horse battery" };
/** Each with a budget of a million requests a minute. */
const TOKENS = 16;

const Started = z.object({ url: z.string(), loaded: z.number(), started: z.number() });
const Heap = z.object({ heap: z.number(), rss: z.number() });
const Observed = z.object({ pauses: z.array(z.number()), highest: z.number(), blocked: z.number() });
export type Observed = z.output<typeof Observed>;

/** A panel on a database. */
export class Panel {
  /** The `Authorization` of each token. */
  readonly bearers: { authorization: string }[] = [];
  /** The `Cookie` of the session that made them. */
  readonly cookies: { cookie: string }[] = [];
  url = "";
  readonly #environment: Readonly<Record<string, string>>;
  #child: Child | undefined;

  /** `variables`: of its process, besides. */
  constructor(directory: string, databaseUrl: string, variables: Readonly<Record<string, string>> = {}) {
    this.#environment = {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: databaseUrl,
      SIGNALBOX_LISTEN: "127.0.0.1:0",
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
      SIGNALBOX_WEB: "off",
      ...variables,
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

  /**
   * Finishes setup and leaves it started, with a session, tokens and one user. Resolves to that user's id and the
   * milliseconds of the start after setup.
   */
  async setUp(): Promise<{ id: number; started: number }> {
    await this.start();
    await this.post(`/api/v1/setup?t=${SETUP_TOKEN}`, { ...ADMIN, settings: { web_tls_mode: "none" } }, {});
    await this.stop();
    const started = await this.start();
    const login = await this.post("/api/v1/login", ADMIN, {});
    const cookie = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
    this.cookies.push(cookie);
    for (let index = 0; index < TOKENS; index++) {
      const created = await this.post("/api/v1/tokens", { desc: `bench ${index}`, rateLimit: 1_000_000 }, cookie);
      this.bearers.push({
        authorization: `Bearer ${z.object({ token: z.string() }).parse(await created.json()).token}`,
      });
    }
    const user = await this.post("/api/v1/users", { name: "user", volume: 1_000_000_000_000 });
    return { id: z.object({ id: z.int() }).parse(await user.json()).id, started };
  }

  get #running(): Child {
    if (!this.#child) throw new Error("the panel is not started");
    return this.#child;
  }

  get pid(): number {
    return this.#running.pid;
  }

  async heap(): Promise<z.output<typeof Heap>> {
    return this.#running.ask({ do: "heap" }, Heap);
  }

  async observed(): Promise<Observed> {
    return this.#running.ask({ do: "observed" }, Observed);
  }

  async post(
    path: string,
    body: object,
    headers: Record<string, string> | undefined = this.bearers[0],
  ): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  }

  /** The JSON of an answer to the first token. */
  async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, { headers: this.bearers[0] ?? {} });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }

  /** A route with tokens, or with other headers. */
  target(
    method: Target["method"],
    path: string,
    { body, headers = this.bearers }: Partial<Pick<Target, "body" | "headers">> = {},
  ): Target {
    const port = Number(new URL(this.url).port);
    return { port, method, path, headers, servers: [this.#running], ...(body === undefined ? {} : { body }) };
  }
}

/**
 * `users` users in all, copies of the first; `changed` and `counters` are columns of users and of their counters that
 * differ, as in `copyRow`. The panel must be stopped.
 */
export async function copyUsers(
  databaseUrl: string,
  first: number,
  users: number,
  {
    changed = {},
    counters = {},
  }: { changed?: Readonly<Record<string, string>>; counters?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const db = await connectTestDatabase(databaseUrl, entities);
  const span = { from: first + 1, to: first + users - 1 };
  const unique = { name: "'user ' || n", sub_token: "'token' || n", sub_id: "'sub' || n" };
  await copyRow(db, "users", String(first), span, { id: "n", ...unique, ...changed });
  await copyRow(db, "user_usage", String(first), span, { id: "n", ...counters });
  await enterTexts(db, span);
  await countStates(db);
  // Ids of new users begin behind them.
  await db.store.reserve("users", span.to);
  await settle(db);
  await db.close();
}

/** How many users are in each state, as their commits would have counted it. */
async function countStates({ commits, reads }: Database): Promise<void> {
  const statements = [
    "delete from state_counts where kind = 'user'",
    "insert into state_counts (id, kind, state, total) select 'bench:user:' || mstate, 'user', mstate, count(*) from users group by mstate",
  ];
  await commits.execute({
    name: "bench.states",
    statements: statements.map((text) => reads.statement("states", sql.raw(text))),
  });
}

/** What `q` finds of the copies, as their commits would have kept it: their texts are ASCII. */
async function enterTexts(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  const { dialect, commits, reads } = db;
  const separator = dialect === "sqlite" ? "char(31)" : "chr(31)";
  const fields = [
    "name",
    "group_label",
    "description",
    "remark",
    "sub_id",
    "coalesce(external_id, '')",
    "contact_text",
  ];
  const insert = `insert into user_texts (id, text) select id, lower(${fields.join(` || ${separator} || `)})
    from users where id between ${from} and ${to}`;
  // Built at the end, as a restored database has it: row by row it takes several times as long.
  const [index] =
    dialect === "sqlite"
      ? []
      : await reads.query<{ made: string }>(
          sql`select indexdef as made from pg_indexes where indexname = 'user_texts_grams'`,
        );
  const statements = [...(index ? ["drop index user_texts_grams"] : []), insert, ...(index ? [index.made] : [])];
  await commits.execute({
    name: "bench.texts",
    statements: statements.map((text) => reads.statement("texts", sql.raw(text))),
  });
}
