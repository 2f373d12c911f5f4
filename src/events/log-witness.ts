// What this process last saw of the log, kept beside the database: it tells when the database went back to an older
// state, and begins another epoch then, in which no cursor from before is known.
//
// Invariant: an epoch ends only where a place that was seen in it is not in the log any more. Processes on one database
// each keep a place of their own; the first that finds its own gone ends the epoch, for the others it is over then.
import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isToldByWatch, sql, type Committed, type Committer, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Log } from "./log.ts";
import { samePlace, type LogCursor } from "./log-cursor.ts";
import { HEAD, LogHeadRows } from "./log-head.entity.ts";
import { POSITIONS_GIVEN } from "./log-positions.ts";

/** The file is at most so much behind. What it misses is told by the places of the cursors themselves. */
const PACE_MS = 1000;
const FILE = "event-log.json";

const count = z.int().min(0);
const Seen = z.object({ epoch: z.string().min(1), position: count, id: count, time: count });

export interface LogWitnessDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the process keeps its files; undefined: nothing is kept. */
  readonly directory: string | undefined;
}

export class LogWitness {
  readonly #deps: LogWitnessDeps;
  #ready: Promise<void> | undefined;
  #seen: LogCursor | undefined;
  #soon: Cancel | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: LogWitnessDeps) {
    this.#deps = deps;
  }

  /** Resolves when the log was compared with what was seen of it before. */
  ready(): Promise<void> {
    this.#ready ??= this.#compare().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Follows commits. */
  follow({ facts }: Committed): void {
    if (!facts.has(POSITIONS_GIVEN) || this.#soon || this.#stopped) return;
    this.#soon = this.#deps.clock.after(PACE_MS, () => {
      this.#soon = undefined;
      this.#lookOnce();
    });
  }

  /** Keeps the place where the log is now. */
  async stop(): Promise<void> {
    this.#soon?.();
    this.#stopped = true;
    this.#lookOnce();
    await this.#looking;
  }

  /** One after the other: each sees at least what the one before it saw. */
  #lookOnce(): void {
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch((error: unknown) => {
        if (!isToldByWatch(error)) this.#deps.log.warn({ err: error }, "the place in the log of events was not kept");
      });
  }

  async #compare(): Promise<void> {
    this.#seen = await this.#stored();
    if (this.#seen) await this.#endEpochWithout(this.#seen);
  }

  async #look(): Promise<void> {
    await this.ready();
    const found = await this.#deps.reads.find(LogHeadRows, HEAD);
    if (!found) return;
    const { epoch, headPosition: position, headId: id, headTime: time } = found;
    const before = this.#seen;
    if (before && before.epoch === epoch) {
      if (samePlace(before, { position, id, time })) return;
      // Put back under a running panel.
      if (position <= before.position) return this.#endEpochWithout(before);
    }
    this.#seen = { epoch, position, id, time };
    await this.#store(this.#seen);
  }

  /** Decided by the database, in one statement: what a reader saw of it may be old. */
  async #endEpochWithout({ epoch, position, id, time }: LogCursor): Promise<void> {
    if (position === 0) return;
    const { commits, reads, log } = this.#deps;
    const end = sql`update event_log set epoch = ${randomUUID()}
      where id = ${HEAD} and epoch = ${epoch} and forgotten_position < ${position}
        and not exists (select 1 from events e where e.position = ${position} and e.id = ${id} and e.time = ${time})`;
    const [ended] = await commits.execute({ name: "events.epoch", statements: [reads.statement("events.epoch", end)] });
    if ((ended?.count ?? 0) > 0)
      log.warn(
        { position },
        "the database is older than what this panel has seen: no cursor of its event log is known",
      );
  }

  async #stored(): Promise<LogCursor | undefined> {
    if (this.#deps.directory === undefined) return undefined;
    try {
      return Seen.parse(JSON.parse(await readFile(join(this.#deps.directory, FILE), "utf8")));
    } catch (error) {
      // None, or one that was half written: the places of the cursors still tell.
      const none = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!none) this.#deps.log.warn({ err: error }, "the place in the log of events could not be read");
      return undefined;
    }
  }

  async #store(seen: LogCursor): Promise<void> {
    if (this.#deps.directory === undefined) return;
    const path = join(this.#deps.directory, FILE);
    await writeFile(`${path}.new`, JSON.stringify(seen), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
