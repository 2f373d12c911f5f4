// Which process runs are alive, by heartbeats on the database's own clock: the claims of a dead one are free.
import { sql, type Committer, type Reader } from "../db/index.ts";

const BEAT = 1500;
/** A run that was not seen for this long is dead; with the beat and the retry it keeps a dead process's claims under 6 s (decisions 15). */
const DEAD_AFTER = 4000;

/** Whether a process run may still be working. */
export interface Liveness {
  isAlive(boot: string): Promise<boolean>;
}

/** Heartbeats of this run in `http_boots`. PostgreSQL only: on SQLite there is no other process. */
export class Boots implements Liveness {
  readonly #commits: Committer;
  readonly #reads: Reader;
  readonly #boot: string;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(commits: Committer, reads: Reader, boot: string, onError: (error: unknown) => void) {
    this.#commits = commits;
    this.#reads = reads;
    this.#boot = boot;
    this.#onError = onError;
  }

  /** Registers this run; must be awaited before the first claim. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat().catch(this.#onError), BEAT);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async isAlive(boot: string): Promise<boolean> {
    if (boot === this.#boot) return true;
    const rows = await this.#reads.query(
      sql`select 1 as alive from http_boots where id = ${boot} and seen_at > extract(epoch from clock_timestamp()) * 1000 - ${DEAD_AFTER}`,
    );
    return rows.length > 0;
  }

  async #beat(): Promise<void> {
    const beat = sql`insert into http_boots (id, seen_at) values (${this.#boot}, (extract(epoch from clock_timestamp()) * 1000)::bigint)
      on conflict (id) do update set seen_at = excluded.seen_at`;
    const bury = sql`delete from http_boots where seen_at < extract(epoch from clock_timestamp()) * 1000 - 3600000`;
    await this.#commits.execute({
      name: "http.beat",
      statements: [this.#reads.statement("beat", beat), this.#reads.statement("bury", bury)],
    });
  }
}
