// What commands share: exit codes, logging, and reaching a panel's data whether or not one runs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { runCommand } from "../panel/panel.cli.ts";
import { askPanel } from "../panel/control-call.ts";
import { DataDirectoryTaken, sealedColumns, takeDirectoryLock } from "../db/index.ts";
import { entities } from "../panel/entities.ts";
import { readEnvironment } from "../panel/environment.ts";
import { quietAboutOutages } from "../panel/outage-log.ts";
import { openOffline } from "./offline.ts";

export { EXIT } from "./exit.ts";

/** JSON lines, or lines for people on a terminal. */
export function panelLog(level: string): Logger {
  const sealed = sealedColumns(entities).filter(({ partly }) => !partly);
  const names = [...new Set(["password", "token", ...sealed.map(({ property }) => property)])];
  const redact = names.flatMap((name) => [name, `*.${name}`]);
  const hooks = quietAboutOutages;
  if (!process.stdout.isTTY) return pino({ level, redact, hooks });
  return pino({
    level,
    redact,
    hooks,
    transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" } },
  });
}

/**
 * Runs a command of `commands.ts`: in the running panel where there is one on this data directory, else on its
 * database.
 */
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
    const offline = await openOffline(environment);
    try {
      return await runCommand(offline.deps, command, values);
    } finally {
      await offline.close();
    }
  } finally {
    release();
  }
}
