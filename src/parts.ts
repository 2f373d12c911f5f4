// The panel's parts below its surface, made and wired in order: database, settings, events, runtime, fleet, access.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { Listeners, openAccess, type Access } from "./access/index.ts";
import { ACCOUNTS_CHANGED, defineUserActor, OwnerCountRows, releaseOwnedUsers, UserRows, type UserActor } from "./accounts/index.ts";
import { issuePanelCertificate } from "./certificates/index.ts";
import { openDatabase, sql, takeDirectoryLock, type Database } from "./db/index.ts";
import { entities } from "./entities.ts";
import type { Environment } from "./environment.ts";
import { createEvents, type Events } from "./events/index.ts";
import { defineNodeActor, Fleet, loadLinkIdentity, ServingNodes, takeFence, type LinkIdentity, type NodeActor } from "./fleet/index.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import { loadKey } from "./lib/seal.ts";
import { InboundRows, OutboundRows, templateContent, TemplateRows } from "./pool/index.ts";
import { Supervisor } from "./runtime/index.ts";
import { ActorStream, Settings, StateCounts } from "./system/index.ts";
import { VERSION } from "./version.ts";

/** How a panel ends: for good, or to be started again at once (local agents are then left running). */
export type Ending = "stop" | "restart";

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
  readonly supervisor: Supervisor;
  readonly identity: LinkIdentity;
  readonly fleet: Fleet;
  readonly serving: ServingNodes;
  readonly userActor: UserActor;
  readonly nodeActor: NodeActor;
  readonly stream: ActorStream;
  readonly access: Access;
  /** Asks for a restart of the panel in its process. */
  readonly restart: () => void;
  /** Resolves when that was asked for. */
  readonly restartWanted: Promise<void>;
}

/** Opens everything that needs no listener. Nothing moves by itself yet. Throws a sentence when a part cannot be opened. */
export async function openParts(environment: Environment, log: Logger, undo: Undo): Promise<Parts> {
  const { dataDirectory } = environment;
  const clock = systemClock;
  const now = () => clock.now();
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const alone = environment.databaseUrl.startsWith("sqlite:");
  if (alone) undo.push(takeDirectoryLock(join(dataDirectory, "panel.lock")));
  const secretKey = loadKey({ file: join(dataDirectory, "secret.key"), fromEnvironment: environment.secretKey });

  const database = await openDatabase({
    url: environment.databaseUrl,
    entities,
    now,
    onListenerError: (error) => log.error({ err: error }, "a listener of commits failed"),
  });
  undo.push(() => database.close());
  const { commits, reads } = database;
  const settings = await Settings.open({
    commits,
    reads,
    secretKey,
    onError: (error) => log.warn({ err: error }, "settings were not read"),
  });
  undo.push(() => settings.close());
  const events = await openEvents(database, settings, secretKey, clock, log, undo);
  const supervisor = new Supervisor({
    commits,
    reads,
    clock,
    deliveries: events.deliveries,
    alone,
    onError: (error, about) => log.warn({ err: error, about }, "something failed that nobody waits for"),
  });

  const identity = await loadLinkIdentity(reads, commits, secretKey, now());
  const fleet = await openFleet(database, identity, clock, log);
  undo.push(() => fleet.stop());
  const timeZone = () => settings.text("timezone");
  const userActor = defineUserActor(timeZone);
  const nodeActor = defineNodeActor({ timeZone, link: fleet.startLink });
  supervisor.register(userActor);
  supervisor.register(nodeActor);
  const counts = new StateCounts();
  await counts.load(reads, supervisor);
  const stream = new ActorStream(commits, counts);
  undo.push(() => stream.stop());
  const serving = await ServingNodes.open(commits, reads);
  undo.push(() => serving.close());

  let restart: () => void = () => {};
  const restartWanted = new Promise<void>((resolve) => {
    restart = resolve;
  });
  const access = await openAccess({
    commits,
    reads,
    outbox: events.outbox,
    settings,
    secretKey,
    now,
    log,
    env: { setupToken: environment.setupToken, listen: environment.listen?.text },
    ports: {
      restart: () => restart(),
      countUsers: (adminIds) => countUsers(database, adminIds),
      releaseUsers: () => releaseOwnedUsers(database.commits, database.reads, () => Math.floor(now() / 1000)),
      issuePanelCertificate: (names) => issuePanelCertificate(names, secretKey, now()),
    },
  });
  undo.push(() => access.close());
  const made = { environment, log, clock, alone, secretKey, database, settings, events, supervisor, identity, fleet, serving };
  return { ...made, userActor, nodeActor, stream, access, restart: () => restart(), restartWanted };
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

async function openFleet({ commits, reads, store }: Database, identity: LinkIdentity, clock: Clock, log: Logger): Promise<Fleet> {
  return new Fleet({
    commits,
    reads,
    clock,
    random: Math.random,
    identity,
    version: VERSION,
    fence: await takeFence((sequence, count) => store.reserve(sequence, count), clock.now()),
    users: UserRows,
    template: async (id) => {
      const content = await templateContent(reads, id);
      if (!content) return undefined;
      const { template, inbounds, outbounds } = content;
      return { route: template.route, core: template.core, inbounds, outbounds };
    },
    templateTables: [TemplateRows.name, InboundRows.name, OutboundRows.name],
    usersChangedFact: ACCOUNTS_CHANGED,
    log: (level, message, fields) => log[level](fields, message),
  });
}

async function countUsers({ reads }: Database, adminIds: readonly number[]): Promise<Map<number, number>> {
  if (adminIds.length === 0) return new Map();
  const rows = await reads.rows(OwnerCountRows, sql`select * from owner_counts where id in (${sql.join([...adminIds])})`);
  return new Map(rows.map((row) => [row.id, row.users]));
}
