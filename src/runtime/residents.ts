// Resident effects run as long as a chart is in a state, in the process that holds the actor's shard. They are not on
// disk: a process that gains a shard starts them from the stored states.
//
// Invariants:
// - At most one runs here for an invoke of an actor, and none whose shard is not held.
// - The newest known revision of an actor decides what runs. Changes reach a process out of order (its own commits
//   immediately, those of others through the log, stored states by a read). So each carries its revision, and an older
//   one is ignored.
import type { AnyEventObject } from "xstate";
import { sql, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { ActorKind, ResidentEffect, Send } from "./definition.ts";
import { SHARDS, shardOf, type ShardChange, type Shards } from "./shards.ts";
import type { ResidentChange } from "./facts.ts";

/** Between tries to read what a gained shard needs while the database is away. */
const READ_AGAIN_MS = 1000;

export interface ResidentOptions {
  readonly reads: Reader;
  readonly clock: Clock;
  readonly shards: Shards;
  readonly kinds: ReadonlyMap<string, ActorKind>;
  /** Tells an actor of an event for as long as `alive`; resolves when that is committed or of no use any more. */
  readonly deliver: (kind: string, id: number, event: AnyEventObject, alive: () => boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

interface Running {
  /** The actor's revision that it was begun for. */
  readonly rev: number;
  readonly end: () => void;
}

interface Actor {
  readonly kind: string;
  readonly id: number;
  /** By invoke. */
  readonly invokes: Map<string, Running>;
}

export class Residents {
  readonly #options: ResidentOptions;
  /** Resident effects by kind and invoke. */
  readonly #effects = new Map<string, ReadonlyMap<string, ResidentEffect>>();
  /** Actors with something running, by `kind:id`. */
  readonly #actors = new Map<string, Actor>();
  /**
   * The newest revision that a change told of, by `kind:id`; of actors of other processes' shards too, since these may
   * come here next.
   */
  readonly #revs = new Map<string, number>();
  /** Running reads of stored states. */
  readonly #reading = new Set<Promise<void>>();
  readonly #retries = new Set<Cancel>();
  #stopListening: () => void = () => {};
  #stopped = true;

  constructor(options: ResidentOptions) {
    this.#options = options;
  }

  /** From now on residents begin and end with shards and commits. Before the shards are started. */
  start(): void {
    this.#stopped = false;
    this.#stopListening = this.#options.shards.onChange((change) => this.#shardsChanged(change));
  }

  /**
   * Resolves when the residents of all shards gained until now were started (or could not be read; then the read is
   * retried automatically).
   */
  async resumed(): Promise<void> {
    await Promise.all(this.#reading);
  }

  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    for (const cancel of this.#retries) cancel();
    this.#retries.clear();
    for (const actor of this.#actors.values()) this.#endAll(actor);
  }

  /** A commit, here or in another process, entered or left states with residents. */
  changed(change: ResidentChange): void {
    const kind = this.#options.kinds.get(change.kind);
    if (kind && this.#effectsOf(kind).size > 0) this.#apply(kind, change, false);
  }

  #shardsChanged({ gained, lost }: ShardChange): void {
    if (lost.size > 0) for (const actor of this.#actors.values()) if (lost.has(shardOf(actor.id))) this.#endAll(actor);
    if (gained.size > 0) this.#resume(gained);
  }

  #resume(gained: ReadonlySet<number>): void {
    const reading = this.#read(gained)
      .catch((error: unknown) => {
        this.#options.onError(error);
        const cancel = this.#options.clock.after(READ_AGAIN_MS, () => {
          this.#retries.delete(cancel);
          const still = new Set([...gained].filter((shard) => this.#options.shards.holds(shard)));
          if (still.size > 0) this.#resume(still);
        });
        if (this.#stopped) cancel();
        else this.#retries.add(cancel);
      })
      .finally(() => this.#reading.delete(reading));
    this.#reading.add(reading);
  }

  /** One indexed read per kind that has any. */
  async #read(gained: ReadonlySet<number>): Promise<void> {
    const among = gained.size === SHARDS ? sql`` : sql`and id % ${sql.lit(SHARDS)} in (${sql.join([...gained])})`;
    for (const kind of this.#options.kinds.values()) {
      const { definition, chart } = kind;
      const residents = this.#effectsOf(kind);
      const states = chart.states().filter((state) => chart.invokesIn(state).some((invoke) => residents.has(invoke)));
      if (states.length === 0) continue;
      const rows = await this.#options.reads.query<{ id: number; mstate: string; rev: number }>(
        sql`select id, mstate, rev from ${sql.table(definition.entity.name)} where mstate in (${sql.join(states)}) and mver <= ${definition.version} ${among} order by id`,
      );
      for (const { id, mstate, rev } of rows) {
        this.#apply(kind, { kind: definition.kind, id, rev, start: [], active: chart.invokesIn(mstate) }, true);
      }
    }
  }

  /** Ends what is not active (any more), begins what is and does not run, and starts again what was entered again. */
  #apply(kind: ActorKind, { id, rev, start, active, anew }: ResidentChange, resumed: boolean): void {
    const key = `${kind.definition.kind}:${id}`;
    if (rev < (this.#revs.get(key) ?? 0)) return;
    this.#revs.set(key, rev);
    if (this.#stopped || !this.#options.shards.holds(id)) return;
    const actor = this.#actors.get(key) ?? { kind: kind.definition.kind, id, invokes: new Map<string, Running>() };
    this.#actors.set(key, actor);
    for (const [invoke, running] of actor.invokes) {
      const again = start.some(({ invokeId }) => invokeId === invoke) && (anew === true || running.rev < rev);
      if (again || !active.includes(invoke)) this.#end(actor, invoke, running);
    }
    for (const [invoke, effect] of this.#effectsOf(kind)) {
      if (active.includes(invoke) && !actor.invokes.has(invoke)) this.#begin(actor, invoke, effect, rev, resumed);
    }
    if (actor.invokes.size === 0) this.#actors.delete(key);
  }

  #begin(actor: Actor, invoke: string, effect: ResidentEffect, rev: number, resumed: boolean): void {
    const { kind, id } = actor;
    const fence = this.#options.shards.token(id);
    if (fence === undefined) return;
    const life = { over: false };
    // What a resident of a process that was paused says after its lease is not believed: the next holder's says how
    // things are.
    const alive = () => !life.over && this.#options.shards.token(id) === fence;
    let end: () => void = () => {};
    try {
      end = effect.start({ kind, id, resumed, fence, send: this.#sendOf(kind, id, alive) });
    } catch (error) {
      this.#options.onError(error);
    }
    actor.invokes.set(invoke, {
      rev,
      end: () => {
        life.over = true;
        end();
      },
    });
  }

  /**
   * A life's events reach the actor in their order, also when the database was away meanwhile, and none of them after
   * its end: it would be taken for the next life's.
   */
  #sendOf(kind: string, id: number, alive: () => boolean): Send {
    let before: Promise<unknown> = Promise.resolve();
    return (event) => {
      const told = before.then(() => this.#options.deliver(kind, id, event, alive));
      // The sender of an event gets its error; the next event is sent anyway.
      before = told.catch(() => {});
      return told;
    };
  }

  #endAll(actor: Actor): void {
    for (const [invoke, running] of actor.invokes) this.#end(actor, invoke, running);
    this.#actors.delete(`${actor.kind}:${actor.id}`);
  }

  #end(actor: Actor, invoke: string, running: Running): void {
    actor.invokes.delete(invoke);
    try {
      running.end();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** The resident effects of a kind, by invoke. */
  #effectsOf(kind: ActorKind): ReadonlyMap<string, ResidentEffect> {
    const { definition, chart } = kind;
    let effects = this.#effects.get(definition.kind);
    if (!effects) {
      const residents = [...chart.invokes.values()].flatMap(({ id, src }) => {
        const effect = definition.effects[src];
        return effect?.mode === "resident" ? [[id, effect] as const] : [];
      });
      effects = new Map(residents);
      this.#effects.set(definition.kind, effects);
    }
    return effects;
  }
}
