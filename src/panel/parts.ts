// The panel's parts below its surface, made and wired in order: database, settings, events, runtime, fleet, access.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { AdminRows, Listeners, openAccess, type Access } from "../access/index.ts";
import { CredentialEntry, CredentialKeys, OwnerCountRows, releaseOwnedUsers, servedAccounts, type UserActor } from "../accounts/index.ts";
import { issuePanelCertificate } from "../certificates/index.ts";
import { Follower, openDatabase, Processes, sql, takeDirectoryLock, type Committer, type Database } from "../db/index.ts";
import { echo } from "./echo.ts";
import { recordDepartures } from "./departures.ts";
import { entities } from "./entities.ts";
import { databaseFiles, type Environment } from "./environment.ts";
import { createEvents, departingWebhooks, type Events } from "../events/index.ts";
import { Fleet, type FleetOptions, loadLinkIdentity, ServingNodes, type LinkIdentity, type NodeActor } from "../fleet/index.ts";
import { registerKinds } from "./kinds.ts";
import type { Clock } from "../lib/clock.ts";
import { closeDirectory, closeFiles } from "../lib/owner-only.ts";
import { SteadyClock } from "../lib/steady-clock.ts";
import { InboundRows, OutboundRows, templateContent, TemplateRows } from "../pool/index.ts";
import { outageLog } from "./outage-log.ts";
import { LeasedShards, SoleShards, Supervisor, type Shards } from "../runtime/index.ts";
import { openKey } from "./secret-key.ts";
import { ActorStream, Settings, StateCounts } from "../system/index.ts";
import { Timekeeping } from "./timekeeping.ts";
import { VERSION } from "../version.ts";

/** How a panel ends: for good, or to be started again at once (local agents are then left running). */
export type Ending = "stop" | "restart";

/** Waits so many milliseconds, or until it is told to stop. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** What was started, ended in the reverse order. */
export type Undo = ((how: Ending) => Promise<unknown> | void)[];

export interface Parts {
  readonly environment: Environment;
  readonly log: Logger;
  readonly clock: Clock;
  /** This is the only process on its database. */
  readonly alone: boolean;
  readonly secretKey: Uint8Array;
  readonly database: Database;
  readonly settings: Settings;
  readonly events: Events;
  /** The processes on the database; undefined where no other can be. */
  readonly processes: Processes | undefined;
  readonly supervisor: Supervisor;
  readonly identity: LinkIdentity;
  readonly fleet: Fleet;
  readonly serving: ServingNodes;
  readonly userActor: UserActor;
  readonly credentialKeys: CredentialKeys;
  readonly credentialEntry: CredentialEntry;
  readonly nodeActor: NodeActor;
  readonly stream: ActorStream;
  readonly access: Access;
  /** Resolves when what other processes committed before is known here; undefined where there are none. */
  readonly caughtUp: () => Promise<void> | undefined;
  /** Asks for a restart of the panel in its process. */
  readonly restart: () => void;
  /** Resolves when that was asked for. */
  readonly restartWanted: Promise<void>;
}

/** Opens everything that needs no listener. Nothing moves by itself yet. Throws a sentence when a part cannot be opened. */
export async function openParts(environment: Environment, log: Logger, undo: Undo, pause?: Pause): Promise<Parts> {
  const { dataDirectory } = environment;
  const clock = new SteadyClock(Date.now());
  const now = () => clock.now();
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  for (const { closed, left } of [closeDirectory(dataDirectory), closeFiles(databaseFiles(environment.databaseUrl))]) {
    if (closed.length > 0)
      log.info({ dataDirectory, closed }, "the panel's files were open to other users of this machine; they are its owner's alone now");
    if (left.length > 0)
      log.error({ dataDirectory, left }, "the panel's files are open to other users of this machine and cannot be closed");
  }
  const alone = environment.databaseUrl.startsWith("sqlite:");
  if (alone) undo.push(takeDirectoryLock(join(dataDirectory, "panel.lock")));
  const database = await openDatabase({
    url: environment.databaseUrl,
    entities,
    echo,
    now,
    consequences: recordDepartures,
    onListenerError: (error) => log.error({ err: error }, "a listener of commits failed"),
    ...outageLog(log),
  });
  undo.push(() => database.close());
  const timekeeping = await Timekeeping.start({ database, clock, log });
  undo.push(() => timekeeping.stop());
  const { commits, reads } = database;
  const secretKey = await openKey({ file: join(dataDirectory, "secret.key"), fromEnvironment: environment.secretKey }, reads);
  const { promise: restartWanted, resolve: restart } = Promise.withResolvers<void>();
  const follower = await openFollower(database, clock, log, restart);
  undo.push(() => follower?.stop());
  const settings = await Settings.open({ commits, reads, secretKey });
  undo.push(() => settings.close());
  const events = await openEvents(database, settings, secretKey, clock, log, undo);
  const { processes, shards } = await openShards(database, alone, clock, log, undo);
  const supervisor = new Supervisor({
    commits,
    reads,
    clock,
    deliveries: events.deliveries,
    shards,
    ...(processes && { processes }),
    bootId: database.boot,
    onError: (error, about) => log.warn({ err: error, about }, "something failed that nobody waits for"),
  });

  const identity = await loadLinkIdentity(reads, commits, secretKey, now());
  const caughtUp = () => follower?.caughtUp();
  const fleet = openFleet(database, identity, shards, caughtUp, clock, log, {
    outbox: events.outbox,
    maxNodeGbps: environment.maxNodeGbps,
  });
  undo.push(() => fleet.stop());
  const timeZone = () => settings.textAtStart("timezone");
  const { userActor, nodeActor } = registerKinds(supervisor, { timeZone, link: fleet.startLink, turn: fleet.startTurn });
  const counts = await StateCounts.open(reads, supervisor, follower);
  const stream = new ActorStream({ commits, counts, now });
  undo.push(() => stream.stop());
  const serving = await ServingNodes.open(commits, reads);
  undo.push(() => serving.close());

  const access = await openAccess({
    commits,
    reads,
    outbox: events.outbox,
    settings,
    secretKey,
    privatePlaces: environment.privatePlaces,
    now,
    log,
    followed: follower !== undefined,
    boot: database.boot,
    ...(processes && { liveness: processes }),
    ...(pause && { pause }),
    env: { setupToken: environment.setupToken, listen: environment.listen?.text },
    ports: {
      restart,
      countUsers: (adminIds) => countUsers(database, adminIds),
      releaseUsers: () => releaseOwnedUsers(database.commits, database.reads, () => Math.floor(now() / 1000)),
      departing: (adminId) => departingWebhooks(reads, adminId),
      issuePanelCertificate: (names) => issuePanelCertificate(names, secretKey, now()),
    },
  });
  undo.push(() => access.close());
  const credentialKeys = new CredentialKeys(secretKey);
  const credentialEntry = new CredentialEntry({
    commits,
    reads,
    keys: credentialKeys,
    onError: (error) => log.warn({ err: error }, "credentials of accounts were not entered; it is tried again"),
  });
  if (await access.setup.isPending()) undo.push(restartAfterSetup(commits, restart));
  const made = { environment, log, clock, alone, secretKey, database, settings, events, processes, supervisor, identity, fleet, serving };
  return { ...made, userActor, nodeActor, credentialKeys, credentialEntry, stream, access, caughtUp, restart, restartWanted };
}

/** Follows the other processes on a shared database; undefined where there can be none. A panel that lost its place begins anew. */
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

/** Setup that another process finished changes how this one listens. */
function restartAfterSetup(commits: Committer, restart: () => void): () => void {
  return commits.onCommit(({ remote, changes }) => {
    if (remote && changes.some(({ table }) => table === AdminRows.name)) restart();
  });
}

async function openEvents(database: Database, settings: Settings, key: Uint8Array, clock: Clock, log: Logger, undo: Undo): Promise<Events> {
  const listeners = await Listeners.open(database.commits, database.reads);
  undo.push(() => listeners.close());
  const events = createEvents({
    database,
    now: () => clock.now(),
    key,
    allowPrivate: () => settings.text("webhook_allow_private") === "true",
    retentionDays: () => settings.number("event_retention_days"),
    listenerOf: (adminId) => listeners.of(adminId),
    log,
  });
  await events.load();
  undo.push(() => events.stop());
  return events;
}

/** On a shared database the actors are shared out among its processes; else all are this one's. */
async function openShards(
  { store, commits, reads, boot }: Database,
  alone: boolean,
  clock: Clock,
  log: Logger,
  undo: Undo,
): Promise<{ processes: Processes | undefined; shards: Shards }> {
  const onError = (error: unknown) => log.warn({ err: error }, "the part of this process in the actors was not looked after");
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

function openFleet(
  { commits, reads, store }: Database,
  identity: LinkIdentity,
  shards: Shards,
  caughtUp: () => Promise<void> | undefined,
  clock: Clock,
  log: Logger,
  usage: Pick<FleetOptions, "outbox" | "maxNodeGbps">,
): Fleet {
  return new Fleet({
    ...usage,
    commits,
    reads,
    clock,
    random: Math.random,
    identity,
    version: VERSION,
    shared: store.log !== undefined,
    token: (nodeId) => shards.token(nodeId),
    caughtUp,
    accounts: servedAccounts,
    template: async (id) => {
      const content = await templateContent(reads, id);
      if (!content) return undefined;
      const { template, inbounds, outbounds } = content;
      return { route: template.route, core: template.core, inbounds, outbounds };
    },
    templateTables: [TemplateRows.name, InboundRows.name, OutboundRows.name],
    log: (level, message, fields) => log[level](fields, message),
  });
}

async function countUsers({ reads }: Database, adminIds: readonly number[]): Promise<Map<number, number>> {
  if (adminIds.length === 0) return new Map();
  const rows = await reads.rows(OwnerCountRows, sql`select * from owner_counts where id in (${sql.join([...adminIds])})`);
  return new Map(rows.map((row) => [row.id, row.users]));
}
