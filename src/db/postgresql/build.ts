// Builds a database in a schema of its own beside the one in use: the tables that its rows had, the rows, and what
// later versions made of both. All of it is one transaction, so nobody sees any of it before its end, and nothing stays
// of what failed or was killed.
//
// No migration and none of the ORM's statements names `public`: tables are found along `search_path`, and the ORM is
// told the schema of its own table. `public` is not in the path meanwhile, so what a migration changes or drops is
// here.
import { PostgresDialect } from "kysely";
import pg from "pg";
import { migrateWithin } from "../migrate.ts";
import { createOrm, type Location } from "../orm.ts";
import type { Building, Built } from "../snapshot/build.ts";
import type { SealText } from "../snapshot/loader.ts";
import type { TableShape } from "../snapshot/snapshot.ts";
import type { Row } from "../table.ts";
import { loadPostgres } from "./loader.ts";
import { types } from "./store.ts";

/** Rows that are handed on together. */
const AT_ONCE = 500;
/** It is allowed to take its time. */
const PATIENT = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";

export interface PostgresBuilding extends Building {
  readonly url: string;
  /** The schema that is made; there is none of this name. */
  readonly name: string;
  /** Statements of the same transaction, once all is there. `rollback`: nothing stays. */
  readonly end: "rollback" | readonly string[];
}

/** Resolves once it is committed, or rolled back on purpose. Leaves nothing where it throws. */
export async function buildPostgres(building: PostgresBuilding): Promise<void> {
  const { url, end } = building;
  const client = new pg.Client({ connectionString: url, types });
  // What ends the connection also fails the statement that is running.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`begin; ${PATIENT}`);
    await buildWithin(client, building);
    if (end !== "rollback") for (const statement of end) await client.query(statement);
    await client.query(end === "rollback" ? "rollback" : "commit");
  } finally {
    // A transaction that is open ends with its connection.
    await client.end().catch(() => {});
  }
}

async function buildWithin(
  client: pg.ClientBase,
  { url, name, schema, seal, fill, finish }: PostgresBuilding,
): Promise<void> {
  await client.query(`create schema "${name}"; set local search_path to "${name}"`);
  const orm = await ormWithin(client, { dialect: "postgresql", target: url }, name);
  try {
    await migrateWithin(orm, schema);
    const loader = await loadPostgres(client, seal);
    await loader.clear();
    await fill(loader);
    await loader.finish();
    await migrateWithin(orm);
    await finish(await builtIn(client, seal));
  } finally {
    await orm.close(true);
  }
}

/** An ORM whose statements run on this connection, one by one: transactions are the caller's. */
function ormWithin(client: pg.ClientBase, location: Location, schema: string): ReturnType<typeof createOrm> {
  const held = { query: client.query.bind(client), release: () => {} };
  // The driver asks for no more of a pool and its clients.
  const pool = { connect: async () => held, end: async () => {} } as never;
  const driverOptions = new PostgresDialect({ pool });
  return createOrm(location, [], { transactional: false, allOrNothing: false }, { driverOptions, schema });
}

async function builtIn(client: pg.ClientBase, seal: SealText): Promise<Built> {
  const loader = await loadPostgres(client, seal);
  return {
    dialect: "postgresql",
    load: (table, rows) => loader.load(table, rows),
    run: async (text, values = []) => (await client.query<Row>(text, [...values])).rows,
    rows: (table) => rowsIn(client, table),
  };
}

async function* rowsIn(client: pg.ClientBase, { name, columns }: TableShape): AsyncGenerator<Row[], undefined> {
  const list = columns.map((column) => `"${column.name}"`).join(", ");
  await client.query(`declare built no scroll cursor for select ${list} from "${name}"`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${AT_ONCE} from built`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("close built");
}
