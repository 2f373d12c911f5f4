// Log lines of the agent, and problems among them without a flood.
import type { Logger } from "pino";
import { Repeats } from "../lib/repeats.ts";

/** A structured log line; never secrets. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields?: Record<string, unknown>,
) => void;

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
