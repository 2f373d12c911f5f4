// The ledger's arithmetic: deltas, batches, lives of an engine, what may still grow; across restarts and refusing
// disks.
import { randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ledger } from "../../src/agent/ledger.ts";
import type { LedgerOptions } from "../../src/agent/ledger.ts";
import type { CounterReading } from "../../src/agent/engines/contract/driver.ts";
import { fullDisk } from "./full-disk.ts";
import { UsageBook } from "./panel.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-ledger-"));
  path = join(directory, "ledger.log");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (more: Partial<LedgerOptions> = {}) => Ledger.open({ path, newBootId: randomUUID, ...more });

function reading(instance: string, users: Record<string, [number, number]>): CounterReading {
  return {
    instance,
    users: new Map(Object.entries(users).map(([name, [up, down]]) => [name, { up, down }])),
    rejected: new Map(),
    connections: undefined,
  };
}

async function deliver(ledger: Ledger, book: UsageBook): Promise<void> {
  for (let batch = ledger.next(); batch !== undefined; batch = ledger.next())
    await ledger.acknowledge((await book.take(batch)).acknowledged);
}

// rule agents.ledger.1
test("a batch holds what was used since the reading before, by user and inbound", async () => {
  const ledger = await open();
  await ledger.record(reading("a", { "1.1": [10, 20], "2.1": [5, 0], foreign: [9, 9] }), 100);
  expect(ledger.next()).toMatchObject({
    seq: 1,
    from: 100,
    to: 100,
    up: 15,
    down: 20,
    rows: [
      [1, 1, 10, 20, 100],
      [2, 1, 5, 0, 100],
    ],
  });
  await ledger.record(reading("a", { "1.1": [11, 20], "1.2": [3, 3], "2.1": [5, 0] }), 105);
  await ledger.acknowledge(1);
  expect(ledger.next()).toMatchObject({
    seq: 2,
    from: 100,
    to: 105,
    rows: [
      [1, 1, 1, 0, 105],
      [1, 2, 3, 3, 105],
    ],
  });
  await ledger.close();
});

// rule agents.ledger.5
test("a batch is of one quarter of an hour: who was away long tells how much was of which hour", async () => {
  const ledger = await open();
  await ledger.record(reading("a", { "1.1": [1, 1] }), 890);
  await ledger.record(reading("a", { "1.1": [3, 1] }), 899);
  await ledger.record(reading("a", { "1.1": [7, 1] }), 900);
  expect(ledger.next()?.rows).toEqual([[1, 1, 3, 1, 899]]);
  await ledger.acknowledge(1);
  expect(ledger.next()?.rows).toEqual([[1, 1, 4, 0, 900]]);
  await ledger.close();
});

test("nothing used, nothing written", async () => {
  const ledger = await open();
  await ledger.record(reading("a", { "1.1": [1, 1] }), 100);
  const { size } = await stat(path);
  await ledger.record(reading("a", { "1.1": [1, 1] }), 105);
  expect((await stat(path)).size).toBe(size);
  expect(ledger.waiting).toBe(1);
  await ledger.close();
});

test("a new life of the engine, and a counter that began anew, count from nothing", async () => {
  const ledger = await open();
  const book = new UsageBook();
  await ledger.record(reading("a", { "1.1": [100, 0], "2.1": [100, 0] }), 1);
  await ledger.record(reading("b", { "1.1": [150, 0] }), 2);
  await ledger.record(reading("b", { "1.1": [160, 0], "2.1": [7, 0] }), 3);
  await ledger.record(reading("b", { "1.1": [4, 0], "2.1": [7, 0] }), 4);
  await deliver(ledger, book);
  expect(Object.fromEntries(book.totals)).toEqual({ 1: 264, 2: 107 });
  await ledger.close();
});

// rule agents.ledger.1
test("while nothing is sent one batch grows; once sent it does not change, not even through a restart", async () => {
  const first = await open();
  for (let at = 1; at <= 50; at += 1) await first.record(reading("a", { "1.1": [at, 0] }), at);
  expect(first.waiting).toBe(1);
  const sent = first.next();
  expect(sent).toMatchObject({ seq: 1, from: 1, to: 50, up: 50 });
  await first.record(reading("a", { "1.1": [60, 0] }), 51);
  await first.record(reading("a", { "1.1": [70, 0] }), 52);
  expect(first.waiting).toBe(2);
  expect(first.next()).toEqual(sent);
  await first.close();
  const second = await open();
  expect(second.bootId).toBe(first.bootId);
  expect(second.next()).toEqual(sent);
  await second.record(reading("a", { "1.1": [71, 0] }), 53);
  expect(second.waiting).toBe(3);
  const book = new UsageBook();
  await deliver(second, book);
  expect(book.up).toBe(71);
  await second.close();
});

// rule agents.ledger.1
test("an acknowledgement drops what it covers and survives a restart", async () => {
  const first = await open();
  await first.record(reading("a", { "1.1": [1, 0] }), 1);
  first.next();
  await first.record(reading("a", { "1.1": [2, 0] }), 2);
  await first.acknowledge(1);
  await first.close();
  const second = await open();
  expect(second.acknowledged).toBe(1);
  expect(second.next()).toMatchObject({ seq: 2, up: 1 });
  await second.acknowledge(99);
  expect(second.acknowledged).toBe(2);
  await second.close();
});

test("the file stays small however long the panel is away, and says the same after its rewrite", async () => {
  const ledger = await open({ compactBytes: 2000 });
  for (let at = 1; at <= 500; at += 1) await ledger.record(reading("a", { "1.1": [at * 10, at], "2.7": [at, 0] }), at);
  expect((await stat(path)).size).toBeLessThan(4000);
  await ledger.close();
  const again = await open();
  const book = new UsageBook();
  await again.record(reading("a", { "1.1": [5001, 500], "2.7": [500, 0] }), 501);
  await deliver(again, book);
  expect([book.up, book.down]).toEqual([5501, 500]);
  await again.close();
});

test("an unfinished append is cut off, and what it held is counted again from the counters", async () => {
  const first = await open();
  await first.record(reading("a", { "1.1": [10, 0] }), 1);
  await first.close();
  const kept = await readFile(path);
  const second = await open();
  await second.record(reading("a", { "1.1": [15, 0] }), 2);
  await second.close();
  const whole = await readFile(path);
  for (let length = kept.length; length < whole.length; length += 7) {
    await writeFile(path, whole.subarray(0, length));
    const ledger = await open();
    const book = new UsageBook();
    await ledger.record(reading("a", { "1.1": [20, 0] }), 3);
    await deliver(ledger, book);
    expect(book.up).toBe(20);
    await ledger.close();
  }
});

test("a damaged file begins a new ledger that counts nothing twice", async () => {
  const first = await open();
  await first.record(reading("a", { "1.1": [10, 0] }), 1);
  await first.record(reading("a", { "1.1": [20, 0] }), 2);
  await first.close();
  await writeFile(path, (await readFile(path, "latin1")).replace('"t":"use"', '"t":"usf"'), "latin1");
  const problems: string[] = [];
  const second = await open({ onProblem: (problem) => problems.push(problem) });
  expect(second.bootId).not.toBe(first.bootId);
  await second.close();
  const third = await open();
  expect(third.bootId).toBe(second.bootId);
  await third.record(reading("a", { "1.1": [25, 0] }), 3);
  await third.record(reading("a", { "1.1": [27, 0] }), 4);
  expect(third.next()).toMatchObject({ seq: 1, up: 2 });
  expect(problems).toHaveLength(1);
  await third.close();
});

test("an unreadable tail alone is no damage", async () => {
  const first = await open();
  await first.record(reading("a", { "1.1": [10, 0] }), 1);
  await first.close();
  await appendFile(path, "12 deadbeef {");
  const second = await open();
  expect(second.bootId).toBe(first.bootId);
  expect(second.waiting).toBe(1);
  await second.close();
});

test("a full disk loses and doubles nothing, through new engine lives and until there is room", async () => {
  const disk = fullDisk(600);
  const ledger = await open({ openFile: disk.openFile });
  const book = new UsageBook();
  let used = 0;
  for (let at = 1; at <= 40; at += 1) {
    used += 3;
    const inLife = at <= 20 ? at * 3 : (at - 20) * 3;
    await ledger.record(reading(at <= 20 ? "a" : "b", { "1.1": [inLife, 0] }), at);
    if (at === 3) await deliver(ledger, book);
  }
  expect(ledger.behind).toBe(true);
  await deliver(ledger, book);
  expect(book.up).toBeLessThan(used);
  disk.free = 1e6;
  await ledger.record(reading("b", { "1.1": [60, 0] }), 41);
  expect(ledger.behind).toBe(false);
  await deliver(ledger, book);
  expect(book.up).toBe(used);
  await ledger.close();
  const again = await open();
  await again.record(reading("b", { "1.1": [61, 0] }), 42);
  await deliver(again, book);
  expect(book.up).toBe(used + 1);
  await again.close();
});

test("killed while the disk refused, the ledger counts again from the last counters on disk", async () => {
  const disk = fullDisk(500);
  const first = await open({ openFile: disk.openFile });
  for (let at = 1; at <= 20; at += 1) await first.record(reading("a", { "1.1": [at, at] }), at);
  expect(first.behind).toBe(true);
  const second = await open();
  const book = new UsageBook();
  await second.record(reading("a", { "1.1": [30, 30] }), 30);
  await deliver(second, book);
  expect([book.up, book.down]).toEqual([30, 30]);
  await first.close();
  await second.close();
});
