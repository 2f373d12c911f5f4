// The rows of effects: found, claimed, put off, kept and given back. What runs is in `effects.ts`.
//
// Invariant: a change of an effect's row holds its actor's row too, as every transition does that writes or deletes the
// effect. Renewing and releasing leases changes the effects of many actors at once. Those statements skip rows that a
// transition has locked.
import { lock, sql, type Committer, type Entity, type Processes, type Query, type Reader } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import { EffectRows, FAULT_LIMIT, type ActorRow, type EffectRow } from "./actor.entity.ts";
import { divided, type Shards } from "./shards.ts";
import { lookAgainAt, PARKED_MS } from "./step-actions.ts";
import type { ToldProblem } from "./problems.ts";

/** Also how long the effects of a process that is alive, but cannot reach the database, are left to it. */
export const LEASE_MS = 30_000;
/**
 * If an effect is overdue by this time, any process may run it: the process that holds its actor's shard is dead or
 * overloaded.
 */
const LATE_MS = 2000;

export interface LeaseOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly shards: Shards;
  /** Boot id of this process: the owner of its leases. */
  readonly bootId: string;
  /**
   * The other processes on the database. Undefined: no other one can own a lease, so rows of other owners are free at
   * once.
   */
  readonly processes: Processes | undefined;
  /** The table of a kind's actors. */
  readonly entityOf: (kind: string) => Entity<ActorRow>;
  /** The version of a kind's chart here. */
  readonly versionOf: (kind: string) => number;
}

export class EffectLeases {
  readonly #options: LeaseOptions;
  readonly #skipLocked: Query;
  /** What an earlier process left was looked for, where no other one can be at work. */
  #adopted = false;
  /** Runs of processes that are dead, and those among them that left nothing any more. */
  #dead: ReadonlySet<string> = new Set();
  readonly #swept = new Set<string>();

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#skipLocked = options.reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
  }

  /**
   * Effects of these groups (`kind:src`) to be tried now, oldest first; and where these leave room, late ones of other
   * processes' shards, without those of the groups named in `held`.
   */
  async due(limit: number, groups: readonly string[], held: readonly string[]): Promise<EffectRow[]> {
    const { reads, clock, shards } = this.#options;
    const now = clock.now();
    const { mine, others } = divided(shards, "actor_id");
    const rows = mine
      ? await reads.rows(
          EffectRows,
          sql`select * from effects where next_at <= ${now} and ${mine} and ${ofGroups(groups)}
            order by next_at limit ${limit}`,
        )
      : [];
    if (!others || rows.length === limit) return rows;
    const free = groups.filter((group) => !held.includes(group));
    const late = await reads.rows(
      EffectRows,
      sql`select * from effects where next_at <= ${now - LATE_MS} and ${others} and ${ofGroups(free)}
        order by next_at desc limit ${limit - rows.length} ${this.#skipLocked}`,
    );
    return [...rows, ...late];
  }

  /**
   * What dead processes left running of these groups and nobody took over yet: bounded by what those could run at once.
   * Free for `claim` from now on.
   */
  async orphans(groups: readonly string[]): Promise<EffectRow[]> {
    const { reads, processes, bootId } = this.#options;
    if (!processes) {
      if (this.#adopted) return [];
      const rows = await reads.rows(
        EffectRows,
        sql`select * from effects where state = 'running' and owner <> ${bootId} and ${ofGroups(groups)}`,
      );
      this.#adopted = true;
      return rows;
    }
    this.#dead = new Set(await processes.dead());
    // One that was only paused may leave something again.
    for (const boot of this.#swept) if (!this.#dead.has(boot)) this.#swept.delete(boot);
    const unswept = [...this.#dead].filter((boot) => !this.#swept.has(boot));
    if (unswept.length === 0) return [];
    const rows = await reads.rows(
      EffectRows,
      sql`select * from effects where state = 'running' and owner in (${sql.join(unswept)}) and ${ofGroups(groups)}`,
    );
    for (const boot of unswept) if (!rows.some(({ owner }) => owner === boot)) this.#swept.add(boot);
    return rows;
  }

  /**
   * Takes the lease and counts the attempt. Undefined when the effect is no longer wanted, must wait, or another
   * process has it.
   */
  claim(effect: EffectRow): Promise<number | undefined> {
    const { commits, bootId, entityOf, versionOf } = this.#options;
    const actors = entityOf(effect.kind);
    return commits.submit({
      name: "effect.claim",
      locks: [lock(actors, effect.actorId), lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (!row || row.run !== effect.run || !this.#free(row, draft.now)) return undefined;
        const actor = draft.find(actors, effect.actorId);
        if (!actor) {
          draft.delete(EffectRows, effect.id);
          return undefined;
        }
        if (actor.faultCount >= FAULT_LIMIT) {
          draft.update(EffectRows, effect.id, { state: "pending", owner: "", nextAt: draft.now + PARKED_MS });
          return undefined;
        }
        if (actor.mver > versionOf(effect.kind)) {
          const nextAt = lookAgainAt(row.nextAt, draft.now);
          if (nextAt !== undefined) draft.update(EffectRows, effect.id, { state: "pending", owner: "", nextAt });
          return undefined;
        }
        const attempt = row.attempt + 1;
        const lease = {
          state: "running",
          attempt,
          owner: bootId,
          nextAt: draft.now + LEASE_MS,
          startedAt: row.startedAt ?? draft.now,
        };
        draft.update(EffectRows, effect.id, lease);
        return attempt;
      },
    });
  }

  #free(row: EffectRow, now: number): boolean {
    const { processes, bootId } = this.#options;
    if (row.nextAt <= now) return true;
    return row.state === "running" && (processes ? this.#dead.has(row.owner) : row.owner !== bootId);
  }

  /** The attempt failed: another is due in `waitMs`. Resolves to whether the effect is still wanted. */
  putOff(effect: EffectRow, waitMs: number, { message, cause }: ToldProblem): Promise<boolean> {
    const { commits, bootId, entityOf } = this.#options;
    return commits.submit({
      name: "effect.retry",
      locks: [lock(entityOf(effect.kind), effect.actorId), lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (row?.run !== effect.run || row.owner !== bootId) return false;
        draft.update(EffectRows, effect.id, {
          state: "pending",
          owner: "",
          nextAt: draft.now + waitMs,
          lastError: message,
          lastCause: cause,
        });
        return true;
      },
    });
  }

  /** Extends the leases of these effects. Resolves to the runs that are still current, by effect id. */
  async renew(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { commits, reads, clock, bootId } = this.#options;
    const mine = sql`select id from effects where id in (${sql.join(ids)}) and state = 'running' and owner = ${bootId} order by id`;
    const statement = reads.statement(
      "effect.renew",
      sql`update effects set next_at = ${clock.now() + LEASE_MS} where id in (${mine} ${this.#skipLocked})`,
    );
    await commits.execute({ name: "effect.renew", statements: [statement] });
    const rows = await reads.query<{ id: string; run: string }>(
      sql`select id, run from effects where id in (${sql.join(ids)}) and owner = ${bootId}`,
    );
    return new Map(rows.map(({ id, run }) => [id, run]));
  }

  /** Gives back every lease of this process, so that the next one need not wait for them to run out. */
  async release(): Promise<void> {
    const { commits, reads, clock, bootId } = this.#options;
    const mine = sql`select id from effects where state = 'running' and owner = ${bootId} order by id`;
    const statement = reads.statement(
      "effect.release",
      sql`update effects set state = 'pending', owner = '', next_at = ${clock.now()} where id in (${mine} ${this.#skipLocked})`,
    );
    await commits.execute({ name: "effect.release", statements: [statement] });
  }
}

/** Condition: the effect is of one of these groups (`kind:src`). */
function ofGroups(groups: readonly string[]): Query {
  return groups.length === 0 ? sql`false` : sql`kind || ':' || src in (${sql.join([...groups])})`;
}
