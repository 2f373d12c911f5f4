// One seed from beginning to end: processes, clients and faults, then quiet, then the books.
import { checkBooks, unrest, type Books } from "./books.ts";
import { Chance, hashOf } from "./chance.ts";
import { Clients } from "./clients.ts";
import type { SimulatedDatabase } from "./database.ts";
import { calm, faultsOf, type Faults } from "./faults.ts";
import { Outside } from "./outside.ts";
import { EPOCH, Panel, type Sabotage } from "./panel.ts";
import { Schedule } from "./schedule.ts";
import { Server } from "./server.ts";

export interface Outcome {
  readonly seed: number;
  /** Digest of everything that happened: the same seed has the same. */
  readonly hash: string;
  readonly happenings: number;
  /** Virtual milliseconds. */
  readonly took: number;
  readonly commands: number;
  readonly steps: number;
  /** A sentence for each promise that was not kept. */
  readonly broken: readonly string[];
}

export interface SimulationOptions {
  readonly database: SimulatedDatabase;
  readonly seed: number;
  readonly faults?: Faults;
  readonly sabotage?: Sabotage;
  /** Hears of everything that happens. */
  readonly trace?: (text: string) => void;
}

const LOOK_MS = 500;
/** Longest time to rest after the faults: leases and quarantines are waited for. */
const REST_MS = 180_000;

export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const simulation = new Simulation(options);
  return simulation.run();
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #schedule: Schedule;
  readonly #faults: Faults;
  readonly #server: Server;
  readonly #outside: Outside;
  readonly #chance: Chance;
  readonly #panels: Panel[] = [];
  readonly #clients: Clients;
  #quiet = false;

  constructor(options: SimulationOptions) {
    const { database, seed, trace } = options;
    this.#options = options;
    const schedule = new Schedule(seed);
    if (trace) schedule.onHappening = trace;
    const faults = options.faults ?? faultsOf(seed);
    this.#schedule = schedule;
    this.#faults = faults;
    this.#server = new Server(database, schedule, faults, seed);
    const { locks } = this.#server;
    database.reset(
      () => EPOCH + schedule.now,
      (key) => locks.isHeld(key),
    );
    this.#outside = new Outside(schedule, faults, seed);
    this.#chance = new Chance(seed, "fate");
    for (let slot = 0; slot < faults.processes; slot++) this.#begin(slot, 1);
    this.#strike();
    const { horizon } = faults;
    const clients = this.#chance.whole(1, 4);
    const commands = Math.ceil(this.#chance.whole(20, 120) / clients);
    // Few jobs: many commands to each; many: each has a life of its own.
    const jobs = this.#chance.pick([2, 4, 10, 30]);
    this.#clients = new Clients({ schedule, seed, clients, jobs, commands, horizon, panels: () => this.#living() });
  }

  async run(): Promise<Outcome> {
    const { seed, database } = this.#options;
    const broken: string[] = [];
    const books: Books = {
      database,
      clients: this.#clients,
      outside: this.#outside,
      panels: this.#panels,
      say: (sentence) => broken.push(sentence),
    };
    await this.#schedule.runUntil(this.#faults.horizon);
    this.#calmDown();
    let restless: string | undefined = "just began";
    const until = this.#schedule.now + REST_MS;
    for (let looks = 0; looks < 2; looks++) {
      await this.#schedule.runUntil(this.#schedule.now + LOOK_MS * (1 + looks));
      restless = unrest(books, EPOCH + this.#schedule.now);
      if (restless !== undefined) looks = -1;
      if (this.#schedule.now > until) break;
    }
    if (restless !== undefined) books.say(`no rest: ${restless}`);
    checkBooks(books);
    const journal = database.read({ text: "select * from journal order by id", values: [] });
    const hash = hashOf(JSON.stringify(journal), this.#schedule.hash).toString(16);
    for (const panel of this.#panels) panel.kill();
    const { count, now } = this.#schedule;
    return {
      seed,
      hash,
      happenings: count,
      took: now,
      commands: this.#clients.ledger.length,
      steps: journal.length,
      broken,
    };
  }

  #living(): Panel[] {
    return this.#panels.filter(({ alive }) => alive);
  }

  #begin(slot: number, run: number): void {
    const { seed, sabotage } = this.#options;
    const panel = new Panel({
      name: `p${slot}.${run}`,
      server: this.#server,
      outside: this.#outside,
      seed,
      peers: () => this.#living(),
      ...(sabotage ? { sabotage } : {}),
    });
    this.#panels.push(panel);
    this.#schedule.note(`${panel.name} starts`);
    panel.onDeath(() => {
      const after = this.#quiet ? 200 : this.#chance.between(20, 3000);
      this.#schedule.after(after, `${panel.name} is started again`, () => this.#begin(slot, run + 1));
    });
    // A process that cannot start ends, and is started again.
    panel.start().catch((error: unknown) => {
      this.#schedule.note(`${panel.name} cannot start: ${String(error)}`);
      panel.kill();
    });
  }

  /** Kills, pauses and orderly stops, each of a process that is chosen when the time has come. */
  #strike(): void {
    const { kills, pauses, stops } = this.#faults;
    const hit = (at: number, label: string, strike: (panel: Panel) => void) =>
      this.#schedule.after(at, label, () => {
        const living = this.#living();
        if (living.length > 0 && !this.#quiet) strike(this.#chance.pick(living));
      });
    for (const at of kills) hit(at, "kill", (panel) => panel.kill());
    for (const at of stops) hit(at, "stop", (panel) => void panel.stop());
    for (const { at, forMs } of pauses) {
      hit(at, "pause", (panel) => {
        this.#schedule.note(`${panel.name} is paused for ${forMs.toFixed(0)} ms`);
        panel.heldUntil = this.#schedule.now + forMs;
      });
    }
  }

  /** From here on nothing goes wrong any more. */
  #calmDown(): void {
    this.#quiet = true;
    const faults = { ...this.#faults, ...calm };
    this.#server.calmDown(faults);
    this.#outside.faults = faults;
    this.#outside.quiet = true;
    this.#schedule.note("quiet");
  }
}
