// Panel and agent are killed at random while users download: nothing is lost or counted twice, nobody is cut off, and every status ends right by itself.
//
// v2ray runs in a process of its own and outlives its agent; the embedded engine is the agent, so there the panel alone is killed.
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Dialect } from "../../src/db/table.ts";
import { dialects } from "../database.ts";
import { findV2ray } from "../agent/v2ray/rig.ts";
import type { UserAnswer } from "./api.ts";
import type { Download } from "./download.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

const MB = 1_000_000;
/** Milliseconds between two kills at most: some fall into the start of what was killed before. */
const CALM_MS = 2500;
const v2ray = await findV2ray();

type Victim = "panel" | "agent" | "both";
const trials: readonly { engine: "embedded" | "v2ray"; dialect: Dialect; rounds: number; victims: readonly Victim[] }[] = [
  { engine: "v2ray", dialect: dialects.at(-1) ?? "sqlite", rounds: 13, victims: ["panel", "agent", "both"] },
  { engine: "embedded", dialect: "sqlite", rounds: 7, victims: ["panel"] },
];

describe.skipIf(!v2ray).each(trials)("kills during traffic with the engine $engine on $dialect", ({ engine, dialect, rounds, victims }) => {
  let panel: E2ePanel;
  afterAll(() => panel?.dispose());

  it(`counts every byte once over ${rounds} kills, and no download notices`, { timeout: 150_000 }, async () => {
    const seed = Number(process.env["SIGNALBOX_SEED"] ?? randomInt(2 ** 31));
    console.info(`kills with ${engine}: SIGNALBOX_SEED=${seed}`);
    const chance = chanceOf(seed);
    panel = await startPanel({ engine, dialect });
    const node = await panel.makeLocalNode();
    const connected = () =>
      expect.poll(async () => (await panel.api.node(node.id)).status, { timeout: 30_000, interval: 100 }).toBe("connected");
    await connected();
    const users = [await panel.makeUser("ann"), await panel.makeUser("bob")];
    const traffic = await Promise.all(users.map((user) => Traffic.of(panel, user)));

    for (let round = 0; round < rounds; round++) {
      await pause(chance() * CALM_MS);
      const victim = victims[Math.floor(chance() * victims.length)] ?? "panel";
      if (victim !== "panel") killAgent(panel, node.id);
      if (victim === "agent") continue;
      await panel.kill();
      panel.spawn();
    }

    await panel.listening();
    await connected();
    for (const { payload, cuts, longestGap, user } of await Promise.all(traffic.map((one) => one.end()))) {
      console.info(`${engine}: ${payload} bytes downloaded, longest gap ${Math.round(longestGap)} ms`);
      expect(cuts).toEqual([]);
      expect(longestGap).toBeLessThan(2000);
      await expect.poll(() => panel.api.used(user.id), { timeout: 15_000, interval: 100 }).toBeGreaterThanOrEqual(payload);
      // What would be counted twice comes late: the counters stand still before they are judged.
      await pause(2000);
      expect(await panel.api.used(user.id)).toBeLessThanOrEqual(payload * 1.02);
      expect((await panel.api.user(user.id)).enable).toBe(true);
    }
    expect((await panel.api.node(node.id)).warnings).toEqual([]);
    expect(await panel.stop()).toEqual({ code: 0, signal: null });
    expect(panel.leftovers()).toEqual([]);
  });
});

/** One user's downloads, one after another, each a new connection. */
class Traffic {
  readonly user: UserAnswer;
  readonly #run: Promise<void>;
  readonly #cuts: string[] = [];
  #payload = 0;
  #longestGap = 0;
  #ending = false;

  /** Resolves when the first bytes have arrived. */
  static async of(panel: E2ePanel, user: UserAnswer): Promise<Traffic> {
    const client = await panel.clientOf(user);
    const first = panel.download(client, 4 * MB, MB);
    await first.reached(1);
    return new Traffic(user, first, () => panel.download(client, 4 * MB, MB));
  }

  private constructor(user: UserAnswer, first: Download, next: () => Download) {
    this.user = user;
    this.#run = this.#loop(first, next);
  }

  /** Lets the last download finish. */
  async end() {
    this.#ending = true;
    await this.#run;
    return { user: this.user, payload: this.#payload, cuts: this.#cuts, longestGap: this.#longestGap };
  }

  async #loop(first: Download, next: () => Download): Promise<void> {
    for (let download = first; ; download = next()) {
      await download.finished.catch((error: unknown) => this.#cuts.push(String(error)));
      this.#payload += download.received;
      this.#longestGap = Math.max(this.#longestGap, download.longestGap);
      if (this.#ending || this.#cuts.length > 0) return;
    }
  }
}

/** An agent that is just being started again has no process to kill. */
function killAgent(panel: E2ePanel, nodeId: number): void {
  try {
    process.kill(panel.agentPid(nodeId), "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ESRCH") throw error;
  }
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
