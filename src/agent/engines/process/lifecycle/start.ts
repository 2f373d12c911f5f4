// Starts an engine process and waits until it serves.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { DriverContext } from "../../contract/driver.ts";
import { type Compiled, type Dialect, type Endpoint, engineTags, type PopulatedInbound } from "../dialect.ts";
import { endProcess, isAlive, listeningPorts } from "./identity.ts";
import { journalPath, openInbound, RunningEngine } from "./running-engine.ts";
import type { Place } from "../ports/public-ports.ts";
import { launch } from "./spawn.ts";
import type { EngineRecord } from "../state/driver-state.ts";
import { UserJournal } from "../state/user-journal.ts";

/** Many users of old protocols take an engine several seconds to start with. */
const START_MS = 60_000;
/** Between SIGTERM and SIGKILL. */
export const END_GRACE_MS = 1500;

/** An inbound with where it should listen. */
export interface PlacedInbound {
  readonly populated: PopulatedInbound;
  readonly place: Place;
}

export interface StartOptions {
  readonly dialect: Dialect;
  readonly context: DriverContext;
  logPath(): string;
  /** What engines wrote last, other than access lines. */
  lastWords(): string;
}

/**
 * Resolves once the process listens everywhere and answers. `onSpawn` is called as soon as it exists, so that it can be
 * written down before it may serve. Throws with the engine's reason; the process is gone then.
 */
export async function startEngine(
  options: StartOptions,
  compiled: Compiled,
  inbounds: readonly PlacedInbound[],
  endpointFor: (id: string) => Promise<Endpoint>,
  signal: AbortSignal,
  onSpawn: (engine: RunningEngine) => void,
): Promise<RunningEngine> {
  const { dialect, context } = options;
  const id = randomUUID();
  const endpoint = await endpointFor(id);
  const accounts = new Map(
    inbounds.flatMap(({ populated }) =>
      [...populated.accounts].map(([email, { digest }]): [string, string] => [email, digest]),
    ),
  );
  // Users of several inbounds without names of ours are counted under the first.
  const aliases = new Map(inbounds.toReversed().flatMap(({ populated }) => [...populated.aliases]));
  const tagOf = ({ populated }: PlacedInbound): string => engineTags(populated.inbound.id)[0];
  const journal = UserJournal.create(journalPath(context.directory, id), accounts, aliases);
  const config = dialect.config(
    compiled,
    inbounds.map((one) =>
      dialect.inboundConfig(one.populated, { tag: tagOf(one), listen: one.place.listen, port: one.place.port }),
    ),
    endpoint,
  );
  const identity = await launch({
    binary: dialect.program.binary,
    args: dialect.program.args,
    environment: dialect.program.environment,
    stdin: JSON.stringify(config),
    logPath: options.logPath(),
    directory: context.directory,
  }).catch((error: unknown) => {
    journal.remove();
    throw error;
  });
  const record: EngineRecord = {
    id,
    ...identity,
    endpoint,
    frameDigest: compiled.frameDigest,
    coreDigest: compiled.coreDigest,
    inbounds: inbounds.map((one) => openInbound(one.populated, tagOf(one), one.place.inner)),
    starting: true,
  };
  const engine = new RunningEngine(dialect, record, journal, compiled.frame);
  try {
    onSpawn(engine);
    await untilReady(options, engine, inbounds, signal);
    return engine;
  } catch (error) {
    engine.forget();
    await endProcess(identity, END_GRACE_MS);
    throw error;
  }
}

async function untilReady(
  options: StartOptions,
  engine: RunningEngine,
  inbounds: readonly PlacedInbound[],
  signal: AbortSignal,
): Promise<void> {
  const { dialect, context } = options;
  const until = context.now() + START_MS;
  const wanted = inbounds.map(({ populated, place }) => ({ port: place.port, networks: populated.inbound.networks }));
  let answered = false;
  for (let wait = 10; ; wait = Math.min(50, wait + 5)) {
    if (!isAlive(engine.identity))
      throw new Error(`${dialect.name} ended at its start: ${dialect.lastReason(options.lastWords())}`);
    // Its interface is asked first: which ports it has is dear to find out.
    answered ||= await engine.ping(2000).then(
      () => true,
      () => false,
    );
    if (answered) {
      const open = listeningPorts(engine.identity.pid);
      // Another program may answer on the engine's interface: the ports must be open in the engine's own process.
      const isItsOwn = engine.record.endpoint.ports.every((port) => open.tcp.has(port));
      if (isItsOwn && wanted.every(({ port, networks }) => networks.every((on) => open[on].has(port)))) return;
    }
    if (context.now() > until)
      throw new Error(`${dialect.name} did not ${answered ? "open its ports" : "answer"} in time`);
    await delay(wait, undefined, { signal });
  }
}
