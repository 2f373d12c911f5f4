// Positions: the order of the log. Where several processes commit, they are given after the commit, since nobody knows
// before in which order commits will be seen. Where one process does (SQLite), transactions follow each other, and a
// commit gives positions to all that wait, its own events among them (`PositionsWithin`): a change that comes alone
// costs no second transaction. Of changes that come close together only some do, and what the last ones leave is given
// its positions after them.
//
// Invariants:
// - Positions are given in transactions that lock the head, so one after the other: whoever sees a position sees all
//   smaller ones, and nothing that commits later gets a smaller one.
// - Of two events about one record the later has the larger position (`commitOf`).
// - Who gives them decides nothing about that. The holder of a lease does, so that processes do not contend; what it
//   left lying for a second, any other does.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  commitOf,
  defineFact,
  Facts,
  isToldByWatch,
  sql,
  type Committed,
  type Committer,
  type Draft,
  type Reader,
  type Statement,
} from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { EVENT, placeEvents } from "../runtime/index.ts";
import type { Log } from "./log.ts";
import { HEAD } from "./log-head.entity.ts";

/** Positions were given. */
export const POSITIONS_GIVEN = defineFact("positions", z.literal(true));

/** At most one transaction in so many milliseconds: many events share it. */
const PACE_MS = 40;
/** Commits give positions sooner than that, so that nothing waits for a transaction while they follow each other. */
const WITHIN_PACE_MS = PACE_MS / 2;
/** How long somebody who does not hold the lease leaves them to who does. */
const PATIENCE_MS = 1000;
/** Events of one transaction. */
const BATCH = 5000;

export interface LogPositionsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Whether positions are this process's to give. */
  readonly holds: () => boolean;
  readonly log: Log;
}

export class LogPositions {
  readonly #deps: LogPositionsDeps;
  #prepared: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #soon: { readonly at: number; readonly cancel: Cancel } | undefined;
  #ranAt = 0;
  #stopped = false;

  constructor(deps: LogPositionsDeps) {
    this.#deps = deps;
  }

  /** Follows commits. */
  follow({ facts }: Committed): void {
    if (!facts.has(EVENT)) return;
    if (facts.has(POSITIONS_GIVEN)) this.#ranAt = this.#deps.clock.now();
    else this.wake();
  }

  /** Something may be waiting. */
  wake(): void {
    this.#within(this.#deps.holds() ? Math.max(0, this.#ranAt + PACE_MS - this.#deps.clock.now()) : PATIENCE_MS);
  }

  /** Makes the head where there is none yet. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  /** Gives positions to all events that are waiting. */
  async give(): Promise<void> {
    await this.prepare();
    const { commits, reads } = this.#deps;
    for (;;) {
      const waiting = await reads.query(sql`select 1 as one from events where position is null limit 1`);
      if (waiting.length === 0) return;
      const results = await commits.execute({
        name: "events.positions",
        statements: placing(reads),
        facts: new Facts().add(POSITIONS_GIVEN, true),
      });
      if ((results.at(-2)?.count ?? 0) < BATCH) return;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#soon?.cancel();
    await this.#running;
  }

  #within(ms: number): void {
    const { clock } = this.#deps;
    const at = clock.now() + ms;
    if (this.#stopped || (this.#soon && this.#soon.at <= at)) return;
    this.#soon?.cancel();
    const cancel = clock.after(ms, () => {
      this.#soon = undefined;
      if (this.#running) return this.#within(PACE_MS);
      // A commit gave them meanwhile: the next one may, too. Without a head none did.
      const pause = this.#ranAt + PACE_MS - clock.now();
      if (this.#prepared && pause > 0 && pause <= PACE_MS) return this.#within(pause);
      this.#ranAt = clock.now();
      this.#running = this.give()
        .catch((error: unknown) => {
          if (!isToldByWatch(error)) this.#deps.log.warn({ err: error }, "events could not be given their positions");
          this.#within(PATIENCE_MS);
        })
        .finally(() => (this.#running = undefined));
    });
    this.#soon = { at, cancel };
  }

  async #prepare(): Promise<void> {
    const { commits, reads } = this.#deps;
    const make = sql`insert into event_log
      (id, epoch, head_position, head_id, head_time, forgotten_position, forgotten_id, forgotten_time)
      values (${HEAD}, ${randomUUID()}, 0, 0, 0, 0, 0, 0) on conflict (id) do nothing`;
    // Positions that are there were given by a migration.
    await commits.execute({ name: "events.log", statements: [reads.statement("events.log", make), headMoved(reads)] });
  }
}

/**
 * Has commits that raise events give positions to all that wait, unless one did so a moment ago. Only where one process
 * commits. What finds no head yet, or more than a batch before it, waits for `LogPositions`.
 */
export class PositionsWithin {
  readonly #clock: Clock;
  readonly #statements: readonly Statement[];
  #givenAt = Number.NEGATIVE_INFINITY;

  constructor(reads: Reader, clock: Clock) {
    this.#clock = clock;
    this.#statements = placing(reads).map((statement): Statement => ({ ...statement, once: true }));
  }

  /** Follows commits: a decision may run again, or come to nothing, so that only what was committed counts. */
  follow({ facts }: Committed): void {
    if (facts.has(POSITIONS_GIVEN)) this.#givenAt = this.#clock.now();
  }

  place(draft: Draft): void {
    // A clock that was set back keeps nobody waiting.
    if (draft.facts.has(POSITIONS_GIVEN) || Math.abs(this.#clock.now() - this.#givenAt) < WITHIN_PACE_MS) return;
    for (const statement of this.#statements) draft.alter(statement);
    draft.publish(POSITIONS_GIVEN, true);
  }
}

function placing(reads: Reader): Statement[] {
  // A statement of its own: the next one must see what was committed by whoever had the lock before.
  const lock =
    reads.dialect === "postgresql"
      ? [reads.statement("events.head.lock", sql`select id from event_log where id = ${HEAD} for update`)]
      : [];
  const { from, born, place } = commitOf(reads.dialect);
  const order = sql`select n.id, h.head_position + n.turn as position
    from event_log h, (
      select id, row_number() over (order by ${place} nulls first, id) as turn
      from (select id, ${born} from events where position is null order by id limit ${BATCH}) e ${from}) n
    where h.id = ${HEAD}`;
  return [...lock, reads.statement("events.positions", placeEvents(order)), headMoved(reads)];
}

/** The head is where the last position was given. */
function headMoved(reads: Reader): Statement {
  const move = sql`update event_log set (head_position, head_id, head_time) =
      (select position, id, time from events where position is not null order by position desc limit 1)
    where id = ${HEAD} and head_position < (select max(position) from events where position is not null)`;
  return reads.statement("events.head", move);
}
