// The log of commits on PostgreSQL. A position is a snapshot: what the next read sees and this one did not, is new, in
// whatever order transactions began and ended. With it goes the newest note's id (`<snapshot>;<id>`): ids never come
// again, numbers of transactions do. A server that crashed gives those of aborted ones to others, and to the snapshot
// these look long done.
import pg from "pg";
import type { CommitLog, LogReading } from "../store.ts";
import { isPooled } from "./pooler.ts";
import { queryPrepared } from "./prepared.ts";

const CHANNEL = "signalbox_commits";
/** Hints of one process are sent together: a NOTIFY takes a lock that every committing NOTIFY waits for. */
const HINT_MS = 40;
const LISTEN_AGAIN_MS = 2000;

/** Written by every transaction that concerns other processes, after its rows are locked. */
export const INSERT_NOTE =
  "insert into commit_log (xid, boot, note) values (pg_current_xact_id()::text::bigint, $1, $2)";

/** An empty note. */
export const NOTHING = JSON.stringify({ rows: {}, facts: {} });
const ENDS =
  "coalesce((select min(id) from commit_log), 0) as first, coalesce((select max(id) from commit_log), 0) as last";

const SINCE = `select pg_current_snapshot()::text as position, ${ENDS},
  (select json_agg(n.note order by n.id) from commit_log n
    where n.boot <> $2 and (n.id > $4 or n.xid >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
      and not pg_visible_in_snapshot(n.xid::text::xid8, $1::pg_snapshot))
      and ($3::text is null or pg_visible_in_snapshot(n.xid::text::xid8, $3::text::pg_snapshot))) as notes`;

export class PostgresCommitLog implements CommitLog {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #boot: string;
  readonly #failure: (error: unknown) => Error;
  #hint: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, url: string, boot: string, failure: (error: unknown) => Error) {
    this.#pool = pool;
    this.#url = url;
    this.#boot = boot;
    this.#failure = failure;
  }

  async join(): Promise<Pick<LogReading, "position" | "last">> {
    await this.#query(INSERT_NOTE, [this.#boot, NOTHING]);
    const [row] = await this.#query<{ position: string; last: number }>(
      `select pg_current_snapshot()::text as position, ${ENDS}`,
      [],
    );
    return { position: `${row?.position ?? ""};${row?.last ?? 0}`, last: row?.last ?? 0 };
  }

  async since(position: string, until?: string): Promise<LogReading> {
    const [snapshot, newest = Number.MAX_SAFE_INTEGER] = position.split(";");
    const values = [snapshot, this.#boot, until ?? null, newest];
    const [row] = await this.#query<{ position: string; first: number; last: number; notes: string[] | null }>(
      SINCE,
      values,
    );
    if (!row) return { notes: [], position, first: 0, last: 0 };
    const { first, last } = row;
    return { notes: row.notes ?? [], position: until ?? `${row.position};${last}`, first, last };
  }

  async prune(before: number): Promise<void> {
    await this.#query("delete from commit_log where id < $1", [before]);
  }

  hint(): void {
    this.#hint ??= setTimeout(() => {
      this.#hint = undefined;
      // Only a hint: who does not get it looks within a second.
      this.#query("select pg_notify($1, $2)", [CHANNEL, this.#boot]).catch(() => {});
    }, HINT_MS).unref();
  }

  listen(heard: () => void): () => void {
    let stopped = false;
    let client: pg.Client | undefined;
    let again: NodeJS.Timeout | undefined;
    const later = () => {
      void client?.end().catch(() => {});
      client = undefined;
      if (!stopped) again ??= setTimeout(connect, LISTEN_AGAIN_MS).unref();
    };
    const connect = () => {
      again = undefined;
      const fresh = new pg.Client({ connectionString: this.#url, keepAlive: true });
      client = fresh;
      fresh.on("error", later);
      fresh.on("end", () => client === fresh && later());
      fresh.on("notification", ({ payload }) => {
        if (payload !== this.#boot) heard();
      });
      fresh
        .connect()
        // Behind a pooler nobody would be told: the follower's own looks are enough.
        .then(async () => ((await isPooled(fresh)) ? undefined : fresh.query(`listen ${CHANNEL}`)))
        // What was said before the connection stood is found by looking once.
        .then(heard)
        .catch(later);
    };
    connect();
    return () => {
      stopped = true;
      clearTimeout(again);
      void client?.end().catch(() => {});
      client = undefined;
    };
  }

  close(): void {
    clearTimeout(this.#hint);
  }

  async #query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]> {
    try {
      return (await queryPrepared<R>(this.#pool, text, values)).rows;
    } catch (error) {
      throw this.#failure(error);
    }
  }
}
