// Gives memory back while the panel has nothing to do.
//
// V8 collects when it needs room. A panel at rest needs none, so what its start, or a burst of work, left behind would
// stay in the machine's memory until the next burst: a fifth of a small panel.
import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Cancel, Clock } from "../lib/clock.ts";

const LOOK_MS = 15_000;
/** Share of the time between two looks for which the thread of a panel at rest works, at most. */
const RESTING = 0.05;
const MIB = 2 ** 20;
/** The heap grew by so much since it was collected last: less is not worth the pause. */
const WORTH_BYTES = 16 * MIB;
/**
 * A collection takes the longer the more stays: where more than this stayed the last time, whoever asks next would wait
 * for too long.
 */
const MOST_BYTES = 192 * MIB;
/** The largest heap that is collected: it is not known how much of a larger one would stay. */
const MOST_SIZE_BYTES = 2 * MOST_BYTES;

export interface Heap {
  /** Bytes that it keeps of the machine's memory. */
  size(): number;
  /** Share of the time since it was asked last for which its thread worked. */
  busy(): number;
  collect(): void;
}

/** The heap of this thread. */
export function ownHeap(): Heap {
  // Only a context that is made after the flag has it.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let before = performance.eventLoopUtilization();
  return {
    size: () => getHeapStatistics().total_heap_size,
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    collect,
  };
}

/** Collects when the thread rests and it is worth it, until it is cancelled. */
export function collectAtRest(clock: Clock, heap: Heap): Cancel {
  let collected = 0;
  let cancel: Cancel = () => undefined;
  const look = () => {
    const size = heap.size();
    const rests = heap.busy() < RESTING;
    if (rests && size - collected >= WORTH_BYTES && size <= MOST_SIZE_BYTES && collected <= MOST_BYTES) {
      heap.collect();
      collected = heap.size();
    }
    cancel = clock.after(LOOK_MS, look);
  };
  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}
