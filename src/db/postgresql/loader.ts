// Loads rows into a PostgreSQL database, within one transaction of the caller's connection.
import type pg from "pg";
import {
  fitted,
  MIGRATIONS,
  RowUnfit,
  type ColumnKind,
  type LoadColumn,
  type Loader,
  type LoadTable,
  type LoadValue,
  type SealText,
} from "../snapshot/loader.ts";
import type { NeutralRow } from "../snapshot/snapshot.ts";

interface ColumnInfo {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly isKey: boolean;
}

const COLUMNS = `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
    not a.attnotnull as nullable, coalesce(a.attnum = any(i.indkey), false) as "isKey"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname, a.attnum`;

export async function loadPostgres(client: pg.ClientBase, seal: SealText): Promise<Loader> {
  const { rows } = await client.query<ColumnInfo>(COLUMNS);
  const tables = new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([name, infos]) => [name, tableOf(name, infos)]),
  );
  const tableNamed = (name: string): LoadTable => {
    const table = tables.get(name);
    if (!table) throw new RowUnfit(`the database has no table ${name}`);
    return table;
  };
  return {
    tables: new Map([...tables].map(([name, { columns }]) => [name, columns])),
    check(name, batch) {
      const table = tableNamed(name);
      for (const row of batch) fitted(table, row, seal);
    },
    clear: async () => {
      const names = [...tables.keys()].filter((name) => name !== MIGRATIONS).map((name) => `"${name}"`);
      await client.query(`truncate ${names.join(", ")}`);
    },
    load: (name, batch) => insert(client, tableNamed(name), batch, seal),
    finish: async () => {
      for (const { name, key } of tables.values()) await continueBehind(client, name, key);
    },
  };
}

function tableOf(name: string, infos: readonly ColumnInfo[]): LoadTable {
  const key = infos.find(({ isKey }) => isKey)?.name ?? "";
  return { name, key, columns: infos.map(columnOf) };
}

/** Nothing happens to a key that the panel gives. */
async function continueBehind(client: pg.ClientBase, table: string, key: string): Promise<void> {
  await client.query(
    `select setval(s.name, coalesce((select max("${key}")::text::bigint from "${table}"), 0) + 1, false)
      from (select pg_get_serial_sequence($1, $2) as name) s where s.name is not null`,
    [`"${table}"`, key],
  );
}

async function insert(
  client: pg.ClientBase,
  table: LoadTable,
  batch: readonly NeutralRow[],
  seal: SealText,
): Promise<void> {
  const { name, columns } = table;
  const heads = columns.map((column) => `${JSON.stringify(column.name)}:`);
  const texts = batch.map((row) => {
    const values = fitted(table, row, seal);
    const parts = columns.map(({ kind }, at) => `${heads[at]}${written(values[at] ?? null, kind)}`);
    return `{${parts.join(",")}}`;
  });
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  try {
    await client.query(
      `insert into "${name}" (${names}) select ${names} from json_populate_recordset(null::"${name}", $1::json)`,
      [`[${texts.join(",")}]`],
    );
  } catch (cause) {
    if (!isOfTheData(cause)) throw cause;
    throw new RowUnfit(`rows of ${name}: ${cause.message}`, { cause });
  }
}

/** A value in JSON as the server reads it for a column. */
function written(value: LoadValue, kind: ColumnKind): string {
  if (value instanceof Uint8Array) return JSON.stringify(`\\x${Buffer.from(value).toString("hex")}`);
  // It is JSON already.
  if (kind === "json" && typeof value === "string") return value;
  return JSON.stringify(value);
}

/** Errors of values and of constraints, not of the connection or the server. */
function isOfTheData(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^2[23]/.test(error.code);
}

function columnOf({ name, type, nullable }: ColumnInfo): LoadColumn {
  return { name, kind: kindOf(type), nullable };
}

function kindOf(type: string): ColumnKind {
  if (type === "json" || type === "jsonb") return "json";
  if (type === "bytea") return "bytes";
  if (type === "boolean") return "boolean";
  return /^(?:text|character varying|character)$/.test(type) ? "text" : "number";
}
