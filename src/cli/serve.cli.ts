// `signalbox serve`: the panel in the foreground, until a signal.
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { DatabaseRefused, StoreUnavailable } from "../db/index.ts";
import { readEnvironment } from "../panel/environment.ts";
import { Door } from "../http/index.ts";
import { openInterface } from "../interface/index.ts";
import { systemClock } from "../lib/clock.ts";
import { refusedFolders } from "../lib/inherited.ts";
import { launcherGone } from "../lib/launcher.ts";
import { openPlace } from "../lib/search-path.ts";
import { startPanel, type Panel, type PanelOptions } from "../panel/panel.ts";
import { collectAtRest, ownHeap } from "../panel/rest.ts";
import { startRefusal } from "./refusal.ts";
import { EXIT, panelLog } from "./shared.ts";

const DATABASE_WAIT_MS = 2000;

export const SERVE_HELP = `signalbox serve

Runs the panel in the foreground. Prints where it listens and, while setup is pending, the setup URL.

  SIGNALBOX_DATA_DIR         everything it keeps (./data)
  SIGNALBOX_DATABASE_URL     sqlite:<file> (default, in the data directory) or postgresql://…
  SIGNALBOX_LISTEN           host:port (127.0.0.1:8080)
  SIGNALBOX_SETUP_TOKEN      the setup token, for unattended installs
  SIGNALBOX_LOG_LEVEL        trace, debug, info, warn, error, fatal, silent
  SIGNALBOX_ENGINE           engine of local nodes: auto, sing-box, xray, v2ray, embedded, none
  SIGNALBOX_PRIVATE_TARGETS  block or allow: whether users of local nodes reach private addresses
  SIGNALBOX_MAX_NODE_GBPS    the fastest line that a node may have, in Gbit/s (400); 0: any
  SIGNALBOX_WEB              auto (the interface is built when it is not there), off, or a directory with a built one
  SIGNALBOX_SECRET_KEY       32 bytes as 64 hex digits or base64; else a key file in the data directory
`;

/**
 * Runs until SIGTERM or SIGINT; a restart that the panel asks for happens in the process. Resolves to the exit code.
 */
export async function serve(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) {
    process.stderr.write(`serve takes no arguments\n\n${SERVE_HELP}`);
    return EXIT.usage;
  }
  const environment = readEnvironment(process.env);
  const log = panelLog(environment.logLevel);
  warnOfOpenPlaces(log);
  const stopped = new Promise<"stop">((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve("stop"));
  });
  const abandoned = launcherGone();
  const web = openInterface({ web: environment.web, dataDirectory: environment.dataDirectory, log });
  const door = new Door();
  const collecting = collectAtRest(systemClock, ownHeap());
  try {
    for (let again = false; ; again = true) {
      const panel = await begin({ environment, log, web, door }, again, Promise.race([stopped, abandoned]));
      if (!panel) return EXIT.done;
      announce(panel);
      web?.begin();
      const why = await Promise.race([stopped, abandoned, panel.restartWanted.then(() => "restart" as const)]);
      // A kill of the launcher is a kill of the panel: local agents are left to the next start.
      await panel.stop(why === "stop" ? "stop" : "restart");
      if (why === "stop") return EXIT.done;
      if (why === "abandoned") return EXIT.failed;
    }
  } finally {
    collecting();
    await door.close();
    await web?.stop();
  }
}

/**
 * A start is refused with a sentence. A panel that started again (`again`) has users who wait for it: it waits for its
 * database, until it is to stop.
 */
async function begin(options: PanelOptions, again: boolean, ending: Promise<unknown>): Promise<Panel | undefined> {
  const { environment, log } = options;
  let waiting = false;
  for (;;) {
    try {
      return await startPanel(options);
    } catch (error) {
      if (!again || !(error instanceof DatabaseRefused || error instanceof StoreUnavailable))
        throw startRefusal(error, environment);
      if (!waiting) log.error({ reason: error.message }, "the panel waits for its database to begin anew");
      waiting = true;
    }
    const ended = await Promise.race([ending.then(() => true), pause(DATABASE_WAIT_MS, false, { ref: true })]);
    if (ended) return undefined;
  }
}

/** Folders of the PATH that are not used, and what is run all the same though others may write it. */
function warnOfOpenPlaces(log: Logger): void {
  for (const folder of refusedFolders())
    log.warn({ folder }, "a folder on the PATH is not used: other users may write there, and the panel is root");
  if (process.getuid?.() !== 0) return;
  const checkout = fileURLToPath(new URL("../..", import.meta.url));
  for (const file of [process.execPath, checkout]) {
    const open = openPlace(file, 0);
    if (open !== undefined)
      log.warn({ file, open }, "root runs what other users may write: whoever does becomes root on this machine");
  }
}

function announce({ url, setupUrl }: Panel): void {
  process.stdout.write(
    setupUrl ? `Signalbox listens on ${url} and waits for setup: ${setupUrl}\n` : `Signalbox listens on ${url}\n`,
  );
}
