// Time as a quiet machine would have taken it, so that an upper bound means the same on a busy one.
import { readFileSync } from "node:fs";

/**
 * Milliseconds since the call. Time in which this thread was ready but another one ran is subtracted in proportion: if
 * it waited as long as it worked, everything took twice as long, and half of it counts. A loop that waits for a bound
 * uses this clock too.
 */
export function startStopwatch(): () => number {
  const began = performance.now();
  const first = schedule();
  return () => {
    const now = schedule();
    const [ran, waited] = [now.ran - first.ran, now.waited - first.waited];
    const share = ran > 0 ? ran / (ran + waited) : 1;
    return (performance.now() - began) * share;
  };
}

/** Calls `act` once so many of these milliseconds have passed. The answer takes it back. */
export function afterQuiet(ms: number, act: () => void): () => void {
  const elapsed = startStopwatch();
  const timer = setInterval(
    () => {
      if (elapsed() < ms) return;
      clearInterval(timer);
      act();
    },
    Math.max(10, ms / 20),
  );
  return () => clearInterval(timer);
}

interface Schedule {
  readonly ran: number;
  readonly waited: number;
}

/**
 * Asked by hundreds of waits at once, the kernel is read this often: looking must not be what keeps the machine busy.
 */
const FRESH_MS = 10;
let readAt = -Infinity;
let latest: Schedule = { ran: 0, waited: 0 };

/**
 * How long this thread ran, and how long it waited for a processor, in nanoseconds. Where the kernel does not tell, it
 * never waited.
 */
function schedule(): Schedule {
  const now = performance.now();
  if (now - readAt < FRESH_MS) return latest;
  readAt = now;
  try {
    const [ran = 0, waited = 0] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ").map(Number);
    latest = { ran, waited };
  } catch {
    latest = { ran: 0, waited: 0 };
  }
  return latest;
}
