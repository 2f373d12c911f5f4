// The world outside the panel: what effects do there, once per key, and the lines that residents keep open.
import { type ResidentEffect, type Send } from "../../src/runtime/index.ts";
import { EffectRefused, type EffectRun, type QueuedEffect } from "../../src/runtime/testing.ts";
import { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Owner, Schedule } from "./schedule.ts";

/** An attempt at an effect, as the outside saw it begin. */
export interface Attempt {
  readonly process: string;
  readonly actorId: number;
  readonly key: string;
  readonly attempt: number;
  readonly fence: number | undefined;
}

/** A life of a resident. */
export interface Life {
  readonly owner: Owner;
  readonly actorId: number;
  /** Order in which lives began. */
  readonly number: number;
  readonly fence: number | undefined;
  ended: boolean;
}

export class Outside {
  readonly attempts: Attempt[] = [];
  /** What was done, by idempotency key: how often it was asked for. */
  readonly done = new Map<string, number>();
  readonly lives: Life[] = [];
  /** Sentences about what must never happen, as it happened. */
  readonly broken: string[] = [];
  faults: Faults;
  /** Lines that are up stay up. */
  quiet = false;
  readonly #schedule: Schedule;
  readonly #chance: Chance;

  constructor(schedule: Schedule, faults: Faults, seed: number) {
    this.#schedule = schedule;
    this.faults = faults;
    this.#chance = new Chance(seed, "outside");
  }

  /**
   * An effect's handler in a process: it asks the outside to do something, which it does, and answers in time, late or
   * never.
   */
  handler(owner: Owner, limits: Partial<QueuedEffect> = {}): QueuedEffect {
    return {
      mode: "queued",
      concurrency: 3,
      timeoutMs: 3000,
      attempts: 3,
      backoffMs: 100,
      backoffMaxMs: 2000,
      ...limits,
      run: (_input, run) => this.#carryOut(owner, run),
    };
  }

  #carryOut(owner: Owner, { actorId, idempotencyKey: key, attempt, fence }: EffectRun): Promise<unknown> {
    const { faults } = this;
    this.#noteEarlier(owner, { process: owner.name, actorId, key, attempt, fence });
    const takes = this.#chance.happens(faults.effectLate)
      ? this.#chance.between(500, 6000)
      : this.#chance.between(1, 200);
    const refused = this.#chance.happens(faults.effectRefused);
    const silent = this.#chance.happens(faults.effectSilent);
    const fails = this.#chance.happens(faults.effectFails);
    // What was asked for is done even if nobody is there any more to hear so; now and then it arrives twice.
    const times = refused ? 0 : this.#chance.happens(0.1) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      this.#schedule.after(takes * this.#chance.between(0.2, 1), `done ${key}`, () =>
        this.done.set(key, (this.done.get(key) ?? 0) + 1),
      );
    }
    return new Promise((resolve, reject) => {
      if (silent) return;
      this.#schedule.after(
        takes,
        `answer ${key}#${attempt}`,
        () => {
          if (refused) reject(new EffectRefused("refused for good"));
          else if (fails) reject(new Error("failed"));
          else resolve(`${key}#${attempt}`);
        },
        owner,
      );
    });
  }

  /** Where two processes begin the same effect, the later one shows the larger token, or none. */
  #noteEarlier(owner: Owner, begun: Attempt): void {
    for (const { key, process, fence } of this.attempts) {
      if (key !== begun.key || process === owner.name || fence === undefined || begun.fence === undefined) continue;
      if (begun.fence <= fence)
        this.broken.push(
          `${key} was begun in ${process} under ${fence} and later in ${owner.name} under ${begun.fence}`,
        );
    }
    this.attempts.push(begun);
  }

  /** A line as a resident of a process: it opens after a while, says something now and then, and is lost. */
  line(owner: Owner): ResidentEffect {
    return {
      mode: "resident",
      start: (actor) => {
        const { id, send } = actor;
        const fence = "fence" in actor && typeof actor.fence === "number" ? actor.fence : undefined;
        const life: Life = { owner, actorId: id, number: this.lives.length, fence, ended: false };
        this.#noteOthers(life);
        this.lives.push(life);
        this.#schedule.note(`${owner.name} line of ${id} begins, fence ${String(fence)}`);
        this.#openLater(life, send);
        return () => {
          if (life.ended) this.broken.push(`the line ${life.number} of job ${id} was ended twice`);
          life.ended = true;
          this.#schedule.note(`${owner.name} line of ${id} ends`);
        };
      },
    };
  }

  /** Lives that a process still believes in. */
  running(): Life[] {
    return this.lives.filter(({ ended, owner }) => !ended && owner.alive);
  }

  #noteOthers(life: Life): void {
    for (const other of this.lives) {
      if (other.actorId !== life.actorId || other.ended || !other.owner.alive) continue;
      if (other.owner === life.owner)
        this.broken.push(`two lines of job ${life.actorId} in process ${life.owner.name}`);
      else if (other.fence === undefined || life.fence === undefined || life.fence <= other.fence) {
        this.broken.push(
          `job ${life.actorId} has a line in ${other.owner.name} (fence ${String(other.fence)}) and a later one in ${life.owner.name} (fence ${String(life.fence)})`,
        );
      }
    }
  }

  #openLater(life: Life, send: Send): void {
    const say = (event: Parameters<Send>[0]) => {
      // A resident that is over may say something yet: what it sees last.
      send(event).catch((error: unknown) => this.broken.push(`a resident's word failed: ${String(error)}`));
    };
    const lineUp = this.#chance.happens(0.8) || this.quiet;
    this.#schedule.after(
      lineUp ? this.#chance.between(5, 400) : 6000,
      `line of ${life.actorId} opens`,
      () => {
        if (life.ended) return;
        say({ type: "opened" });
        this.#beatLater(life, say, 1);
      },
      life.owner,
    );
  }

  #beatLater(life: Life, say: Send | ((event: Parameters<Send>[0]) => void), n: number): void {
    this.#schedule.after(
      this.#chance.between(300, 4000),
      `line of ${life.actorId} beats`,
      () => {
        if (life.ended || this.quiet) return;
        const lost = this.#chance.happens(0.3);
        void say(lost ? { type: "lost" } : { type: "beat", beat: `${life.number}:${n}` });
        if (!lost) this.#beatLater(life, say, n + 1);
      },
      life.owner,
    );
  }
}
