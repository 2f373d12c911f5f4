// Gives memory back while the panel has nothing to do.
//
// V8 collects when it needs room. A panel at rest needs none, so what its start, or a burst of work, left behind would
// stay in the machine's memory until the next burst: a fifth of a small panel, a third of one that was walked through.
// What V8 collects by itself during a burst is no longer heap, but most of it stays the process's: V8 keeps the pages
// in a pool. So what the process keeps says when it is worth it, and a collection empties the pool too.
import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Cancel, Clock } from "../lib/clock.ts";

const LOOK_MS = 15_000;
/** Share of the time between two looks for which the thread of a panel at rest works, at most. */
const RESTING = 0.05;
const MIB = 2 ** 20;
/** The process keeps so much more than the least since it was collected last: less is not worth the pause. */
const WORTH_BYTES = 16 * MIB;
/**
 * A collection takes the longer the more stays: where more than this stayed the last time, whoever asks next would wait
 * for too long.
 */
const MOST_BYTES = 192 * MIB;
/**
 * Share of the time for which collections stop the thread, at most: under a light load that lasts, what is given back
 * is taken again at once.
 */
const STOPPED = 0.005;
/** The largest heap that is collected: it is not known how much of a larger one would stay. */
const MOST_SIZE_BYTES = 2 * MOST_BYTES;

export interface Heap {
  /** Bytes of its pages. */
  size(): number;
  /** Bytes of the machine's memory that the process keeps. */
  resident(): number;
  /** Share of the time since it was asked last for which its thread worked. */
  busy(): number;
  /** Collects, and gives back the pages that are free then. Returns for how many milliseconds the thread stood. */
  collect(): number;
}

type Collect = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void;

/** The heap of this thread. */
export function ownHeap(): Heap {
  // Only a context that is made after the flag has it.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  let [worked, since] = [workedMs(), performance.now()];
  return {
    size: () => getHeapStatistics().total_heap_size,
    resident: () => process.memoryUsage.rss(),
    // In processor time: on a busy machine a little work takes long.
    busy() {
      const [before, began] = [worked, since];
      [worked, since] = [workedMs(), performance.now()];
      return (worked - before) / Math.max(1, since - began);
    },
    // A plain collection leaves free pages in the pool. This one takes twice its time.
    collect() {
      const began = performance.now();
      collect({ type: "major", flavor: "last-resort" });
      return performance.now() - began;
    },
  };
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Collects when the thread rests and it is worth it, until it is cancelled. */
export function collectAtRest(clock: Clock, heap: Heap): Cancel {
  let stayed = 0;
  /** The least that the process kept since the last collection, whose pages are given back some time after it. */
  let least = 0;
  /** Milliseconds for which no collection stops the thread again. */
  let paused = 0;
  let cancel: Cancel = () => undefined;
  const look = () => {
    const [size, resident] = [heap.size(), heap.resident()];
    const rests = heap.busy() < RESTING;
    least = Math.min(least, resident);
    paused -= LOOK_MS;
    const worth = resident - least >= WORTH_BYTES && paused <= 0;
    if (rests && worth && size <= MOST_SIZE_BYTES && stayed <= MOST_BYTES) {
      paused = heap.collect() / STOPPED;
      stayed = heap.size();
      least = heap.resident();
    }
    cancel = clock.after(LOOK_MS, look);
  };
  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}
