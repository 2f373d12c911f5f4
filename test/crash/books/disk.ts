// A database as it is on disk after a kill, with no panel around it, in one snapshot. It is left as it was found:
// recovery is the next panel's own work.
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";

export type Query = <R>(text: string) => Promise<R[]>;

const { INT8, NUMERIC } = pg.types.builtins;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof pg.types.getTypeParser>[0]) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid),
};
const GONE_MS = 30_000;

export function onDisk<T>(url: string, read: (query: Query) => Promise<T>): Promise<T> {
  return url.startsWith("sqlite:") ? onCopy(url.slice("sqlite:".length), read) : onServer(url, read);
}

/** On a copy of the file and its log: opening the original would recover it. */
async function onCopy<T>(file: string, read: (query: Query) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-books-"));
  const copy = join(folder, "panel.db");
  for (const suffix of ["", "-wal"]) if (existsSync(file + suffix)) cpSync(file + suffix, copy + suffix);
  const database = new Database(copy);
  try {
    const [check] = database.pragma("quick_check") as { quick_check: string }[];
    if (check?.quick_check !== "ok") throw new Error(`the file is damaged: ${check?.quick_check}`);
    return await read(async <R>(text: string) => database.prepare(text).all() as R[]);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** After the server has noticed that the panel is gone: until then it may still be carrying out what it was sent. */
async function onServer<T>(url: string, read: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    const until = Date.now() + GONE_MS;
    for (;;) {
      const { rows } = await client.query<{ n: number }>(
        "select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
      );
      if (rows[0]?.n === 0) break;
      if (Date.now() > until) throw new Error("sessions of the dead panel stay on the server");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await client.query("begin isolation level repeatable read");
    return await read(async <R>(text: string) => (await client.query(text)).rows as R[]);
  } finally {
    await client.end();
  }
}

/** Longer than anything lasts that a dead panel leaves on PostgreSQL. */
const LONG_MS = 20_000;

/**
 * What a dead panel on PostgreSQL has left runs out, as if the next start came later: its heartbeat, its leases on
 * shards and on webhooks.
 */
export async function letLeasesRunOut(url: string): Promise<void> {
  if (url.startsWith("sqlite:")) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select 1 from pg_tables where tablename = 'shards'");
    if (rows.length === 0) return;
    await client.query(
      `update delivery_queues set lease_until = lease_until - ${LONG_MS} where lease_until > ${LONG_MS}`,
    );
    await client.query(`update processes set seen_at = seen_at - ${LONG_MS}`);
    await client.query(`update shards set expires_at = expires_at - ${LONG_MS} where expires_at > ${LONG_MS}`);
  } finally {
    await client.end();
  }
}

/** A JSON column as either driver gives it. */
export function json(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

/** Beside a panel that runs. */
export async function onLive<T>(url: string, read: (query: Query) => Promise<T>): Promise<T> {
  if (url.startsWith("sqlite:")) {
    const database = new Database(url.slice("sqlite:".length), { readonly: true });
    try {
      return await read(async <R>(text: string) => database.prepare(text).all() as R[]);
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    return await read(async <R>(text: string) => (await client.query(text)).rows as R[]);
  } finally {
    await client.end();
  }
}
