// Logs outages of the database: one line at the start, one at the end. Errors that are caused by the outage are logged
// at `debug` only.
import type { Logger, LoggerOptions } from "pino";
import { isToldByWatch, type WatchOptions } from "../db/index.ts";

/** Numbers of pino's levels. */
const INFO = 30;

export function outageLog(log: Logger): Required<Pick<WatchOptions, "onOutage" | "onRecovery" | "onHiccup">> {
  return {
    onOutage: ({ error }) => log.error({ reason: reasonOf(error) }, `the database is out of service: ${error.message}`),
    onRecovery: ({ since, failures }) =>
      log.info({ seconds: Math.round((Date.now() - since) / 1000), failures }, "the database is in service again"),
    onHiccup: (error) => log.warn({ reason: reasonOf(error) }, `the database failed once: ${error.message}`),
  };
}

/** The driver's own words. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Lowers what is logged because of an outage that is told already. */
export const quietAboutOutages: NonNullable<LoggerOptions["hooks"]> = {
  logMethod(args, method, level) {
    const [about] = args as readonly unknown[];
    const error = typeof about === "object" && about !== null && "err" in about ? about.err : about;
    if (level > INFO && isToldByWatch(error)) this.debug(...args);
    else method.apply(this, args);
  },
};
