// Looks at a PostgreSQL server before anything is built on it: one that cannot be used is refused at the start with a
// sentence.
import pg from "pg";
import { DatabaseRefused } from "../errors.ts";

/**
 * The oldest major version that the panel is tested with in mind: `pg_xact_status` with 64-bit numbers came with 13,
 * which is out of support.
 */
const OLDEST = 14;

/** Throws `DatabaseRefused`. */
export async function inspectPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  // What ends the connection also fails the query.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: string; standby: boolean; read_only: string }>(
      `select current_setting('server_version') as version, current_setting('server_version_num') as number,
        pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`,
    );
    const [server] = rows;
    if (!server) throw new Error("the server did not say its version");
    if (Number(server.number) < OLDEST * 10_000) {
      throw new DatabaseRefused(
        `PostgreSQL at ${placeOf(url)} is version ${server.version}: Signalbox needs ${OLDEST} or newer`,
      );
    }
    if (server.standby || server.read_only === "on") {
      throw new DatabaseRefused(
        `PostgreSQL at ${placeOf(url)} is read-only (a standby?): name the primary in SIGNALBOX_DATABASE_URL`,
      );
    }
  } catch (error) {
    throw postgresRefusal(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

/** `host:port`, never with the password. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname || "localhost"}:${port || "5432"}`;
}

/** Explains errors of the server and the network to the person who starts the panel; other errors are passed on. */
export function postgresRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseRefused) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const place = placeOf(url);
  const { username, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  const role = decodeURIComponent(username);
  const refused = (sentence: string) => new DatabaseRefused(sentence, { cause: error });
  if (code === "3D000")
    return refused(
      `PostgreSQL at ${place} has no database ${database}: make it (createdb ${database}), or correct SIGNALBOX_DATABASE_URL`,
    );
  if (code === "28P01" || /client password must be a string/.test(error.message)) {
    return refused(
      `PostgreSQL at ${place} refuses the password of ${role || "this user"}: correct it in SIGNALBOX_DATABASE_URL`,
    );
  }
  if (code === "28000")
    return refused(
      `PostgreSQL at ${place} refuses ${role || "this user"} (${error.message}): correct SIGNALBOX_DATABASE_URL or the server's pg_hba.conf`,
    );
  if (code === "42501")
    return refused(
      `the role ${role} may not make tables in the database ${database} (${error.message}): make it the database's owner`,
    );
  if (code === "53300")
    return refused(`PostgreSQL at ${place} has no connection left (${error.message}): raise its max_connections`);
  if (code.startsWith("57P"))
    return refused(`PostgreSQL at ${place} is starting or stopping (${error.message}): start again when it is ready`);
  if (/^E[A-Z_]+$/.test(code) || /timeout|Connection terminated/i.test(error.message)) {
    return refused(
      `PostgreSQL at ${place} cannot be reached (${error.message || code}): start it, or correct SIGNALBOX_DATABASE_URL`,
    );
  }
  return error;
}
