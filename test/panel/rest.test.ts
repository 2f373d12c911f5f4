// A panel at rest collects what is left behind, once; one that works, or has a large heap, does not.
import { expect, test } from "vitest";
import { ManualClock } from "../../src/lib/clock.ts";
import { collectAtRest, ownHeap, type Heap } from "../../src/panel/rest.ts";

const MIB = 2 ** 20;
const LOOK_MS = 15_000;

class TestHeap implements Heap {
  collections = 0;
  mib: number;
  stays: number;
  /** What the process keeps besides. */
  others = 20;
  share = 0;
  /** Milliseconds of a collection. */
  takes = 0;

  constructor(mib: number, stays: number) {
    this.mib = mib;
    this.stays = stays;
  }

  size(): number {
    return this.mib * MIB;
  }

  resident(): number {
    return (this.mib + this.others) * MIB;
  }

  busy(): number {
    return this.share;
  }

  collect(): number {
    this.collections++;
    this.mib = this.stays;
    return this.takes;
  }
}

test("what a start left is collected once the panel rests, and again when a burst left more", () => {
  const [clock, heap] = [new ManualClock(0), new TestHeap(70, 50)];
  const end = collectAtRest(clock, heap);
  heap.share = 0.5;
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(0);
  heap.share = 0;
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(1);
  heap.mib = 60;
  clock.advance(4 * LOOK_MS);
  expect(heap.collections).toBe(1);
  heap.mib = 66;
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(2);
  end();
  heap.mib = 90;
  clock.advance(4 * LOOK_MS);
  expect(heap.collections).toBe(2);
});

test("what V8 collected by itself and keeps in its pool is given back, once", () => {
  const [clock, heap] = [new ManualClock(0), new TestHeap(70, 50)];
  const end = collectAtRest(clock, heap);
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(1);
  // The heap is as small as before; its pool is not.
  heap.others = 120;
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(2);
  // The pages go some time after the collection.
  heap.others = 20;
  clock.advance(LOOK_MS);
  heap.others = 37;
  clock.advance(LOOK_MS);
  expect(heap.collections).toBe(3);
  // What no collection gives back is tried once.
  clock.advance(4 * LOOK_MS);
  expect(heap.collections).toBe(3);
  end();
});

test("where a light load takes the memory again at once, long collections are far apart", () => {
  const [clock, heap] = [new ManualClock(0), new TestHeap(170, 150)];
  heap.takes = 600;
  const end = collectAtRest(clock, heap);
  for (let look = 0; look < 40; look++) {
    heap.mib = 170;
    clock.advance(LOOK_MS);
  }
  end();
  expect(heap.collections).toBe(5);
});

test.each([
  ["that is large", 500, 50, 0],
  ["of which much stayed the last time", 300, 200, 1],
])("a heap %s is left to V8: collecting it would stop the panel", (_what, mib, stays, times) => {
  const [clock, heap] = [new ManualClock(0), new TestHeap(mib, stays)];
  const end = collectAtRest(clock, heap);
  clock.advance(2 * LOOK_MS);
  heap.mib = mib;
  clock.advance(2 * LOOK_MS);
  end();
  expect(heap.collections).toBe(times);
});

test("the thread's own heap is collected", () => {
  const heap = ownHeap();
  let lost: object | undefined = { of: "nobody" };
  const seen = new WeakRef(lost);
  lost = undefined;
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    heap.collect();
    expect(seen.deref()).toBeUndefined();
    expect(heap.size()).toBeGreaterThan(MIB);
    expect(heap.resident()).toBeGreaterThan(heap.size());
    expect(heap.busy()).toBeGreaterThanOrEqual(0);
  });
});
