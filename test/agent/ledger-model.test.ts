// The ledger against a model: engines that restart, users that go and come again, disks that refuse, panels that do not
// answer, agents that are killed at any step. What the panel has in the end is what the engines counted, less only what
// an engine counted between its last reading and its own death.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ledger } from "../../src/agent/ledger.ts";
import { chanceOf } from "../e2e/kills/chance.ts";
import { fullDisk, type FullDisk } from "./full-disk.ts";
import { UsageBook } from "./panel.ts";

const STEPS = 250;
const SEEDS =
  process.env["SIGNALBOX_SEED"] === undefined
    ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    : [Number(process.env["SIGNALBOX_SEED"])];
const INBOUNDS = 2;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-model-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Engines one after another, and what of their counters has been read. */
class Engines {
  life = 1;
  readonly counted = new Map<string, { up: number; down: number }>();
  /** By user and by inbound: all that was ever counted, less what died unread. */
  readonly due = new Map<string, number>();
  #unread = new Map<string, number>();

  use(userId: number, inboundId: number, up: number, down: number): void {
    const name = `${userId}.${inboundId}`;
    const before = this.counted.get(name) ?? { up: 0, down: 0 };
    this.counted.set(name, { up: before.up + up, down: before.down + down });
    this.#unread.set(name, (this.#unread.get(name) ?? 0) + up + down);
  }

  read(): void {
    for (const [name, bytes] of this.#unread) this.due.set(name, (this.due.get(name) ?? 0) + bytes);
    this.#unread = new Map();
  }

  die(): void {
    this.life += 1;
    this.counted.clear();
    this.#unread = new Map();
  }
}

// rule agents.ledger.3
test.each(SEEDS)("seed %i: nothing is lost, nothing is counted twice", async (seed) => {
  const chance = chanceOf(seed);
  const below = (most: number): number => Math.floor(chance() * most);
  const path = join(directory, "ledger.log");
  const engines = new Engines();
  const book = new PerInboundBook();
  let disk: FullDisk = fullDisk(Number.MAX_SAFE_INTEGER);
  const open = (): Promise<Ledger> =>
    Ledger.open({ path, newBootId: randomUUID, openFile: disk.openFile, compactBytes: 2000 });
  let ledger = await open();
  const { bootId } = ledger;
  const read = async (at: number): Promise<void> => {
    await ledger.record(
      {
        instance: `life ${engines.life}`,
        users: structuredClone(engines.counted),
        rejected: new Map(),
        connections: 0,
      },
      at,
    );
    engines.read();
  };
  const deliver = async (answers: boolean): Promise<void> => {
    for (let batch = ledger.next(); batch !== undefined; batch = ledger.next()) {
      const { acknowledged } = book.count(batch);
      // A panel that counted, and died before its answer arrived.
      if (!answers) return;
      await ledger.acknowledge(acknowledged);
    }
  };
  for (let step = 1; step <= STEPS; step += 1) {
    const users = 1 + below(8);
    for (let user = 1; user <= users; user += 1)
      if (chance() < 0.7) engines.use(user, 1 + below(INBOUNDS), below(1000), below(1_000_000));
    const act = below(20);
    if (act < 9) await read(step);
    else if (act < 12) await deliver(true);
    else if (act < 14) await deliver(false);
    else if (act === 14) {
      // The engine dies, or is replaced after a last reading. While the disk refuses, bytes of an ended engine are in
      // memory alone.
      if (chance() < 0.5) await read(step);
      engines.die();
    } else if (act === 15) disk.free = below(400);
    else if (act === 16) disk.syncFails = chance() < 0.5;
    else if (act === 17) {
      disk.free = Number.MAX_SAFE_INTEGER;
      disk.syncFails = false;
      await read(step);
    } else if (!ledger.behind) {
      // Killed: closing writes nothing. What its disk refused of a life that is over would be lost with it, as the
      // documents say.
      await ledger.close();
      disk = fullDisk(Number.MAX_SAFE_INTEGER);
      ledger = await open();
      expect(ledger.bootId).toBe(bootId);
    }
  }
  disk.free = Number.MAX_SAFE_INTEGER;
  disk.syncFails = false;
  await read(STEPS + 1);
  await deliver(true);
  expect(ledger.behind).toBe(false);
  expect(ledger.next()).toBeUndefined();
  expect(Object.fromEntries(book.rows)).toEqual(Object.fromEntries([...engines.due].filter(([, bytes]) => bytes > 0)));
  // By user, by inbound and for the node: one sum.
  const sum = [...engines.due.values()].reduce((all, bytes) => all + bytes, 0);
  expect([...book.totals.values()].reduce((all, bytes) => all + bytes, 0)).toBe(sum);
  expect(book.up + book.down).toBe(sum);
  await ledger.close();
});

/** As `UsageBook`, and by user and inbound. */
class PerInboundBook extends UsageBook {
  readonly rows = new Map<string, number>();

  count(batch: Parameters<UsageBook["take"]>[0]): { acknowledged: number } {
    const fresh = batch.seq > (batch.bootId === this.bootId ? this.cursor : 0);
    const answer = this.take(batch);
    if (answer instanceof Promise) throw new Error("this panel always answers");
    if (fresh)
      for (const [userId, inboundId, up, down] of batch.rows) {
        const name = `${userId}.${inboundId}`;
        this.rows.set(name, (this.rows.get(name) ?? 0) + up + down);
      }
    return answer;
  }
}
