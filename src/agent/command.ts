// `signalbox agent`: the node agent in the foreground, until a signal.
import { z } from "zod";
import { EngineKind } from "../protocol/messages.ts";
import { errorLog, EXIT, readOptions, runUntilSignal, UsageError } from "./command-line.ts";
import { engineFactories } from "./engines/all.ts";
import { ListenAddress } from "./listen-address.ts";
import { startAgent } from "./server.ts";

export const AGENT_HELP = `signalbox agent --listen HOST:PORT --data DIR --trust FILE [options]

Serves one node: a panel dials it, tells it what to run, and collects the usage.

  --listen HOST:PORT        where the panel reaches it; port 0 takes a free one
  --data DIR                everything it keeps: its key, the desired state, the usage ledger
  --trust FILE              PEM of the panel (GET /api/nodes/install/trust); read again when it changes
  --engine NAME             auto (default), sing-box, xray, v2ray, embedded, none
  --private-targets WHICH   block (default) or allow: whether proxy users reach loopback and private addresses
  --help                    this text

The first line of its output is {"listening": "HOST:PORT", "fingerprint": "<SPKI SHA-256>"}; logs are JSON lines on
standard error. SIGTERM and SIGINT stop it and its engine; killed, it leaves the engine running for the next start.
`;

const Options = z.object({
  listen: ListenAddress,
  data: z.string().min(1),
  trust: z.string().min(1),
  engine: z.union([z.literal("auto"), EngineKind.exclude(["simulated"])]).default("auto"),
  "private-targets": z.enum(["block", "allow"]).default("block"),
});

/** Runs until a signal and resolves to the exit code: 0 stopped, 1 failed, 2 bad usage. */
export async function agentCommand(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  let options;
  try {
    options = readOptions(argv, Options, Object.keys(Options.shape));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${AGENT_HELP}`);
    return EXIT.usage;
  }
  if (options === undefined) {
    process.stdout.write(AGENT_HELP);
    return EXIT.done;
  }
  const { listen, data, trust, engine } = options;
  const log = errorLog(env);
  return runUntilSignal(log, () =>
    startAgent({
      ...listen,
      dataDirectory: data,
      trustFile: trust,
      engine,
      privateTargets: options["private-targets"],
      factories: engineFactories,
      log,
    }),
  );
}
