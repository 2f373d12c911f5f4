// A snapshot of a PostgreSQL database: all rows of one transaction, as the server writes them, compressed into files
// of a table each, and read from there. So old versions of rows are held for as long as a plain copy takes.
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { neutralRow, type NeutralRow, type Snapshot, type TableShape } from "../snapshot/snapshot.ts";
import type { Row } from "../table.ts";

/** Rows that are handed on together. */
const AT_ONCE = 500;
/** Signs that no JSON has: every line is one row's JSON as it is. */
const PLAIN = String.raw`format csv, quote E'\x01', delimiter E'\x02'`;

export async function snapshotPostgres(
  url: string,
  tables: readonly TableShape[],
  directory: string,
): Promise<Snapshot> {
  const fileOf = ({ name }: TableShape) => join(directory, `${name}.rows`);
  const close = async (): Promise<void> => {
    for (const table of tables) await rm(fileOf(table), { force: true });
  };
  try {
    await copyTables(url, tables, fileOf);
  } catch (error) {
    await close();
    throw error;
  }
  return { rows: (table) => rowsIn(table, fileOf(table)), close };
}

async function copyTables(
  url: string,
  tables: readonly TableShape[],
  fileOf: (table: TableShape) => string,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // What ends the connection also fails the copy that is running.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    for (const table of tables) {
      const source = client.query(copyTo(`copy (${selected(table)}) to stdout (${PLAIN})`));
      const packed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
      await pipeline(source, packed, createWriteStream(fileOf(table), { flags: "wx", mode: 0o600 }));
    }
    await client.query("commit");
  } finally {
    await client.end().catch(() => {});
  }
}

function selected({ name, key, columns }: TableShape): string {
  const list = columns.map((column) => `"${column.name}"`).join(", ");
  const byBytes = columns.find((column) => column.name === key)?.kind === "text" ? ' collate "C"' : "";
  return `select row_to_json(r) from (select ${list} from "${name}") r order by r."${key}"${byBytes}`;
}

/** Bytes, which the server wrote as hex. */
function withBytes({ columns }: TableShape, row: Row): Row {
  for (const { name, kind } of columns) {
    const value = row[name];
    if (kind === "plain" && typeof value === "string") row[name] = Buffer.from(value.slice(2), "hex");
  }
  return row;
}

async function* rowsIn(table: TableShape, file: string): AsyncGenerator<NeutralRow[], undefined> {
  const lines = createInterface({ input: createReadStream(file).pipe(createZstdDecompress()), crlfDelay: Infinity });
  let batch: NeutralRow[] = [];
  for await (const line of lines) {
    batch.push(neutralRow(table, withBytes(table, JSON.parse(line))));
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
