// The rows of effects: found, claimed, put off, kept and given back. What runs is in `effects.ts`.
//
// Invariant: a change of an effect's row holds its actor's row too, as every transition does that writes or deletes the
// effect. Renewing and releasing leases changes the effects of many actors at once. Those statements skip rows that a
// transition has locked.
import { lock, sql, type Committer, type Entity, type Processes, type Query, type Reader } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import { EffectRows, FAULT_LIMIT, type ActorRow, type EffectRow } from "./actor.entity.ts";
import { lookAgainAt } from "./aside-rows.ts";
import { divided, type Shards } from "./shards.ts";
import { PARKED_MS } from "./step-actions.ts";
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

/** What a claim gave: the number of the attempt; or, of an errand, why it must not run. */
export type Claim = { readonly attempt: number } | { readonly refused: "errand_late" | "secret_lost" };

export class EffectLeases {
  readonly #options: LeaseOptions;
  readonly #skipLocked: Query;
  /** What an earlier process left was looked for, where no other one can be at work. */
  #adopted = false;
  /** Runs of processes that are dead, and those among them that left nothing any more. */
  #dead: ReadonlySet<string> = new Set();
  readonly #swept = new Set<string>();
  /** Processes that have ended, of those that errands need for their secrets. */
  #gone: ReadonlySet<string> = new Set();

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#skipLocked = options.reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
  }

  /**
   * Effects of these groups (`kind:src`) to be tried now, oldest first; and where these leave room, late ones of other
   * processes' shards, without those of the groups named in `held`.
   */
  async due(limit: number, groups: readonly string[], held: readonly string[]): Promise<EffectRow[]> {
    const { reads, clock, shards, processes, bootId } = this.#options;
    const now = clock.now();
    const { mine, others } = divided(shards, "actor_id");
    // Without other processes, every other home is one that has ended.
    const homed = processes ? sql`home = ${bootId}` : sql`home is not null`;
    const here = mine ? sql`((home is null and ${mine}) or ${homed})` : homed;
    const rows = await reads.rows(
      EffectRows,
      sql`select * from effects where next_at <= ${now} and ${here} and ${ofGroups(groups)}
        order by next_at limit ${limit}`,
    );
    if (!others || rows.length === limit) return rows;
    const free = groups.filter((group) => !held.includes(group));
    const late = await reads.rows(
      EffectRows,
      sql`select * from effects where next_at <= ${now - LATE_MS} and home is null and ${others} and ${ofGroups(free)}
        order by next_at desc limit ${limit - rows.length} ${this.#skipLocked}`,
    );
    return [...rows, ...late];
  }

  /**
   * What dead processes left of these groups and nobody took over yet: bounded by what those could run at once; and
   * errands (of the groups in `secret`) that need the secrets of a process that has ended. `claim` gives them from now
   * on.
   */
  async orphans(groups: readonly string[], secret: readonly string[]): Promise<EffectRow[]> {
    const { reads, processes, bootId } = this.#options;
    if (!processes) {
      if (this.#adopted) return [];
      const rows = await reads.rows(
        EffectRows,
        sql`select * from effects where ((owner <> '' and owner <> ${bootId}) or (home is not null and home <> ${bootId}))
          and ${ofGroups(groups)}`,
      );
      this.#adopted = true;
      return rows;
    }
    const homeless =
      secret.length === 0
        ? []
        : await reads.rows(
            EffectRows,
            sql`select * from effects where home is not null and home <> ${bootId} and ${ofGroups(secret)}
              and not exists (select 1 from processes where id = effects.home and ${processes.alive})`,
          );
    this.#gone = new Set(homeless.flatMap(({ home }) => home ?? []));
    this.#dead = new Set(await processes.dead());
    // One that was only paused may leave something again.
    for (const boot of this.#swept) if (!this.#dead.has(boot)) this.#swept.delete(boot);
    const unswept = [...this.#dead].filter((boot) => !this.#swept.has(boot));
    if (unswept.length === 0) return homeless;
    const rows = await reads.rows(
      EffectRows,
      sql`select * from effects where owner in (${sql.join(unswept)}) and ${ofGroups(groups)}`,
    );
    for (const boot of unswept) if (!rows.some(({ owner }) => owner === boot)) this.#swept.add(boot);
    return [...homeless, ...rows];
  }

  /** Whether an effect may run in this process: it needs no other one's secrets, or that one has ended. */
  mayRunHere({ home }: EffectRow): boolean {
    return home === null || home === this.#options.bootId || this.#isGone(home);
  }

  #isGone(home: string): boolean {
    return this.#options.processes ? this.#gone.has(home) : home !== this.#options.bootId;
  }

  /**
   * Takes the lease and counts the attempt. Undefined when the effect is no longer wanted, must wait, or another
   * process has it; `aside`: it stays as it is for a newer panel. An errand that must not run is not claimed: its chart
   * must hear why.
   */
  claim(effect: EffectRow): Promise<Claim | "aside" | undefined> {
    const { commits, bootId, entityOf, versionOf } = this.#options;
    const actors = entityOf(effect.kind);
    return commits.submit({
      name: "effect.claim",
      locks: [lock(actors, effect.actorId), lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (row?.run !== effect.run) return undefined;
        const refused = this.#refused(row, draft.now);
        if (!refused && !this.#free(row, draft.now)) return undefined;
        const actor = draft.find(actors, effect.actorId);
        if (!actor || row.state === "ended") {
          draft.delete(EffectRows, effect.id);
          return undefined;
        }
        if (actor.faultCount >= FAULT_LIMIT) {
          draft.update(EffectRows, effect.id, { state: "pending", owner: "", nextAt: draft.now + PARKED_MS });
          return undefined;
        }
        if (actor.mver > versionOf(effect.kind)) {
          const nextAt = lookAgainAt(row.nextAt, draft.now);
          if (nextAt === undefined) return "aside";
          draft.update(EffectRows, effect.id, { state: "pending", owner: "", nextAt });
          return undefined;
        }
        if (refused) {
          // Nobody's work goes on for whose end the row would have to be kept.
          if (row.owner !== "" && !this.#mayLive(row.owner))
            draft.update(EffectRows, effect.id, { state: "pending", owner: "" });
          return { refused };
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
        return { attempt };
      },
    });
  }

  #free(row: Readonly<EffectRow>, now: number): boolean {
    if (row.nextAt <= now) return true;
    if (row.owner === "") return false;
    // An earlier run of the same errand that went on here has ended, or `Effects` would still wait for it.
    if (row.owner === this.#options.bootId) return row.state === "pending";
    return !this.#mayLive(row.owner);
  }

  /** Why an errand that nobody runs must not begin. */
  #refused(row: Readonly<EffectRow>, now: number): Extract<Claim, { refused: unknown }>["refused"] | undefined {
    const { state, home, deadlineAt, owner } = row;
    if (state === "ended") return undefined;
    if (home !== null && this.#isGone(home)) return "secret_lost";
    const isLate = deadlineAt !== null && deadlineAt <= now;
    return isLate && !(state === "running" && this.#mayLive(owner)) ? "errand_late" : undefined;
  }

  #mayLive(owner: string): boolean {
    const { processes, bootId } = this.#options;
    return processes ? owner !== "" && !this.#dead.has(owner) : owner === bootId;
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
    const mine = sql`select id from effects where id in (${sql.join(ids)}) and owner = ${bootId} order by id`;
    const until = clock.now() + LEASE_MS;
    // An errand that waits for an earlier run of its own fails at its deadline.
    const statement = reads.statement(
      "effect.renew",
      sql`update effects set next_at = case when state = 'pending' and deadline_at < ${until} then deadline_at else ${until} end where id in (${mine} ${this.#skipLocked})`,
    );
    await commits.execute({ name: "effect.renew", statements: [statement] });
    const rows = await reads.query<{ id: string; run: string }>(
      sql`select id, run from effects where id in (${sql.join(ids)}) and owner = ${bootId}`,
    );
    return new Map(rows.map(({ id, run }) => [id, run]));
  }

  /** The work of an errand has ended here: what waits for that may begin. */
  over(effect: EffectRow): Promise<void> {
    const { commits, bootId, entityOf } = this.#options;
    return commits.submit({
      name: "errand.over",
      locks: [lock(entityOf(effect.kind), effect.actorId), lock(EffectRows, effect.id)],
      decide: (draft) => {
        const row = draft.find(EffectRows, effect.id);
        if (row?.owner !== bootId || row.state === "running") return;
        if (row.state === "ended") draft.delete(EffectRows, effect.id);
        else draft.update(EffectRows, effect.id, { owner: "", nextAt: draft.now });
      },
    });
  }

  /**
   * Gives back every lease of this process, so that the next one need not wait for them to run out; without those of
   * errands whose work goes on (`kept`): the next process, and a panel that restarts in this one, waits for these.
   */
  async release(kept: readonly string[]): Promise<void> {
    const { commits, reads, clock, bootId } = this.#options;
    if (kept.length > 0) {
      const going = sql`select id from effects where id in (${sql.join([...kept])}) and owner = ${bootId} order by id`;
      const keep = reads.statement(
        "effect.keep",
        sql`update effects set owner = '', next_at = ${clock.now() + LEASE_MS} where id in (${going} ${this.#skipLocked})`,
      );
      await commits.execute({ name: "effect.keep", statements: [keep] });
    }
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
