// `signalbox simulate`: a fleet of agents with no engine, for load tests and demos (rules agents.command).
import { z } from "zod";
import { errorLog, EXIT, readOptions, runUntilSignal, UsageError } from "../command-line.ts";
import { ListenAddress } from "../listen-address.ts";
import { startFleet } from "./fleet.ts";

export const SIMULATE_HELP = `signalbox simulate --listen 0.0.0.0:PORT --trust FILE [options]

Answers for a whole fleet on one port: every loopback address (127.x.y.z) that it is dialled on is a node of its own,
with its own state, users, traffic and figures, and no engine behind it.

  --listen HOST:PORT        where panels reach it; 0.0.0.0 answers on every loopback address
  --trust FILE              PEM of the panel (GET /api/nodes/install/trust)
  --active PERCENT          share of the users that move traffic at a time (default 10)
  --rate BYTES_PER_SECOND   what each active user moves on each node, up and down together (default 10000)
  --seed N                  key, activity and figures follow from it (default 1): a fleet started again keeps its pins
  --report FILE             rewritten every 500 ms: what each node has counted by user, its links and dials
  --help                    this text

The first line of its output is {"listening": "HOST:PORT", "fingerprint": "<SPKI SHA-256>"}; logs are JSON lines on
standard error.
`;

const Whole = z
  .string()
  .regex(/^\d{1,15}$/, "is no whole number")
  .transform(Number);
const Options = z.object({
  listen: ListenAddress,
  trust: z.string().min(1),
  active: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,6})?$/, "is no percentage")
    .transform(Number)
    .refine((percent) => percent <= 100, "is above 100")
    .default(10),
  rate: Whole.default(10_000),
  seed: Whole.default(1),
  report: z.string().min(1).optional(),
});

/** Runs until a signal and resolves to the exit code: 0 stopped, 1 failed, 2 bad usage. */
export async function simulateCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let options;
  try {
    options = readOptions(argv, Options, Object.keys(Options.shape));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${SIMULATE_HELP}`);
    return EXIT.usage;
  }
  if (options === undefined) {
    process.stdout.write(SIMULATE_HELP);
    return EXIT.done;
  }
  const { listen, trust, active, rate, seed, report } = options;
  const log = errorLog(env["SIGNALBOX_LOG_LEVEL"]);
  return runUntilSignal(log, () =>
    startFleet({
      ...listen,
      trustFile: trust,
      activeShare: active / 100,
      rate,
      seed,
      log,
      ...(report === undefined ? {} : { reportPath: report }),
    }),
  );
}
