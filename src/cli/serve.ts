// `signalbox serve`: the panel in the foreground, until a signal.
import { readEnvironment } from "../environment.ts";
import { startPanel, type Panel } from "../panel.ts";
import { EXIT, panelLog } from "./shared.ts";

const LAUNCHER_WATCH_MS = 250;

export const SERVE_HELP = `signalbox serve

Runs the panel in the foreground. Prints where it listens and, while setup is pending, the setup URL.

  SIGNALBOX_DATA_DIR         everything it keeps (./data)
  SIGNALBOX_DATABASE_URL     sqlite:<file> (default, in the data directory) or postgresql://…
  SIGNALBOX_LISTEN           host:port (127.0.0.1:8080)
  SIGNALBOX_SETUP_TOKEN      the setup token, for unattended installs
  SIGNALBOX_LOG_LEVEL        trace, debug, info, warn, error, fatal, silent
  SIGNALBOX_ENGINE           engine of local nodes: auto, sing-box, xray, v2ray, embedded, none
  SIGNALBOX_PRIVATE_TARGETS  block or allow: whether users of local nodes reach private addresses
  SIGNALBOX_SECRET_KEY       32 bytes as 64 hex digits or base64; else a key file in the data directory
`;

/** Runs until SIGTERM or SIGINT; a restart that the panel asks for happens in the process. Resolves to the exit code. */
export async function serve(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) {
    process.stderr.write(`serve takes no arguments\n\n${SERVE_HELP}`);
    return EXIT.usage;
  }
  const environment = readEnvironment(process.env);
  const log = panelLog(environment.logLevel);
  const stopped = new Promise<"stop">((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve("stop"));
  });
  const abandoned = launcherGone();
  for (;;) {
    const panel = await startPanel({ environment, log });
    announce(panel);
    const why = await Promise.race([stopped, abandoned, panel.restartWanted.then(() => "restart" as const)]);
    // A kill of the launcher is a kill of the panel: local agents are left to the next start.
    await panel.stop(why === "stop" ? "stop" : "restart");
    if (why === "stop") return EXIT.done;
    if (why === "abandoned") return EXIT.failed;
  }
}

function announce({ url, setupUrl }: Panel): void {
  process.stdout.write(setupUrl ? `Signalbox listens on ${url} and waits for setup: ${setupUrl}\n` : `Signalbox listens on ${url}\n`);
}

/** Resolves when the launcher that started this process was killed without being able to say so. Never, when there is none. */
function launcherGone(): Promise<"abandoned"> {
  const launcher = process.ppid;
  if (process.env["SIGNALBOX_LAUNCHER"] !== String(launcher)) return new Promise(() => {});
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === launcher) return;
      clearInterval(watch);
      resolve("abandoned");
    }, LAUNCHER_WATCH_MS);
    watch.unref();
  });
}
