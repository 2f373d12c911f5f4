// One panel's life of many deaths: a database, a fleet and a receiver of their own, rounds of commands that end in
// kills, and a quiet end in which everything must come right.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietPorts } from "../quiet-ports.ts";
import type { Dialect } from "../../src/db/index.ts";
import { createEmptyDatabase } from "../database.ts";
import { checkAnswers, checkAudit } from "./books/answers.ts";
import { checkDeliveries } from "./books/deliveries.ts";
import { letLeasesRunOut, onDisk } from "./books/disk.ts";
import { checkRules } from "./books/rules.ts";
import { drive, type Memory } from "./drive.ts";
import { Known } from "./known.ts";
import { PanelProcess } from "./panel.ts";
import { drawFirstPlan, drawPlan, PANEL_POINTS, planText, type Kill, type Plan } from "./plan.ts";
import { endQuietly } from "./quiet-end.ts";
import { mix, seeded } from "./random.ts";
import { Receiver } from "./receiver.ts";
import { drawCommands } from "./commands.ts";
import { environmentOf, setUp, type Place, type Ready } from "./setup.ts";
import type { GoesOn } from "./share.ts";

const SECRET = "secret of the receiver";
const COMMANDS = 240;
/** Every so many rounds the next panel on PostgreSQL starts before the dead one is missed. */
const TOO_SOON = 5;
/** Starts on the empty database that are killed. */
const FIRST_STARTS = 4;

export interface EpochOptions {
  readonly dialect: Dialect;
  /** At least one round is done. */
  readonly goesOn: GoesOn;
  readonly seed: number;
  readonly kill: Kill;
  /** The books are done after every so many rounds, and at the end. */
  readonly booksEvery: number;
  /** Leaves database and folder of a failed epoch. */
  readonly keep: boolean;
  readonly say: (text: string) => void;
}

export interface EpochReport {
  readonly rounds: number;
  /** Kills by where they fell. */
  readonly kills: ReadonlyMap<string, number>;
  /** What the panels warned of in their logs. */
  readonly warnings: ReadonlyMap<string, number>;
  readonly count: Memory["count"];
  /** Records that were compared whole with their last answer. */
  readonly whole: number;
  readonly deliveries: number;
  readonly entries: number;
  readonly bytes: number;
}

export async function runEpoch(options: EpochOptions): Promise<EpochReport> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-crash-"));
  const [port = 0] = await quietPorts(1);
  const database = await createEmptyDatabase(options.dialect);
  const receiver = new Receiver(SECRET);
  await receiver.start();
  const place: Place = { directory, port, databaseUrl: database.url, receiver, secret: SECRET };
  let ready: Ready | undefined;
  let failed = true;
  try {
    const random = seeded(mix(options.seed, 4));
    const first = Array.from({ length: FIRST_STARTS }, () => drawFirstPlan(random));
    const log = join(directory, "fault-points");
    writeFileSync(log, "");
    ready = await setUp(place, first, log);
    const report = await new Epoch(options, place, ready, log).run();
    failed = false;
    return report;
  } finally {
    await ready?.fleet.stop();
    await receiver.stop();
    if (failed && options.keep) options.say(`kept: ${database.url}, ${directory}`);
    else {
      await database.drop();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

class Epoch {
  readonly #options: EpochOptions;
  readonly #place: Place;
  readonly #ready: Ready;
  readonly #memory: Memory;
  readonly #log: string;
  readonly #kills = new Map<string, number>();
  readonly #warnings = new Map<string, number>();
  #rounds = 0;
  #whole = 0;

  constructor(options: EpochOptions, place: Place, ready: Ready, log: string) {
    this.#options = options;
    this.#place = place;
    this.#ready = ready;
    const { stage, token } = ready;
    const count = { sent: 0, answered: 0, repeated: 0, replayed: 0, looked: 0 };
    this.#memory = { known: new Known(), stage, token, port: place.port, open: [], settled: [], count };
    this.#log = log;
  }

  async run(): Promise<EpochReport> {
    const { goesOn, seed, kill, dialect } = this.#options;
    const plans = seeded(mix(seed, 1));
    const draw = () => drawPlan(plans, { kill, dialect, points: PANEL_POINTS });
    let spare = this.#load(draw());
    try {
      for (let round = 1, last = false; !last; round++) {
        const panel = spare;
        try {
          const listens = await panel.go();
          last = !goesOn(round);
          spare = this.#load(last ? { by: "moment", afterMs: 0, answers: -1 } : draw());
          await this.#round(panel, listens, round, last);
          this.#rounds = round;
        } catch (cause) {
          throw new Error(`round ${round} of seed ${seed} on ${dialect}, killed at ${planText(panel.plan)}`, { cause });
        } finally {
          await panel.kill();
        }
      }
      return await this.#end(spare);
    } finally {
      await spare.kill();
    }
  }

  async #round(panel: PanelProcess, listens: boolean, round: number, last: boolean): Promise<void> {
    const { seed, booksEvery } = this.#options;
    const commands = drawCommands(seeded(mix(seed, 2, round)), COMMANDS, (round - 1) * COMMANDS);
    if (listens) await drive(panel, this.#memory, commands, seeded(mix(seed, 3, round)));
    await panel.kill();
    const place = panel.diedAt() ?? (panel.plan.by === "moment" ? "moment" : "after the last command");
    this.#kills.set(place, (this.#kills.get(place) ?? 0) + 1);
    this.#listen(panel);
    if (round % booksEvery === 0 || last) await this.#books();
    if (round % TOO_SOON !== 0) await letLeasesRunOut(this.#place.databaseUrl);
  }

  #load(plan: Plan): PanelProcess {
    return new PanelProcess({ environment: environmentOf(this.#place), plan, log: this.#log });
  }

  #listen(panel: PanelProcess): void {
    const { errors, warnings } = panel.logged();
    for (const warning of warnings) this.#warnings.set(warning, (this.#warnings.get(warning) ?? 0) + 1);
    const [complaint] = [...errors, ...this.#place.receiver.faults];
    if (complaint !== undefined) throw new Error(`the panel complained: ${complaint}`);
  }

  async #books(): Promise<void> {
    const { known, stage } = this.#memory;
    const { received } = this.#place.receiver;
    await onDisk(this.#place.databaseUrl, async (query) => {
      await checkRules(query, stage.hook);
      this.#whole += await checkAnswers(query, known);
      await checkAudit(query, known);
      await checkDeliveries(query, stage.hook, received);
    });
  }

  async #end(panel: PanelProcess): Promise<EpochReport> {
    const { seed, dialect } = this.#options;
    try {
      if (!(await panel.go())) throw new Error("the panel did not start");
      const bytes = await endQuietly(this.#place.databaseUrl, this.#memory, this.#ready);
      await panel.stop();
      this.#listen(panel);
      await this.#books();
      const [journal] = await onDisk(this.#place.databaseUrl, (query) =>
        query<{ n: number }>("select count(*) as n from journal"),
      );
      if (existsSync(join(this.#place.directory, "panel.db-wal")))
        throw new Error("a panel that was stopped left its log behind");
      return {
        rounds: this.#rounds,
        kills: this.#kills,
        warnings: this.#warnings,
        count: this.#memory.count,
        whole: this.#whole,
        deliveries: this.#place.receiver.received.length,
        entries: Number(journal?.n),
        bytes,
      };
    } catch (cause) {
      throw new Error(`the quiet end of seed ${seed} on ${dialect}`, { cause });
    }
  }
}
