// Which process runs are alive, by heartbeats on the database's own clock: what a dead one had claimed is free.
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Committer } from "./commit.ts";
import { databaseNow } from "./now.ts";
import { sql, type Query, type Reader } from "./read.ts";

const BEAT_MS = 1500;
/**
 * A run that was not seen for this long is dead; with the beat and the retry it keeps a dead process's claims under 6 s
 * (rule http.key.8).
 */
const DEAD_AFTER_MS = 4000;
/** How long a dead run is remembered. */
const BURY_AFTER_MS = 3_600_000;

/** Whether a process run may still be working. */
export interface Liveness {
  isAlive(boot: string): Promise<boolean>;
}

export interface ProcessesOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** This run, see `Database.boot`. */
  readonly boot: string;
  readonly onError: (error: unknown) => void;
  readonly beatMs?: number;
  /** The same for every process on the database. */
  readonly deadAfterMs?: number;
}

/** This run among the others on the database: its heartbeat, and theirs. Only where a database is shared. */
export class Processes implements Liveness {
  readonly boot: string;
  /** Condition on a row of `processes`: that run is alive. */
  readonly alive: Query<boolean>;
  readonly #options: Required<ProcessesOptions>;
  #takesShards = false;
  #beating: Promise<void> | undefined;
  #cancel: Cancel = () => {};
  #stopped = true;

  constructor(options: ProcessesOptions) {
    this.#options = { beatMs: BEAT_MS, deadAfterMs: DEAD_AFTER_MS, ...options };
    this.boot = options.boot;
    const now = databaseNow(options.reads.dialect);
    const { deadAfterMs } = this.#options;
    // A process seen in the future was seen before the clock was set back: it is alive only if it beats again.
    this.alive = sql`(seen_at > ${now} - ${deadAfterMs} and seen_at < ${now} + ${deadAfterMs})`;
  }

  /** Registers this run and forgets those long dead; must be awaited before anything is claimed in its name. */
  async start(): Promise<void> {
    this.#stopped = false;
    await this.#beat();
    const { commits, reads } = this.#options;
    const bury = sql`delete from processes where seen_at < ${databaseNow(reads.dialect)} - ${BURY_AFTER_MS}`;
    await commits.execute({ name: "process.bury", statements: [reads.statement("bury", bury)] });
    this.#beatLater();
  }

  /** Takes this run off the list: from now on what it claimed and did not give back is free. Never rejects. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancel();
    await this.#beating;
    const { commits, reads, boot, onError } = this.#options;
    const gone = reads.statement("gone", sql`delete from processes where id = ${boot}`);
    await commits.execute({ name: "process.end", statements: [gone] }).catch(onError);
  }

  /** Tells the other processes whether this process asks for its share of the shards; until then it does not. */
  async takeShards(takes: boolean): Promise<void> {
    this.#takesShards = takes;
    await this.#beating;
    await this.#beat();
  }

  async isAlive(boot: string): Promise<boolean> {
    if (boot === this.boot) return true;
    const rows = await this.#options.reads.query(
      sql`select 1 as alive from processes where id = ${boot} and ${this.alive}`,
    );
    return rows.length > 0;
  }

  /** Runs that ended without a word. One that was only paused is among them until it beats again. */
  async dead(): Promise<string[]> {
    const rows = await this.#options.reads.query<{ id: string }>(
      sql`select id from processes where id <> ${this.boot} and not (${this.alive})`,
    );
    return rows.map(({ id }) => id);
  }

  #beatLater(): void {
    this.#cancel = this.#options.clock.after(this.#options.beatMs, () => {
      this.#beatLater();
      // One that hangs is not joined by others: they would wait for the same database.
      if (this.#beating) return;
      this.#beating = this.#beat()
        .catch(this.#options.onError)
        .finally(() => (this.#beating = undefined));
    });
  }

  async #beat(): Promise<void> {
    const { commits, reads, boot } = this.#options;
    const beat = sql`insert into processes (id, seen_at, takes_shards) values (${boot}, ${databaseNow(reads.dialect)}, ${this.#takesShards})
      on conflict (id) do update set seen_at = excluded.seen_at, takes_shards = excluded.takes_shards`;
    await commits.execute({ name: "process.beat", statements: [reads.statement("beat", beat)] });
  }
}
