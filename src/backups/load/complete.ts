// The last steps of loading an archive, in today's schema: what stays from the database in use, what rows need that
// come back, and the checks that a start would make.
import type { Built, Row } from "../../db/index.ts";
import { isSealed, openSecret, SealError } from "../../lib/seal.ts";
import { LoadRefused, unfit } from "./load-refused.ts";
import type { Kept, KnownTable, Receiver } from "./receiver.ts";

const SETTINGS = "settings";

/** Throws `LoadRefused`. */
export async function complete(built: Built, receiver: Receiver): Promise<void> {
  await keep(built, receiver.kept);
  for (const [name, next] of receiver.ids) await continueAt(built, name, next);
  for (const { text, values } of receiver.restored) await built.run(text, values);
  for (const table of receiver.tables) await checkRows(built, table, receiver.key);
  await requireOwner(built, receiver);
}

/** Throws `LoadRefused` where nobody could sign in. */
export async function requireOwner(built: Built, { admits }: Pick<Receiver, "admits">): Promise<void> {
  if ((await built.run(admits.text)).length === 0)
    throw new LoadRefused("no_admins", "the archive has no main admin who can sign in");
}

/** The n-th value of a statement; they are named in order. */
function at({ dialect }: Built, place: number): string {
  return dialect === "sqlite" ? "?" : `$${place}`;
}

async function keep(built: Built, { settings, certificate }: Kept): Promise<void> {
  const { keys, rows } = settings;
  if (keys.length === 0) return;
  const places = keys.map((_, index) => at(built, index + 1));
  await built.run(`delete from ${SETTINGS} where id in (${places.join(", ")})`, keys);
  const id = certificate && (await keepCertificate(built, certificate));
  await built.load(
    SETTINGS,
    rows.map((row) => (row["id"] === "web_cert_id" && id !== undefined ? { ...row, value: String(id) } : row)),
  );
}

/** Resolves to its id: its own, unless another one of the archive has that. */
async function keepCertificate(built: Built, certificate: Kept["certificate"] & object): Promise<number> {
  const own = Number(certificate["id"]);
  const rows = await built.run(
    `select id from certificates where certificate = ${at(built, 1)} or id = ${at(built, 2)}`,
    [String(certificate["certificate"]), own],
  );
  const [same] = await built.run(`select id from certificates where certificate = ${at(built, 1)} order by id`, [
    String(certificate["certificate"]),
  ]);
  if (same) return Number(same["id"]);
  const id = rows.length === 0 ? own : await nextId(built, "certificates");
  await built.load("certificates", [{ ...certificate, id }]);
  await continueAt(built, "certificates", id + 1);
  return id;
}

async function nextId(built: Built, table: string): Promise<number> {
  const [row] = await built.run(
    `select max(next) as next from (select next from id_blocks where name = ${at(built, 1)}
      union all select max(id) + 1 as next from "${table}") ids`,
    [table],
  );
  return Number(row?.["next"] ?? 1);
}

/** No id below `next` is given out from now on. */
async function continueAt(built: Built, name: string, next: number): Promise<void> {
  await built.run(
    `insert into id_blocks (name, next) values (${at(built, 1)}, ${at(built, 2)})
      on conflict (name) do update set next = excluded.next where id_blocks.next < excluded.next`,
    [name, next],
  );
}

/** Reads every row as the panel will. */
async function checkRows(built: Built, table: KnownTable, key: Uint8Array): Promise<void> {
  for await (const rows of built.rows(table))
    for (const row of rows) {
      for (const column of table.columns) {
        const why = fault(row[column.name], column);
        if (why !== undefined) throw unfit(`${column.name} of ${String(row[table.key])} in ${table.name} ${why}`);
      }
      for (const { column } of table.sealed) checkSeal(table, column, row, key);
    }
}

function fault(value: unknown, { kind, nullable }: KnownTable["columns"][number]): string | undefined {
  if (value === null || value === undefined) return nullable || kind === "json" ? undefined : "is null";
  switch (kind) {
    case "json":
      return typeof value === "string" && !isJson(value) ? "is no JSON" : undefined;
    case "number":
      return typeof value === "number" ? undefined : "is no number";
    case "boolean":
      return value === true || value === false || value === 0 || value === 1 ? undefined : "is neither true nor false";
    case "text":
      return typeof value === "string" ? undefined : "is no text";
    case "plain":
      return undefined;
  }
}

/** SQLite keeps it as a text; PostgreSQL has read it, and it may be a text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function checkSeal({ name, key: id }: KnownTable, column: string, row: Row, key: Uint8Array): void {
  const text = row[column];
  if (typeof text !== "string" || !isSealed(text)) return;
  try {
    openSecret(key, text, { table: name, column, id: row[id] as string | number });
  } catch (error) {
    if (error instanceof SealError) throw unfit(`${column} of ${String(row[id])} in ${name} does not open`, error);
    throw error;
  }
}
