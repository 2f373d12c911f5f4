// Kills a panel process in the middle of bursts of commands, again and again, and checks the books after each kill.
//
// `node bin/node24.mjs test/crash/run.ts --rounds 1000 --seed 7 [--database postgresql]`
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Dialect } from "../../src/db/index.ts";
import { createTestDatabase } from "../database.ts";
import { entities } from "../runtime/fixture.ts";
import { checkBooks, checkEffects, onDisk } from "./books.ts";
import { Victim } from "./victim.ts";
import type { Answer, Command } from "./wire.ts";

const ACTORS = 150;
const BURST = 400;
/** Longest time from the answer that a kill waits for to the kill. */
const LONGEST_MS = 10;
const REST_MS = 30_000;

export interface CrashReport {
  readonly rounds: number;
  readonly sent: number;
  readonly answered: number;
  /** Kills that left something for the next start, by what they left. */
  readonly withTimers: number;
  readonly withEffects: number;
  /** Journal entries of commands that were never answered: on disk all the same, and whole. */
  readonly unanswered: number;
  /** Effects that were carried out more than once, under one key. */
  readonly repeated: number;
}

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TYPES = ["count", "count", "wait", "go", "go", "stop", "again"] as const;

function burst(random: () => number, actors: readonly number[], from: number): Command[] {
  return Array.from({ length: BURST }, (_, index) => {
    const n = from + index;
    const id = actors[Math.floor(random() * actors.length)];
    if (id === undefined || (actors.length < ACTORS && random() < 0.2))
      return { n, op: "create", patience: 20 + Math.floor(random() * 300) };
    return { n, op: "ask", id, type: TYPES[Math.floor(random() * TYPES.length)] ?? "count" };
  });
}

/** Throws at the first promise that is not kept, naming round and seed. `random` also chooses the moments, so a seed repeats the commands, not the machine's pace. */
export async function crash(dialect: Dialect, rounds: number, seed: number): Promise<CrashReport> {
  const random = seeded(seed);
  const database = await createTestDatabase(dialect, entities);
  const folder = await mkdtemp(join(tmpdir(), "signalbox-crash-"));
  const effects = join(folder, "effects");
  await writeFile(effects, "");
  const answers: Answer[] = [];
  const left = { withTimers: 0, withEffects: 0, entries: 0 };
  let spare = new Victim();
  let sent = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const victim = spare;
      await victim.open(database.url, effects);
      spare = new Victim();
      const actors = [...new Set(answers.map((answer) => answer.id))];
      victim.send(burst(random, actors, sent));
      sent += BURST;
      // Anywhere from the very first commands to the last tenth; the milliseconds let it fall between two answers too.
      await victim.answered(Math.floor(random() * BURST * 0.9));
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS));
      await victim.kill();
      answers.push(...victim.answers);
      try {
        const { pendingTimers, runningEffects, entries } = await checkBooks(database.url, answers);
        if (pendingTimers > 0) left.withTimers++;
        if (runningEffects > 0) left.withEffects++;
        left.entries = entries;
      } catch (cause) {
        throw new Error(`round ${round} of seed ${seed} on ${dialect}`, { cause });
      }
    }
    await spare.open(database.url, effects);
    await comeToRest(database.url);
    await spare.kill();
    await checkBooks(database.url, answers);
    const { repeated } = await checkEffects(database.url, (await readFile(effects, "utf8")).split("\n").filter(Boolean));
    const handled = answers.filter((answer) => answer.handled).length;
    const { withTimers, withEffects, entries } = left;
    return { rounds, sent, answered: answers.length, withTimers, withEffects, unanswered: entries - handled, repeated };
  } finally {
    await spare.kill().catch(() => {});
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

/** Until no timer and no effect is left: what the kills interrupted has been made up for. */
async function comeToRest(url: string): Promise<void> {
  const until = Date.now() + REST_MS;
  for (;;) {
    const left = await onDisk(url, (query) => query("select id from timers union all select id from effects"));
    if (left.length === 0) return;
    if (Date.now() > until) throw new Error(`after ${REST_MS} ms there is left: ${JSON.stringify(left.slice(0, 5))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "50" },
      seed: { type: "string", default: "1" },
      database: { type: "string", default: "sqlite" },
    },
  });
  const dialect = values.database === "postgresql" ? "postgresql" : "sqlite";
  console.log(await crash(dialect, Number(values.rounds), Number(values.seed)));
}
