// Problems as log lines, without a flood.
import type { Logger } from "pino";
import { Repeats } from "../lib/repeats.ts";

/**
 * Logs a problem at once, and the same words again only after a minute. `now` in milliseconds. Errors are logged with
 * it; they never carry secrets.
 */
export function problemLog(log: Pick<Logger, "warn">, now: () => number): (problem: string, error?: unknown) => void {
  const repeats = new Repeats(now);
  return (problem, error) => {
    const repeated = repeats.take(problem);
    if (repeated) log.warn({ ...(error === undefined ? {} : { err: error }), ...repeated }, problem);
  };
}
