// Kills a process of the runtime alone in the middle of bursts of commands, again and again, and checks the books after
// each kill: what panels have none of yet, queued effects, and far more transitions than fit through HTTP.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dialect } from "../../../src/db/index.ts";
import { createTestDatabase } from "../../database.ts";
import { entities } from "../../runtime/fixture.ts";
import { drawPlan, planText, RUNTIME_POINTS, type Kill } from "../plan.ts";
import { mix, seeded, type Random } from "../random.ts";
import type { GoesOn } from "../share.ts";
import { onLive } from "../books/disk.ts";
import { checkBooks, checkEffects } from "./books.ts";
import { Victim } from "./victim.ts";
import type { Answer, Command } from "./wire.ts";

const ACTORS = 150;
const BURST = 400;
/** A burst is carried out in far fewer commits than a panel's round. */
const COMMITS_SHARE = 0.2;
/** Longest time from the answer that a kill waits for to the kill. */
const LONGEST_MS = 10;
const REST_MS = 30_000;

export interface RuntimeReport {
  readonly rounds: number;
  readonly sent: number;
  readonly answered: number;
  /** Kills by where they fell. */
  readonly kills: Readonly<Record<string, number>>;
  /** Kills that left something for the next start, by what they left. */
  readonly withTimers: number;
  readonly withEffects: number;
  /** Journal entries of commands that were never answered: on disk all the same, and whole. */
  readonly unanswered: number;
  /** Effects that were carried out more than once, under one key. */
  readonly repeated: number;
}

const TYPES = ["count", "count", "wait", "go", "go", "stop", "again"] as const;

function burst(random: Random, actors: readonly number[], from: number): Command[] {
  return Array.from({ length: BURST }, (_, index) => {
    const n = from + index;
    const id = actors[Math.floor(random() * actors.length)];
    if (id === undefined || (actors.length < ACTORS && random() < 0.2))
      return { n, op: "create", patience: 20 + Math.floor(random() * 300) };
    return { n, op: "ask", id, type: TYPES[Math.floor(random() * TYPES.length)] ?? "count" };
  });
}

/**
 * Throws at the first promise that is not kept, naming round, seed and kill. The seed repeats commands and kill points,
 * not the machine's pace.
 */
export async function crashRuntime(dialect: Dialect, goesOn: GoesOn, seed: number, kill: Kill): Promise<RuntimeReport> {
  const random = seeded(seed);
  const database = await createTestDatabase(dialect, entities);
  const folder = await mkdtemp(join(tmpdir(), "signalbox-crash-"));
  const effects = join(folder, "effects");
  const log = join(folder, "fault-points");
  await Promise.all([effects, log].map((file) => writeFile(file, "")));
  const plans = seeded(mix(seed, 1));
  const draw = () => drawPlan(plans, { kill, dialect, points: RUNTIME_POINTS, share: COMMITS_SHARE });
  const kills: Record<string, number> = {};
  const answers: Answer[] = [];
  const left = { withTimers: 0, withEffects: 0, entries: 0 };
  let spare = new Victim(draw(), log);
  let [sent, rounds] = [0, 0];
  try {
    for (let round = 1, last = false; !last; round++) {
      const victim = spare;
      const opens = await victim.open(database.url, effects);
      rounds = round;
      last = !goesOn(round);
      spare = new Victim(last ? undefined : draw(), log);
      const actors = [...new Set(answers.map((answer) => answer.id))];
      victim.send(burst(random, actors, sent));
      sent += BURST;
      // Anywhere from the very first commands to the last tenth; the milliseconds let it fall between two answers too.
      // One that dies by itself may go on to the end.
      const [share, late] = [random(), random()];
      if (opens) {
        await victim.answered(victim.plan?.by === "point" ? BURST : Math.floor(share * BURST * 0.9));
        await Promise.race([victim.closed, new Promise((resolve) => setTimeout(resolve, late * LONGEST_MS))]);
      }
      const place = await victim.kill();
      kills[place] = (kills[place] ?? 0) + 1;
      answers.push(...victim.answers);
      try {
        const { pendingTimers, runningEffects, entries } = await checkBooks(database.url, answers);
        if (pendingTimers > 0) left.withTimers++;
        if (runningEffects > 0) left.withEffects++;
        left.entries = entries;
      } catch (cause) {
        const how = victim.plan ? planText(victim.plan) : "the end";
        throw new Error(`round ${round} of seed ${seed} on ${dialect}, killed at ${how}`, { cause });
      }
    }
    await spare.open(database.url, effects);
    await comeToRest(database.url);
    await spare.kill();
    await checkBooks(database.url, answers);
    const { repeated } = await checkEffects(
      database.url,
      (await readFile(effects, "utf8")).split("\n").filter(Boolean),
    );
    const handled = answers.filter((answer) => answer.handled).length;
    const { withTimers, withEffects, entries } = left;
    return {
      rounds,
      kills,
      sent,
      answered: answers.length,
      withTimers,
      withEffects,
      unanswered: entries - handled,
      repeated,
    };
  } finally {
    await spare.kill().catch(() => undefined);
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

/** Until no timer and no effect is left: what the kills interrupted has been made up for. */
async function comeToRest(url: string): Promise<void> {
  const until = Date.now() + REST_MS;
  for (;;) {
    const left = await onLive(url, (query) => query("select id from timers union all select id from effects"));
    if (left.length === 0) return;
    if (Date.now() > until) throw new Error(`after ${REST_MS} ms there is left: ${JSON.stringify(left.slice(0, 5))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
