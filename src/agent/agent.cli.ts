// `signalbox agent`: the node agent in the foreground, until a signal (rules agents.command).
import type { Logger } from "pino";
import { checkAgent } from "./check.cli.ts";
import { errorLog, EXIT, runUntilSignal, UsageError } from "./command-line.ts";
import { engineFactories } from "./engines/all.ts";
import { useNetKeeper } from "./net-admin/index.ts";
import { startAgent } from "./server.ts";
import { readAgentCall } from "./settings.ts";
import type { AgentCall } from "./settings.ts";

export const AGENT_HELP = `signalbox agent --listen HOST:PORT --data DIR --trust FILE [options]
signalbox agent --config FILE [options]

Serves one node: a panel dials it, tells it what to run, and collects the usage.

  --listen HOST:PORT        where the panel reaches it; port 0 takes a free one
  --data DIR                everything it keeps: its key, the desired state, the usage ledger
  --trust FILE              PEM of the panel (GET /api/nodes/install/trust); read again when it changes
  --engine NAME             auto (default), sing-box, xray, v2ray, embedded, none
  --private-targets WHICH   block (default) or allow: whether proxy users reach loopback and private addresses
  --on-stop WHAT            stop (default): SIGTERM ends the engine and with it the connections; leave: the engine
                            serves on, and the next start takes it over (for upgrades of the agent; not for embedded)
  --net-keeper SOCKET       who changes the kernel's network for it (a panel's local agents); else it does so itself
  --log-level LEVEL         trace, debug, info (default), warn, error, fatal, silent; else SIGNALBOX_LOG_LEVEL
  --config FILE             JSON with these options as fields, {"listen": "0.0.0.0:7443", ...}; options win over it
  --check                   say what works here and what does not, and end: 0 when an agent would start, else 1
  --help                    this text

The first line of its output is {"listening": "HOST:PORT", "fingerprint": "<SPKI SHA-256>"}; logs are JSON lines on
standard error. SIGTERM and SIGINT read the counters a last time and end it, within 5 s. SIGHUP reads the trust file
and the log level again. Killed, it leaves the engine running for the next start.

Exit codes: 0 stopped, 1 failed (the last line of the log says why), 2 bad usage or configuration file.
`;

/** Runs until a signal and resolves to the exit code: 0 stopped, 1 failed, 2 bad usage. */
export async function agentCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let call;
  try {
    call = readAgentCall(argv, env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${AGENT_HELP}`);
    return EXIT.usage;
  }
  if (call === undefined) {
    process.stdout.write(AGENT_HELP);
    return EXIT.done;
  }
  const { settings, check } = call;
  if (settings["net-keeper"] !== undefined) useNetKeeper(settings["net-keeper"]);
  if (check) {
    const { lines, works } = await checkAgent(settings, engineFactories, Date.now());
    process.stdout.write(`${lines.join("\n")}\n`);
    return works ? EXIT.done : EXIT.failed;
  }
  const log = errorLog(settings["log-level"]);
  return runUntilSignal(log, async () => {
    const agent = await startAgent({
      ...settings.listen,
      dataDirectory: settings.data,
      trustFile: settings.trust,
      engine: settings.engine,
      privateTargets: settings["private-targets"],
      factories: engineFactories,
      log,
    });
    return {
      address: agent.address,
      fingerprint: agent.fingerprint,
      stop: () => agent.stop(settings["on-stop"] === "leave" ? "detach" : "stop"),
      abandon: () => agent.stop("detach"),
      reload: () => reload(log, call, () => agent.reload()),
    };
  });
}

/** SIGHUP. Whatever is wrong with the files, what was read before stays. */
function reload(log: Logger, { readLogLevel }: AgentCall, readTrust: () => boolean): void {
  const trusted = readTrust();
  try {
    log.level = readLogLevel();
  } catch (error) {
    log.error({ err: error }, "the configuration file cannot be used; what was read before stays");
    return;
  }
  log.info({ logLevel: log.level, trustFile: trusted ? "read" : "refused" }, "reloaded");
}
