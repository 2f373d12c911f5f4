// The rows of effects: found, claimed, put off, kept and given back. What runs is in `effects.ts`.
//
// Invariant: a change of an effect's row holds its actor's row too, as every transition does that writes or deletes the effect. Keeping and giving back leases touches many
// actors' effects at once and so goes by statements that pass over what a transition holds at the moment.
import { lock, sql, type Committer, type Entity, type Query, type Reader } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import { EffectRows, type ActorRow, type EffectRow } from "./actor.entity.ts";
import { FAULT_LIMIT, PARKED_MS } from "./step.ts";

export const LEASE_MS = 30_000;

export interface LeaseOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Boot id of this process: the owner of its leases. */
  readonly bootId: string;
  /** True when no other process can own a lease: rows of other owners are free at once. */
  readonly alone: boolean;
  /** The table of a kind's actors. */
  readonly entityOf: (kind: string) => Entity<ActorRow>;
}

export class EffectLeases {
  readonly #options: LeaseOptions;
  readonly #skipLocked: Query;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#skipLocked = options.reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
  }

  /** Effects to be tried now, oldest first, without those of the groups (`kind:src`) named. */
  due(limit: number, without: readonly string[]): Promise<EffectRow[]> {
    const { reads, clock } = this.#options;
    const groups = without.length === 0 ? sql`` : sql`and kind || ':' || src not in (${sql.join(without)})`;
    return reads.rows(EffectRows, sql`select * from effects where next_at <= ${clock.now()} ${groups} order by next_at limit ${limit}`);
  }

  /** What another process left running, where only this one runs: bounded by what that one could run at once. */
  async orphans(): Promise<EffectRow[]> {
    const { reads, alone, bootId } = this.#options;
    if (!alone) return [];
    return reads.rows(EffectRows, sql`select * from effects where state = 'running' and owner <> ${bootId}`);
  }

  /** Takes the lease and counts the attempt. Undefined when the effect is no longer wanted, must wait, or another process has it. */
  claim(effect: EffectRow): Promise<number | undefined> {
    const { commits, bootId, entityOf } = this.#options;
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
        const attempt = row.attempt + 1;
        const lease = { state: "running", attempt, owner: bootId, nextAt: draft.now + LEASE_MS, startedAt: row.startedAt ?? draft.now };
        draft.update(EffectRows, effect.id, lease);
        return attempt;
      },
    });
  }

  #free(row: EffectRow, now: number): boolean {
    const { alone, bootId } = this.#options;
    return row.nextAt <= now || (row.state === "running" && alone && row.owner !== bootId);
  }

  /** The attempt failed: another is due in `waitMs`. Resolves to whether the effect is still wanted. */
  putOff(effect: EffectRow, waitMs: number, message: string): Promise<boolean> {
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
          lastError: message.slice(0, 500),
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
