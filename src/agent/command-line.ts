// What `agent` and `simulate` share as commands: reading options, logging to standard error, running until a signal.
import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { pino } from "pino";
import type { Logger } from "pino";
import { z } from "zod";
import { launcherGone } from "../lib/launcher.ts";

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
/** With what the process itself takes to end, the 5 s that a stop may take. */
const STOP_MS = 4500;
const LINGER_MS = 200;

/** Bad usage; the message says which option. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads `--name value` options and parses them; `undefined` when help was asked for. Throws `UsageError`. */
export function readOptions<T extends z.ZodType>(
  argv: readonly string[],
  schema: T,
  names: readonly string[],
): z.output<T> | undefined {
  const options: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const name of names) options[name] = { type: "string" };
  let values: Record<string, unknown>;
  try {
    values = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (values["help"] === true) return undefined;
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? "");
  throw new UsageError(
    values[name] === undefined ? `--${name} is required` : `--${name}: ${issue?.message ?? "is invalid"}`,
  );
}

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** JSON lines on standard error, so that standard output carries the announcement alone. */
export function errorLog(level: string | undefined): Logger {
  return pino(
    { level: LOG_LEVELS.find((known) => known === level) ?? "info" },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** What a started server offers to the process around it. */
export interface Running {
  readonly address: string;
  readonly fingerprint: string;
  stop(): Promise<void>;
  /** SIGHUP. Absent: the signal ends the process, as it does by default. */
  readonly reload?: () => void;
  /** Called when the launcher was killed, which could not pass that on: leave what outlives a killed agent. */
  readonly abandon?: () => Promise<void>;
}

/**
 * Starts, announces itself as the first line of standard output, runs until SIGTERM or SIGINT, stops within 5 s.
 * Resolves to the exit code. A signal that comes during the start is carried out after it. What still holds the process
 * a moment after its end does not keep it.
 */
export async function runUntilSignal(log: Logger, start: () => Promise<Running>): Promise<number> {
  const signalled = new Promise<"SIGTERM" | "SIGINT">((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, resolve);
  });
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    log.fatal({ err: error }, error instanceof Error ? error.message : "start failed");
    return EXIT.failed;
  }
  const { abandon, reload } = running;
  if (reload) process.on("SIGHUP", () => reload());
  process.stdout.write(`${JSON.stringify({ listening: running.address, fingerprint: running.fingerprint })}\n`);
  const why = await Promise.race([signalled, ...(abandon ? [launcherGone()] : [])]);
  if (why === "abandoned") log.error("the launcher of this process was killed; it ends too, as if it had been killed");
  else log.info({ signal: why }, "stopping");
  const code = await stopped(
    log,
    why === "abandoned" && abandon ? abandon() : running.stop(),
    why === "abandoned" ? EXIT.failed : EXIT.done,
  );
  setTimeout(() => process.exit(code), LINGER_MS).unref();
  return code;
}

async function stopped(log: Logger, stop: Promise<void>, code: number): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => {
      log.error("the stop took too long and was cut short");
      resolve(EXIT.failed);
    }, STOP_MS);
  });
  const ended = stop.then(
    () => code,
    (error: unknown) => {
      log.error({ err: error }, "the stop failed");
      return EXIT.failed;
    },
  );
  const outcome = await Promise.race([ended, late]);
  clearTimeout(timer);
  return outcome;
}
