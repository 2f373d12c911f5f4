// The statements that a page of users comes to, as the panel's own code makes them, and the bare driver that runs the
// same ones: same text, same values, rows as the driver gives them.
import Sqlite from "better-sqlite3";
import pg from "pg";
import { userFilter, UserFilters } from "../../../src/accounts/users/user-filters.ts";
import { USER_COLUMNS } from "../../../src/accounts/users/users.routes.ts";
import { UserSearch } from "../../../src/accounts/search/user-search.ts";
import { CredentialKeys } from "../../../src/accounts/credentials/credential-keys.ts";
import { userPage } from "../../../src/accounts/users/users.queries.ts";
import { Reader, type Database } from "../../../src/db/index.ts";
import { parseDatabaseUrl } from "../../../src/db/orm.ts";
import { readUncompiled } from "../../../src/db/postgresql/transaction.ts";
import type { Sql, Store } from "../../../src/db/store.ts";
import type { Row } from "../../../src/db/table.ts";
import { SCOPES, type Caller } from "../../../src/http/index.ts";
import { parseListQuery } from "../../../src/http/listing.ts";

/** Statements of one answer; those of a wave were asked for together. */
export type Waves = readonly (readonly Sql[])[];

const caller: Caller = {
  via: "token",
  adminId: 1,
  username: "root",
  role: "sudo",
  base: "sudo",
  owner: false,
  scopes: new Set(SCOPES),
  sessionId: 0,
  tokenId: 1,
  rateLimit: 1,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
};

/** What `GET /api/v1/users?…` asks the database. */
export async function statementsOf({ store, tables }: Database, query: URLSearchParams): Promise<Waves> {
  const waves: Sql[][] = [];
  let underWay = 0;
  const noting: Store = Object.assign(Object.create(store) as Store, {
    dialect: store.dialect,
    read: async (sql: Sql) => {
      if (underWay === 0) waves.push([]);
      waves.at(-1)?.push(sql);
      underWay++;
      try {
        return await store.read(sql);
      } finally {
        underWay--;
      }
    },
  });
  const reads = new Reader(noting, tables);
  const given = Object.fromEntries(query);
  const now = () => Math.floor(Date.now() / 1000);
  const entered = { upTo: async () => undefined };
  const search = new UserSearch({
    reads,
    keys: new CredentialKeys(new Uint8Array(32)),
    entry: entered,
    credentialEntry: entered,
    columns: USER_COLUMNS,
  });
  const filter = await userFilter(
    { reads, now, search, nodeTemplate: async () => undefined },
    caller,
    UserFilters.parse(given),
  );
  const view = {
    settings: { get: () => "" },
    publicAddress: () => ({ listener: { scheme: "http" as const, port: 80, hidden: false } }),
  };
  await userPage(
    reads,
    parseListQuery(USER_COLUMNS, { surface: "v1", name: JSON.stringify(["/users", null]), ownCursor: false }, given),
    filter,
    caller,
    { ...view, search, now },
  );
  return waves;
}

/** A database asked by its driver alone. */
export interface BareReads {
  run(waves: Waves): Promise<void>;
  /** The plan of a statement, as the database prints it. */
  explain(sql: Sql): Promise<string>;
  close(): Promise<void>;
}

export async function openBareReads(url: string): Promise<BareReads> {
  const { dialect, target } = parseDatabaseUrl(url);
  return dialect === "sqlite" ? bareSqlite(target) : barePostgres(target);
}

function bareSqlite(file: string): BareReads {
  const db = new Sqlite(file, { readonly: true });
  db.function("lower", { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text));
  db.pragma("cache_size = -32768");
  db.pragma("mmap_size = 268435456");
  return {
    run: async (waves) => {
      for (const { text, values } of waves.flat()) db.prepare(text).all(...values);
    },
    explain: async ({ text, values }) => {
      const rows = db.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
      return rows.map(({ detail }) => detail).join("\n");
    },
    close: async () => void db.close(),
  };
}

async function barePostgres(url: string): Promise<BareReads> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  return {
    run: async (waves) => {
      for (const wave of waves)
        await Promise.all(
          wave.map(({ text, values, short }) =>
            short ? readUncompiled(pool, text, values) : pool.query({ text, values: [...values] }),
          ),
        );
    },
    explain: async ({ text, values, short }) => {
      const asked = `explain (costs off) ${text}`;
      const rows = short
        ? await readUncompiled(pool, asked, values)
        : (await pool.query<Row>({ text: asked, values: [...values] })).rows;
      return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    },
    close: () => pool.end(),
  };
}
