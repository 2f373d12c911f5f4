// What commands share: exit codes, logging, and reaching a panel's data whether or not one runs.
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { runCommand } from "../commands.ts";
import { askPanel } from "../control.ts";
import { DataDirectoryTaken, openDatabase, takeDirectoryLock } from "../db/index.ts";
import { echo } from "../echo.ts";
import { entities } from "../entities.ts";
import { readEnvironment } from "../environment.ts";
import { quietAboutOutages } from "../outage-log.ts";
import { Outbox } from "../runtime/index.ts";
import { openKey } from "../secret-key.ts";
import { Settings } from "../system/index.ts";
import { mkdirSync } from "node:fs";

/** Done, failed, bad usage (decisions 1). */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** JSON lines, or lines for people on a terminal. */
export function panelLog(level: string): Logger {
  const redact = ["password", "token", "secret", "privateKey", "*.password", "*.token", "*.secret", "*.privateKey"];
  const hooks = quietAboutOutages;
  if (!process.stdout.isTTY) return pino({ level, redact, hooks });
  return pino({
    level,
    redact,
    hooks,
    transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" } },
  });
}

/** Runs a command of `commands.ts`: in the running panel where there is one on this data directory, else on its database. */
export async function onPanel(command: string, values: Readonly<Record<string, string>>): Promise<unknown> {
  const environment = readEnvironment(process.env);
  const { dataDirectory, databaseUrl } = environment;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  let release = () => {};
  if (databaseUrl.startsWith("sqlite:")) {
    try {
      release = takeDirectoryLock(join(dataDirectory, "panel.lock"));
    } catch (error) {
      if (!(error instanceof DataDirectoryTaken)) throw error;
      return askPanel(join(dataDirectory, "control.sock"), command, values);
    }
  }
  try {
    return await offline(environment, command, values);
  } finally {
    release();
  }
}

async function offline(
  environment: ReturnType<typeof readEnvironment>,
  command: string,
  values: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { dataDirectory, databaseUrl: url, secretKey: fromEnvironment } = environment;
  const fail = (error: unknown) => {
    throw error;
  };
  const database = await openDatabase({ url, entities, echo, now: Date.now, onListenerError: fail });
  try {
    const { commits, reads } = database;
    const secretKey = await openKey({ file: join(dataDirectory, "secret.key"), fromEnvironment }, reads);
    const settings = await Settings.open({ commits, reads, secretKey });
    // No deliveries are recorded for what the command line changes while no panel runs: subscribers hear of it from the event log.
    const outbox = new Outbox({ record: () => {} });
    const result = await runCommand({ settings, commits, reads, outbox, secretKey }, command, values);
    settings.close();
    return result;
  } finally {
    await database.close();
  }
}
