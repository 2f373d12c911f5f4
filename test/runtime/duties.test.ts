// Work of the whole panel that one process does: it goes with a shard, and is named in one place.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasDuty, onDutyMoved, SHARDS, SoleShards, type ShardChange, type Shards } from "../../src/runtime/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8");

/** A process among others, which holds the shards that it is given. */
class SomeShards implements Shards {
  readonly #held = new Set<number>();
  readonly #listeners = new Set<(change: ShardChange) => void>();

  holds(id: number): boolean {
    return this.#held.has(id % SHARDS);
  }
  token(): undefined {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  onChange(listener: (change: ShardChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  gain(shard: number): void {
    this.#held.add(shard);
    for (const listener of this.#listeners) listener({ gained: new Set([shard]), lost: new Set() });
  }
  lose(shard: number): void {
    this.#held.delete(shard);
    for (const listener of this.#listeners) listener({ gained: new Set(), lost: new Set([shard]) });
  }
}

test("a duty comes and goes with its shard, and with no other", () => {
  const shards = new SomeShards();
  let moved = 0;
  const stop = onDutyMoved(shards, "events.positions", () => moved++);
  shards.gain(5);
  expect([hasDuty(shards, "events.positions"), moved]).toEqual([false, 0]);
  shards.gain(0);
  expect([hasDuty(shards, "events.positions"), moved]).toEqual([true, 1]);
  shards.lose(5);
  expect([hasDuty(shards, "events.positions"), moved]).toEqual([true, 1]);
  shards.lose(0);
  expect([hasDuty(shards, "events.positions"), moved]).toEqual([false, 2]);
  stop();
  shards.gain(0);
  expect(moved).toBe(2);
});

test("a process that is alone has every duty from its start on", async () => {
  const shards = new SoleShards({ reserve: async () => 1, now: () => 1000, onError: () => {} });
  expect(hasDuty(shards, "history.fold")).toBe(false);
  await shards.start();
  expect(hasDuty(shards, "history.fold")).toBe(true);
});

test("every duty has work that asks for it, and nobody names a shard elsewhere", () => {
  const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.startsWith("src/web/"));
  const table = read("src/runtime/duties.ts");
  const duties = [...table.matchAll(/^ {2}"([\w.]+)": \d+,$/gm)].map(([, name = ""]) => name);
  const others = sources.filter((file) => file !== "src/runtime/duties.ts").map((file) => ({ file, text: read(file) }));
  const asked = others.flatMap(({ text }) => [...text.matchAll(/hasDuty\(\w+, "([\w.]+)"\)/g)].map(([, name]) => name));
  expect(duties.length).toBeGreaterThan(0);
  expect(new Set(asked)).toEqual(new Set(duties));
  const constants = others.filter(({ text }) => /\.(?:holds|token)\((?:\d+|[A-Z][A-Z_]+)\)/.test(text));
  expect(constants.map(({ file }) => file)).toEqual([]);
});
