// Transitions at a steady rate: accounts that are made by the hundred, and some that are switched to and fro.
import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../../e2e/api.ts";
import { makeUsers } from "../../e2e/fleet.ts";

const BEAT_MS = 100;
/** Beats under way at a time. */
const AT_ONCE = 4;
/** How many accounts of a beat are switched off right after they are made. */
const SWITCHED = 2;

export class Flood {
  readonly #api: Api;
  readonly #perBeat: number;
  #made = 0;
  #elapsed = 0;
  #named = 0;

  constructor(api: Api, perSecond: number) {
    this.#api = api;
    this.#perBeat = Math.round((perSecond * BEAT_MS) / 1000);
  }

  /** Transitions of the last run. */
  get made(): number {
    return this.#made;
  }

  /** What the last run came to. */
  get perSecond(): number {
    return this.#made / this.#elapsed;
  }

  /**
   * Beats of equal size, a few under way at a time; a beat that comes late is made up for, as long as the panel keeps
   * up.
   */
  async run(seconds: number): Promise<void> {
    const began = performance.now();
    this.#made = 0;
    const beats = new Set<Promise<void>>();
    for (let beat = 1; beat * BEAT_MS <= seconds * 1000; beat++) {
      const made = this.#beat().then(() => void beats.delete(made));
      beats.add(made);
      if (beats.size >= AT_ONCE) await Promise.race(beats);
      const early = began + beat * BEAT_MS - performance.now();
      if (early > 0) await pause(early);
    }
    await Promise.all(beats);
    this.#elapsed = (performance.now() - began) / 1000;
  }

  async #beat(): Promise<void> {
    const ids = await makeUsers(this.#api, this.#perBeat - SWITCHED, () => ({ name: `flood-${this.#named++}` }));
    await Promise.all(ids.slice(0, SWITCHED).map((id) => this.#api.ok("PATCH", `/users/${id}`, { enable: false })));
    this.#made += this.#perBeat;
  }

  /** Users in a state, as the panel counts them. */
  async count(state: string): Promise<number> {
    const { total } = (await this.#api.ok("GET", `/actors?kind=user&state=${state}&limit=1`)) as { total: number };
    return total;
  }
}
