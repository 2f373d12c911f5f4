// What commands share: exit codes, logging, and reaching a panel's data whether or not one runs.
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { Listeners } from "../access/index.ts";
import { panelCertificates } from "../certificates/index.ts";
import { runCommand } from "../commands.ts";
import { askPanel } from "../control.ts";
import { DataDirectoryTaken, openDatabase, takeDirectoryLock } from "../db/index.ts";
import { echo } from "../echo.ts";
import { entities } from "../entities.ts";
import { readEnvironment } from "../environment.ts";
import { createEvents } from "../events/index.ts";
import { quietAboutOutages } from "../outage-log.ts";
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
    const listeners = await Listeners.open(commits, reads);
    // Its dispatcher is not started: what it records for webhooks is sent by the panel that runs, or by the next one.
    const events = createEvents({
      database,
      now: Date.now,
      key: secretKey,
      allowPrivate: () => settings.flag("webhook_allow_private"),
      retentionDays: () => settings.number("event_retention_days"),
      listenerOf: (adminId) => listeners.of(adminId),
      log: pino({ level: "silent" }),
    });
    await events.load();
    const certificates = panelCertificates(secretKey, Date.now);
    return await runCommand({ settings, commits, reads, outbox: events.outbox, secretKey, certificates }, command, values);
  } finally {
    await database.close();
  }
}
