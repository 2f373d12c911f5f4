// What `agent` and `simulate` share as commands: reading options, logging to standard error, running until a signal.
import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { pino } from "pino";
import type { Logger } from "pino";
import { z } from "zod";

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
const STOP_MS = 5000;

/** Bad usage; the message says which option. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads `--name value` options and parses them; `undefined` when help was asked for. Throws `UsageError`. */
export function readOptions<T extends z.ZodType>(argv: readonly string[], schema: T, names: readonly string[]): z.output<T> | undefined {
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
  throw new UsageError(values[name] === undefined ? `--${name} is required` : `--${name}: ${issue?.message ?? "is invalid"}`);
}

/** JSON lines on standard error, so that standard output carries the announcement alone. */
export function errorLog(env: Readonly<Record<string, string | undefined>>): Logger {
  const level = env["SIGNALBOX_LOG_LEVEL"] ?? "info";
  return pino(
    { level: Object.hasOwn(pino.levels.values, level) || level === "silent" ? level : "info" },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** What a started server offers to the process around it. */
export interface Running {
  readonly address: string;
  readonly fingerprint: string;
  stop(): Promise<void>;
}

/** Starts, announces itself as the first line of standard output, runs until SIGTERM or SIGINT, stops within 5 s. Resolves to the exit code. */
export async function runUntilSignal(log: Logger, start: () => Promise<Running>): Promise<number> {
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    log.fatal({ err: error }, error instanceof Error ? error.message : "start failed");
    return EXIT.failed;
  }
  process.stdout.write(`${JSON.stringify({ listening: running.address, fingerprint: running.fingerprint })}\n`);
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, resolve);
  });
  log.info({ signal }, "stopping");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => {
      log.error("the stop took too long and was cut short");
      resolve(EXIT.failed);
    }, STOP_MS);
  });
  const stopped = running.stop().then(
    () => EXIT.done,
    (error: unknown) => {
      log.error({ err: error }, "the stop failed");
      return EXIT.failed;
    },
  );
  const code = await Promise.race([stopped, late]);
  clearTimeout(timer);
  return code;
}
