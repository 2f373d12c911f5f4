// Problems as log lines, without a flood: a disk that is full says so at every reading, and a scanner knocks all day.
import type { Logger } from "pino";

const QUIET_MS = 60_000;
const MOST_KEPT = 1000;

/**
 * Logs a problem at once, and the same words again only after a minute, with how often it happened meanwhile. `now` in milliseconds.
 * Errors are logged with it; they never carry secrets.
 */
export function problemLog(log: Pick<Logger, "warn">, now: () => number): (problem: string, error?: unknown) => void {
  const told = new Map<string, { at: number; since: number }>();
  return (problem, error) => {
    const at = now();
    const before = told.get(problem);
    if (before && at - before.at < QUIET_MS && at >= before.at) {
      before.since += 1;
      return;
    }
    if (told.size >= MOST_KEPT) told.clear();
    told.set(problem, { at, since: 0 });
    log.warn(
      { ...(error === undefined ? {} : { err: error }), ...(before && before.since > 0 ? { repeated: before.since } : {}) },
      problem,
    );
  };
}
