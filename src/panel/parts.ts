// The panel's parts below its surface, opened in order: database, settings, runtime, features.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { swapStaged, withNewestArchive } from "../backups/index.ts";
import { Follower, openDatabase, Processes, takeDirectoryLock, type Database } from "../db/index.ts";
import type { Follow, Undo } from "../feature/index.ts";
import { Door, UntrustedProxies } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { closeDirectory, closeFiles } from "../lib/owner-only.ts";
import { SteadyClock } from "../lib/steady-clock.ts";
import { openOutgoing } from "../outgoing/index.ts";
import { LeasedShards, SoleShards, type ErrandWork, type ResidentEffect, type Shards } from "../runtime/index.ts";
import type { OpenedFeatures, Served } from "./compose.ts";
import { databaseFiles, type Environment } from "./environment.ts";
import { PANEL, type Core, type Features, type PanelParts } from "./features.ts";
import { knowKinds, layGround } from "./ground.ts";
import { listenerObstacle, settledPlace, type Listening } from "./listener.ts";
import { outageLog } from "./outage-log.ts";
import { publicAddress } from "./public-address.ts";
import { openKey } from "./secret-key.ts";
import { keepSubListen, lendListeners } from "./sub-listen.ts";
import { Timekeeping } from "./timekeeping.ts";
import { watchedSignals } from "./watched-signals.ts";

/** Waits so many milliseconds, or until it is told to stop. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface Parts extends Core {
  readonly environment: Environment;
  readonly panel: PanelParts;
  /** The features at work, in order. */
  readonly features: OpenedFeatures<unknown>["features"];
  /** What they do for the panel. */
  readonly serves: Served<Features>;
  readonly untrustedProxies: UntrustedProxies;
  /** Where the surface listens, as soon as it does. */
  readonly listening: Listening;
  readonly door: Door;
  readonly subListen: ReturnType<typeof keepSubListen>;
  /** Resolves when a restart was asked for. */
  readonly restartWanted: Promise<void>;
}

export interface PartsOptions {
  readonly environment: Environment;
  readonly log: Logger;
  readonly undo: Undo;
  /** How codes wait for their turn, where a test has no time for it. */
  readonly pause?: Pause | undefined;
  /** What the panel is made of, where it is more than what is shipped. */
  readonly panel?: PanelParts | undefined;
  /** Absent: one of its own, which nobody closes. */
  readonly door?: Door;
}

/**
 * Opens everything that needs no listener. No background work runs yet. Throws a sentence when a part cannot be opened.
 */
export async function openParts({
  environment,
  log,
  undo,
  pause,
  panel = PANEL,
  door = new Door(),
}: PartsOptions): Promise<Parts> {
  const { dataDirectory } = environment;
  const clock = new SteadyClock(Date.now());
  const now = () => clock.now();
  const signals = watchedSignals(log);
  closeToOthers(environment, log);
  const alone = environment.databaseUrl.startsWith("sqlite:");
  if (alone) undo.push(takeDirectoryLock(join(dataDirectory, "panel.lock")));
  // Only under the lock, and before anything opens the database.
  const swapped = alone ? swapStaged(dataDirectory, environment.databaseUrl) : undefined;
  if (swapped) log.warn(swapped, "a restore was applied: the database is the one of its archive");
  const database = await openDatabase({
    url: environment.databaseUrl,
    entities: panel.entities,
    echo: panel.echo,
    now,
    signals,
    consequences: panel.consequences,
    onListenerError: (error) => log.error({ err: error }, "a listener of commits failed"),
    ...outageLog(log),
  }).catch(async (error: unknown) => {
    throw await withNewestArchive(error, dataDirectory);
  });
  undo.push(() => database.close());
  const { commits, reads, schema } = database;
  if (schema.newer !== undefined)
    log.info({ schema: schema.newer }, "the database's schema is newer than this panel, which may run on it");
  const timekeeping = await Timekeeping.start({ database, clock, log, setBack: panel.clockSetBack });
  undo.push(() => timekeeping.stop());
  const place = { file: join(dataDirectory, "secret.key"), fromEnvironment: environment.secretKey };
  const secretKey = await openKey(place, (key) => panel.sealedUnder(reads, key));
  const { promise: restartWanted, resolve: restart } = Promise.withResolvers<void>();
  const follower = await openFollower(database, clock, log, restart);
  undo.push(() => follower?.stop());
  const { ground, provided, deliveries, outbox } = await layGround(panel, {
    environment,
    database,
    clock,
    log,
    signals,
    secretKey,
    undo,
  });
  const { processes, shards } = await openShards(database, alone, clock, log, undo);
  const residents = new Map<string, ResidentEffect["start"]>();
  const errands = new Map<string, ErrandWork>();
  const follows = new Map<string, Follow>();
  const { supervisor, kinds } = knowKinds(
    panel,
    {
      commits,
      reads,
      clock,
      deliveries,
      shards,
      signals,
      ...(processes && { processes }),
      bootId: database.boot,
      onError: (error, about) => log.warn({ err: error, about }, "something failed that nobody waits for"),
    },
    () => ground.settings.textAtStart("timezone"),
    (key) => ground.settings.text(key as never),
    (name) => (actor) => begun(residents, name)(actor),
    (name) => (input, run) => begun(errands, name)(input, run),
    (name) => (draft, row) => begun(follows, name)(draft, row),
  );
  const listening: Listening = { at: undefined };
  const untrustedProxies = new UntrustedProxies(now, (address) => log.warn({ address }, UNTRUSTED));
  const subListen = keepSubListen({ door, commits, settings: ground.settings, log, alone, undo });
  const core: Core = {
    ...ground,
    outbox,
    outgoing: openOutgoing({ signals }),
    supervisor,
    shards,
    processes,
    follower,
    caughtUp: () => follower?.caughtUp(),
    restart,
    listenerObstacle: () => listenerObstacle({ ...ground, environment }),
    listeners: lendListeners(door, undo),
    subListen,
    untrustedProxies,
    publicAddress(proxied) {
      const { at } = listening;
      const from = at ? { ...at, tls: at.tls !== undefined } : settledPlace({ environment, settings: ground.settings });
      return publicAddress(from, ground.settings, proxied);
    },
    pause,
  };
  const { features, serves } = await panel.open(core as never, provided, kinds);
  for (const { name, residents: own = {} } of features)
    for (const [effect, start] of Object.entries(own)) residents.set(`${name}.${effect}`, start);
  for (const { name, errands: own = {} } of features)
    for (const [errand, work] of Object.entries(own)) errands.set(`${name}.${errand}`, work);
  for (const { name, follows: own = {} } of features)
    for (const [step, follow] of Object.entries(own)) follows.set(`${name}.${step}`, follow);
  return {
    ...core,
    environment,
    panel,
    features,
    serves,
    listening,
    door,
    subListen,
    restartWanted,
    untrustedProxies,
  };
}

const UNTRUSTED =
  "requests from this address carry X-Forwarded-For, and it is not among trusted_proxies: if it is a proxy, all its visitors count as one address, with one limit for all";

function begun<T>(own: ReadonlyMap<string, T>, name: string): T {
  const found = own.get(name);
  if (found === undefined) throw new Error(`no feature has ${name}`);
  return found;
}

/** The panel's files are its owner's alone. */
function closeToOthers({ dataDirectory, databaseUrl }: Environment, log: Logger): void {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  for (const { closed, left } of [closeDirectory(dataDirectory), closeFiles(databaseFiles(databaseUrl))]) {
    if (closed.length > 0)
      log.info(
        { dataDirectory, closed },
        "the panel's files were open to other users of this machine; they are its owner's alone now",
      );
    if (left.length > 0)
      log.error(
        { dataDirectory, left },
        "the panel's files are open to other users of this machine and cannot be closed",
      );
  }
}

/**
 * Follows the other processes on a shared database; undefined where there can be none. A panel that lost its place
 * starts again.
 */
async function openFollower(
  { store, commits, reads }: Database,
  clock: Clock,
  log: Logger,
  restart: () => void,
): Promise<Follower | undefined> {
  if (!store.log) return undefined;
  return Follower.open({
    log: store.log,
    commits,
    reads,
    clock,
    onError: (error) => log.warn({ err: error }, "the commits of other processes were not read"),
    onLost: () => {
      log.warn("the panel was away from its database for too long and begins anew");
      restart();
    },
  });
}

/** On a shared database the processes share the actors; otherwise this process has all of them. */
async function openShards(
  { store, commits, reads, boot }: Database,
  alone: boolean,
  clock: Clock,
  log: Logger,
  undo: Undo,
): Promise<{ processes: Processes | undefined; shards: Shards }> {
  const onError = (error: unknown) =>
    log.warn({ err: error }, "the part of this process in the actors was not looked after");
  if (alone) {
    const reserve = (sequence: string, count: number) => store.reserve(sequence, count);
    return { processes: undefined, shards: new SoleShards({ reserve, now: () => clock.now(), onError }) };
  }
  const processes = new Processes({ commits, reads, clock, boot, onError });
  await processes.start();
  undo.push(() => processes.stop());
  const monotonic = () => performance.now();
  return { processes, shards: new LeasedShards({ commits, reads, clock, monotonic, processes, onError }) };
}
