// Panel, agent and engine are killed at random while users download; then what was counted is compared with what
// arrived.
//
// An engine that is killed takes with it what it counted since the last reading, which is at most the reading interval
// before if its agent was reading then. So every kill of an engine allows for the bytes that arrived in that window,
// and nothing else is allowed for.
import { setTimeout as pause } from "node:timers/promises";
import type { Dialect } from "../../../src/db/table.ts";
import { startPanel, type E2eOptions, type E2ePanel, type LocalNode } from "../panel.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { chanceOf } from "./chance.ts";
import { Traffic } from "./traffic.ts";

/** Milliseconds between two kills at most: some fall into the start of what was killed before. */
const CALM_MS = 2500;
/**
 * With engines among the killed most kills wait until traffic runs again, so that there is something to count, and then
 * up to this long.
 */
const TRAFFIC_MS = 6000;
const WAITS = 0.8;
/** The agent reads every two seconds; a reading takes its time, and comes late beside other work. */
const INTERVAL_MS = 3500;
/** In this time after its kill an agent reads again there. */
const AGENT_BACK_MS = 10_000;
/** What had left an engine arrives a little after its end. */
const REST_MS = 500;
/** Samples of the traffic are taken before and after a cut. */
const SHORT_MS = 100;
const USERS = ["ann", "bob"];

export type Victim = "panel" | "agent" | "engine";

export interface KillTrial {
  readonly engine: NonNullable<E2eOptions["engine"]>;
  readonly dialect: Dialect;
  readonly rounds: number;
  readonly seed: number;
  /** Sets of what may be killed; each round takes one of them. */
  readonly victims: readonly (readonly Victim[])[];
}

export interface UserOutcome {
  readonly name: string;
  /** Bytes that arrived at the user. */
  readonly payload: number;
  /** Bytes on the user in the panel. */
  readonly counted: number;
  /** Bytes that may be missing for kills of engines. */
  readonly mayMiss: number;
  /** Milliseconds between two pieces of one download. */
  readonly longestGap: number;
  /** Milliseconds from the kill of an engine to the next byte. */
  readonly longestOutage: number;
  readonly cuts: number;
  /** Reasons of cuts that no kill of an engine explains. */
  readonly unexplained: readonly string[];
}

export interface KillReport {
  readonly kills: Readonly<Record<Victim, number>>;
  readonly users: readonly UserOutcome[];
  /** Bytes counted on the node and on all users, which must agree. */
  readonly node: number;
  readonly sum: number;
  readonly warnings: readonly string[];
  /** How the panel ended, and processes that it left. */
  readonly exit: unknown;
  readonly leftovers: readonly { pid: number; command: string }[];
}

interface Kill {
  readonly victim: Victim;
  readonly at: number;
}

/** Times are of `performance.now`. */
interface History {
  readonly kills: Kill[];
  /** When it was seen that traffic was counted: an agent that had been killed before was back by then. */
  readonly counting: number[];
  /** How many times as long everything took as on a quiet machine. */
  slowness: number;
}

/** Runs the rounds and settles. Rejects when something does not come back by itself. */
export async function runKills(trial: KillTrial): Promise<KillReport> {
  const panel = await startPanel({ engine: trial.engine, dialect: trial.dialect });
  try {
    const node = await panel.makeLocalNode();
    await panel.serves(node.id);
    const users = await Promise.all(USERS.map((name) => panel.makeUser(name)));
    const traffic = await Promise.all(users.map((user) => Traffic.of(panel, user)));
    const [began, elapsed] = [performance.now(), startStopwatch()];
    const history = await killAtRandom(panel, node, traffic, trial);
    await panel.listening();
    await panel.serves(node.id);
    await Promise.all(traffic.map((one) => one.end()));
    await settled(panel, traffic);
    const { up, down, warnings } = await panel.api.node(node.id);
    history.slowness = (performance.now() - began) / elapsed();
    const outcomes = await Promise.all(traffic.map((one) => outcomeOf(panel, one, history)));
    const exit = await panel.stop();
    const { kills } = history;
    return {
      kills: { panel: count(kills, "panel"), agent: count(kills, "agent"), engine: count(kills, "engine") },
      users: outcomes,
      node: up + down,
      sum: outcomes.reduce((sum, { counted }) => sum + counted, 0),
      warnings,
      exit,
      leftovers: panel.leftovers(),
    };
  } finally {
    await panel.dispose();
  }
}

async function killAtRandom(
  panel: E2ePanel,
  node: LocalNode,
  traffic: readonly Traffic[],
  { engine, rounds, seed, victims }: KillTrial,
): Promise<History> {
  const chance = chanceOf(seed);
  const engineDies = victims.some((set) => set.includes("engine"));
  const history: History = { kills: [], counting: [], slowness: 1 };
  const { kills } = history;
  for (let round = 0; round < rounds; round++) {
    const waits = engineDies && chance() < WAITS;
    if (waits) {
      await counts(panel, traffic);
      history.counting.push(performance.now());
    }
    await pause(chance() * (waits ? TRAFFIC_MS : CALM_MS));
    const chosen = new Set(victims[Math.floor(chance() * victims.length)]);
    // The embedded engine is its agent.
    if (engine === "embedded" && (chosen.has("agent") || chosen.has("engine"))) chosen.add("agent").add("engine");
    for (const victim of chosen) kills.push({ victim, at: performance.now() });
    if (chosen.has("engine") && engine !== "embedded") for (const pid of enginesOf(panel)) kill(pid);
    if (chosen.has("agent")) killAgent(panel, node.id);
    if (!chosen.has("panel")) continue;
    await panel.kill();
    panel.spawn();
  }
  return history;
}

/** Resolves when every user gets bytes and they reach the panel's counters: everybody is back. */
async function counts(panel: E2ePanel, traffic: readonly Traffic[]): Promise<void> {
  for (const { user } of traffic) {
    let before: number | undefined;
    await eventually("traffic is counted again", async () => {
      const now = await panel.api.used(user.id);
      before ??= now;
      return now > before;
    });
  }
}

/**
 * Processes of engines: they carry their directory in the environment, agents and panels have it on their command line.
 */
function enginesOf(panel: E2ePanel): number[] {
  return panel
    .leftovers()
    .filter(({ command }) => !command.includes(panel.directory))
    .map(({ pid }) => pid);
}

/** An agent that is just being started again may have no process, or no pid file yet, to kill. */
function killAgent(panel: E2ePanel, nodeId: number): void {
  try {
    kill(panel.agentPid(nodeId));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ESRCH") throw error;
  }
}

/**
 * What would be counted late or twice has come: every user has what he must have, and nothing moved for two seconds.
 */
async function settled(panel: E2ePanel, traffic: readonly Traffic[]): Promise<void> {
  let before = "";
  let still = startStopwatch();
  await eventually("the counters stand still", async () => {
    const now = JSON.stringify(await Promise.all(traffic.map(({ user }) => panel.api.used(user.id))));
    if (now !== before) still = startStopwatch();
    before = now;
    return still() > 6000;
  });
}

async function outcomeOf(panel: E2ePanel, traffic: Traffic, history: History): Promise<UserOutcome> {
  const { kills } = history;
  const engineKills = kills.filter(({ victim }) => victim === "engine").map(({ at }) => at);
  return {
    name: traffic.user.config.uuid.slice(0, 8),
    payload: traffic.payload,
    counted: await panel.api.used(traffic.user.id),
    mayMiss: windows(history).reduce((sum, { from, to }) => sum + traffic.between(from, to), 0),
    longestGap: Math.round(traffic.longestGap),
    cuts: traffic.cuts.length,
    longestOutage: Math.round(Math.max(0, ...engineKills.map((at) => traffic.nextAfter(at + REST_MS) - at))),
    // A cut is the work of the last kill of an engine unless bytes have come since.
    unexplained: traffic.cuts
      .filter(
        (cut) => traffic.between((engineKills.findLast((at) => at <= cut.at) ?? 0) + REST_MS, cut.at - SHORT_MS) > 0,
      )
      .map(({ reason }) => reason),
  };
}

/**
 * The times in which what arrived may have died with an engine: since the last reading that must have been, up to its
 * kill. They do not overlap.
 */
function windows({ kills, counting, slowness }: History): { from: number; to: number }[] {
  const [interval, back] = [INTERVAL_MS * slowness, AGENT_BACK_MS * slowness];
  const found: { from: number; to: number }[] = [];
  for (const { at } of kills.filter(({ victim }) => victim === "engine")) {
    let from = at - interval;
    const seen = counting.findLast((time) => time <= at) ?? 0;
    // An agent that had been killed, and was not seen since, may not have read again.
    for (const agent of kills
      .filter(({ victim, at: killed }) => victim === "agent" && killed > seen && killed < at)
      .toReversed())
      if (agent.at > from - back) from = Math.min(from, agent.at - interval);
    const last = found.at(-1);
    found.push({ from: Math.max(from, last?.to ?? 0), to: at + REST_MS });
  }
  return found;
}

function count(kills: readonly Kill[], victim: Victim): number {
  return kills.filter((one) => one.victim === victim).length;
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const elapsed = startStopwatch();
  while (!(await holds().catch(() => false))) {
    if (elapsed() > 60_000) throw new Error(`not within a minute: ${what}`);
    await pause(100);
  }
}
