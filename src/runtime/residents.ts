// Resident effects: what runs for as long as a chart is in a state, begun again from the stored states when the process starts. Nothing of them is on disk.
import type { AnyEventObject } from "xstate";
import { sql, type Reader } from "../db/index.ts";
import type { ActorKind, ResidentEffect, Send } from "./definition.ts";
import type { ResidentChange } from "./step.ts";

export interface ResidentOptions {
  readonly reads: Reader;
  readonly kinds: ReadonlyMap<string, ActorKind>;
  /** Tells an actor of an event for as long as `alive`; resolves when that is committed or of no use any more. */
  readonly deliver: (kind: string, id: number, event: AnyEventObject, alive: () => boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class Residents {
  readonly #options: ResidentOptions;
  /** Ways to stop, by `kind:id` and invoke. */
  readonly #running = new Map<string, Map<string, () => void>>();
  /** Actors that a commit told of while `start` was reading: what was read of them may be older. */
  readonly #changed = new Set<string>();
  #resuming = false;
  #stopped = true;

  constructor(options: ResidentOptions) {
    this.#options = options;
  }

  /** Begins the residents of every actor whose stored state invokes one: one indexed read per kind that has any. */
  async start(): Promise<void> {
    this.#stopped = false;
    this.#resuming = true;
    for (const kind of this.#options.kinds.values()) await this.#resume(kind);
    this.#resuming = false;
    this.#changed.clear();
  }

  stop(): void {
    this.#stopped = true;
    for (const invokes of this.#running.values()) for (const end of invokes.values()) this.#end(end);
    this.#running.clear();
  }

  /** A commit entered or left states with residents. */
  changed({ kind, id, start, active }: ResidentChange): void {
    if (this.#stopped) return;
    const key = `${kind}:${id}`;
    if (this.#resuming) this.#changed.add(key);
    const invokes = this.#running.get(key);
    for (const [invokeId, end] of invokes ?? []) {
      if (active.includes(invokeId) && !start.some((each) => each.invokeId === invokeId)) continue;
      invokes?.delete(invokeId);
      this.#end(end);
    }
    for (const { invokeId, src } of start) this.#begin(kind, id, invokeId, src, false);
    if (this.#running.get(key)?.size === 0) this.#running.delete(key);
  }

  async #resume({ definition, chart }: ActorKind): Promise<void> {
    const resident = [...chart.invokes.values()].filter((invoke) => definition.effects[invoke.src]?.mode === "resident");
    const states = chart.states().filter((state) => chart.invokesIn(state).some((id) => resident.some((invoke) => invoke.id === id)));
    if (states.length === 0) return;
    const rows = await this.#options.reads.query<{ id: number; mstate: string }>(
      sql`select id, mstate from ${sql.table(definition.entity.name)} where mstate in (${sql.join(states)}) order by id`,
    );
    for (const { id, mstate } of rows) {
      if (this.#stopped || this.#changed.has(`${definition.kind}:${id}`)) continue;
      const active = chart.invokesIn(mstate);
      for (const invoke of resident) if (active.includes(invoke.id)) this.#begin(definition.kind, id, invoke.id, invoke.src, true);
    }
  }

  #begin(kind: string, id: number, invokeId: string, src: string, resumed: boolean): void {
    const handler = this.#options.kinds.get(kind)?.definition.effects[src];
    if (handler?.mode !== "resident") return;
    const key = `${kind}:${id}`;
    const invokes = this.#running.get(key) ?? new Map<string, () => void>();
    this.#running.set(key, invokes);
    invokes.set(invokeId, this.#started(handler, kind, id, resumed));
  }

  #started(handler: ResidentEffect, kind: string, id: number, resumed: boolean): () => void {
    const life = { over: false };
    try {
      const end = handler.start({ kind, id, resumed, send: this.#sendOf(kind, id, life) });
      return () => {
        life.over = true;
        end();
      };
    } catch (error) {
      this.#options.onError(error);
      return () => {};
    }
  }

  /** A life's events reach the actor in their order, also when the database was away meanwhile, and none of them after its end: it would be taken for the next life's. */
  #sendOf(kind: string, id: number, life: Readonly<{ over: boolean }>): Send {
    let before: Promise<unknown> = Promise.resolve();
    return (event) => {
      const told = before.then(() => this.#options.deliver(kind, id, event, () => !life.over));
      // Whoever sent an event hears of its failure; the next one goes out all the same.
      before = told.catch(() => {});
      return told;
    };
  }

  #end(end: () => void): void {
    try {
      end();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
