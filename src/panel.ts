// The composition root: every part of the panel made, wired and started, in order; and stopped in the reverse one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { accessPorts, accessRoutes, Listeners, openAccess } from "./access/index.ts";
import {
  ACCOUNTS_CHANGED,
  accountsRoutes,
  carryOutDepartures,
  defineUserActor,
  inlineCertificate,
  OwnerCountRows,
  resellerOwners,
  subscriptionPlugin,
  UserRows,
} from "./accounts/index.ts";
import { issuePanelCertificate, readCertificate } from "./certificates/index.ts";
import { startControl } from "./control.ts";
import { openDatabase, sql, takeDirectoryLock, type Database } from "./db/index.ts";
import { entities } from "./entities.ts";
import type { Environment } from "./environment.ts";
import { createEvents } from "./events/index.ts";
import { defineNodeActor, Fleet, liveRoutes, loadLinkIdentity, LocalAgents, NodeRows, nodeRoutes, ServingNodes } from "./fleet/index.ts";
import { AddressLimit, createApi } from "./http/index.ts";
import { systemClock } from "./lib/clock.ts";
import { loadKey } from "./lib/seal.ts";
import { InboundRows, OutboundRows, poolRoutes, TemplateRows, templateContent } from "./pool/index.ts";
import { Supervisor } from "./runtime/index.ts";
import { actorRoutes, ActorStream, actorSockets, crashReporter, Settings, settingsRoutes, StateCounts } from "./system/index.ts";
import { VERSION } from "./version.ts";

const HOUR_MS = 3_600_000;
/** Per source address (decisions 6). */
const SUBSCRIPTIONS_PER_MINUTE = 120;

export interface PanelOptions {
  readonly environment: Environment;
  readonly log: Logger;
}

export interface Panel {
  /** `http://127.0.0.1:8080`, with the base path. */
  readonly url: string;
  /** Where setup is done, with its token, while it is pending. */
  readonly setupUrl: string | undefined;
  /** Resolves when the panel asked for a restart of itself. */
  readonly restartWanted: Promise<void>;
  /** `stop` also ends the local agents; `restart` leaves them to the next start. */
  stop(how: "stop" | "restart"): Promise<void>;
}

/** Starts a panel. Throws a sentence when it cannot: data directory taken, database away or too new, key wrong, address in use. */
export async function startPanel({ environment, log }: PanelOptions): Promise<Panel> {
  // What was started, to be stopped in the reverse order, also when a later part fails.
  const undo: ((how: "stop" | "restart") => Promise<void> | void)[] = [];
  const stop = async (how: "stop" | "restart") => {
    for (const step of undo.splice(0).toReversed()) await step(how);
  };
  try {
    return await compose(environment, log, undo, stop);
  } catch (error) {
    await stop("restart");
    throw error;
  }
}

async function compose(
  environment: Environment,
  log: Logger,
  undo: ((how: "stop" | "restart") => Promise<void> | void)[],
  stop: Panel["stop"],
): Promise<Panel> {
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
  const { commits, reads, store } = database;

  const settings = await Settings.open({
    commits,
    reads,
    secretKey,
    onError: (error) => log.warn({ err: error }, "settings were not read"),
  });
  undo.push(() => settings.close());
  const listeners = await Listeners.open(commits, reads);
  undo.push(() => listeners.close());
  const events = createEvents({
    database,
    now,
    key: secretKey,
    allowPrivate: () => settings.text("webhook_allow_private") === "true",
    retentionDays: () => settings.number("event_retention_days"),
    listenerOf: (adminId) => listeners.of(adminId),
    log,
  });
  await events.load();
  undo.push(() => events.stop());

  const supervisor = new Supervisor({
    commits,
    reads,
    clock,
    deliveries: events.deliveries,
    alone,
    onError: (error, about) => log.warn({ err: error, about }, "something failed that nobody waits for"),
  });
  const timeZone = () => settings.text("timezone");
  const identity = await loadLinkIdentity(reads, commits, secretKey, now());
  const fleet = new Fleet({
    commits,
    reads,
    clock,
    random: Math.random,
    identity,
    version: VERSION,
    fence: await store.reserve("link_fence", 1),
    users: UserRows as never,
    template: async (id) => {
      const content = await templateContent(reads, id);
      return (
        content && { route: content.template.route, core: content.template.core, inbounds: content.inbounds, outbounds: content.outbounds }
      );
    },
    templateTables: [TemplateRows.name, InboundRows.name, OutboundRows.name],
    usersChangedFact: ACCOUNTS_CHANGED,
    log: (level, message, fields) => log[level](fields, message),
  });
  undo.push(() => fleet.stop());
  const userActor = defineUserActor(timeZone);
  const nodeActor = defineNodeActor({ timeZone, link: fleet.startLink });
  supervisor.register(userActor);
  supervisor.register(nodeActor);
  const counts = new StateCounts();
  await counts.load(reads, supervisor);
  const stream = new ActorStream(commits, counts);
  undo.push(() => stream.stop());

  let wantRestart: () => void = () => {};
  const restartWanted = new Promise<void>((resolve) => {
    wantRestart = resolve;
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
      restart: () => wantRestart(),
      countUsers: async (adminIds) => new Map((await reads.rows(OwnerCountRows, countsOf(adminIds))).map((row) => [row.id, row.users])),
      issuePanelCertificate: (names) => issuePanelCertificate(names, secretKey, now()),
    },
  });
  undo.push(() => access.close());

  const pending = await access.setup.isPending();
  const basePath = pending ? "" : settings.text("web_basepath");
  const tls = pending ? undefined : await listenerTls(settings, database, secretKey);
  const records = { supervisor, reads, commits };
  const serving = await ServingNodes.open(commits, reads);
  undo.push(() => serving.close());
  const { host, port } = listenAddress(environment, settings);
  const publicAddress = () => ({ scheme: tls ? ("https" as const) : ("http" as const), port });
  const api = await createApi({
    routes: [
      ...accessRoutes(access),
      ...settingsRoutes({ settings, outbox: events.outbox, secretKey }),
      ...poolRoutes({
        reads,
        certificateExists: () => false,
        routedBy: async (tag) => nodesRouting(database, tag),
        nodesRunning: async (templateId) => nodesRunning(database, templateId),
        carryOutDepartures: () => carryOutDepartures(commits, reads, () => Math.floor(now() / 1000)),
      }),
      ...accountsRoutes({
        ...records,
        actor: userActor,
        owners: resellerOwners,
        timeZone,
        settings: { get: (key) => settings.text(key) },
        publicAddress: () => publicAddress(),
        now: () => Math.floor(now() / 1000),
        nodeTemplate: (nodeId) => templateOfNode(database, nodeId),
      }),
      ...nodeRoutes({ ...records, actor: nodeActor, templates: TemplateRows as never, fleet, identity }),
      ...liveRoutes({ reads, fleet, users: UserRows as never }),
      ...actorRoutes({ reads, supervisor }),
      ...events.routes,
    ],
    sockets: [...actorSockets(stream), ...events.sockets],
    ports: {
      ...accessPorts(access),
      crashed: crashReporter({
        commits,
        outbox: events.outbox,
        now,
        version: VERSION,
        onError: (error) => log.warn({ err: error }, "a crash was not reported"),
      }),
    },
    options: {
      commits,
      reads,
      ping: () => store.ping(),
      now,
      log,
      secretKey,
      boot: supervisor.bootId,
      basePath,
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: VERSION,
      ...(tls ? { tls } : {}),
    },
  });
  const subscriptions = subscriptionPlugin({
    commits,
    reads,
    clock,
    outbox: events.outbox,
    settings: { get: (key) => settings.text(key) },
    publicAddress,
    entryNodes: () => serving.all(),
    certificateOf: inlineCertificate,
    limit: new AddressLimit(SUBSCRIPTIONS_PER_MINUTE, now),
    onError: (error) => log.warn({ err: error }, "fetches of subscriptions were not recorded"),
  });
  subscriptions.register(api.app);
  undo.push(() => subscriptions.stop());
  await api.app.listen({ host, port });
  undo.push(() => api.close());

  await carryOutDepartures(commits, reads, () => Math.floor(now() / 1000));
  await supervisor.start();
  undo.push(() => supervisor.drain());
  events.dispatcher.start();
  const agents = new LocalAgents({
    reads,
    commits,
    clock,
    directory: join(dataDirectory, "agents"),
    trust: identity.certificate,
    engine: environment.engine,
    privateTargets: environment.privateTargets,
    command: [process.execPath, fileURLToPath(new URL("./main.ts", import.meta.url))],
    log: (level, message, fields) => log[level](fields, message),
  });
  await agents.start();
  undo.push((how) => agents.stop(how === "stop" ? "stop" : "leave"));
  if (alone) {
    const control = await startControl(join(dataDirectory, "control.sock"), { settings, commits, reads, outbox: events.outbox, secretKey });
    undo.push(() => control.close());
  }
  const cancelHourly = everyHour(async () => {
    await Promise.all([events.prune(), access.prune(), api.prune()]);
  }, log);
  undo.push(cancelHourly);

  const bound = api.app.server.address();
  const actualPort = typeof bound === "object" && bound !== null ? bound.port : port;
  const url = `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${actualPort}${basePath}`;
  const announce = (event: string, data: Record<string, unknown>) =>
    commits.submit({
      name: event,
      locks: [],
      decide: (draft) => events.outbox.raise(draft, { event, data: { version: VERSION, ...data }, subject: "panel" }),
    });
  await announce("panel.started", { listen: url, restored: false });
  undo.push(() => announce("panel.stopping", {}));
  const token = await access.setup.token();
  return { url, setupUrl: pending && token ? `${url}/api/setup?t=${encodeURIComponent(token)}` : undefined, restartWanted, stop };
}

/** SIGNALBOX_LISTEN, else the settings, else loopback (decisions 1). */
function listenAddress(environment: Environment, settings: Settings): { host: string; port: number } {
  if (environment.listen) return environment.listen;
  return { host: settings.text("web_listen_ip") || "127.0.0.1", port: settings.number("web_listen_port") || 8080 };
}

async function listenerTls(settings: Settings, { reads }: Database, secretKey: Uint8Array) {
  if (settings.text("web_tls_mode") !== "self_signed") return undefined;
  const certificate = await readCertificate(reads, settings.number("web_cert_id"), secretKey);
  if (!certificate)
    throw new Error("web_tls_mode is self_signed, but web_cert_id names no certificate: set web_tls_mode to none and start again");
  const minVersion = settings.text("web_tls_min") === "1.3" ? ("TLSv1.3" as const) : ("TLSv1.2" as const);
  return { ...certificate, minVersion };
}

/** The template that a node runs: 0 for none, undefined for an unknown node. */
async function templateOfNode({ reads }: Database, nodeId: number): Promise<number | undefined> {
  const node = await reads.find(NodeRows, nodeId);
  return node && (node.templateId ?? 0);
}

const countsOf = (adminIds: readonly number[]) => sql`select * from owner_counts where id in (${sql.join([0, ...adminIds])})`;

async function nodesRunning({ reads }: Database, templateId: number): Promise<string[]> {
  const rows = await reads.query<{ name: string }>(sql`select name from nodes where template_id = ${templateId} order by id`);
  return rows.map((row) => row.name);
}

/** Nodes whose own routing names a tag: few have one, so they are read and looked into. */
async function nodesRouting({ reads }: Database, tag: string): Promise<string[]> {
  const rows = await reads.query<{ name: string; routing: unknown }>(sql`select name, routing from nodes where routing is not null`);
  return rows.filter(({ routing }) => JSON.stringify(routing).includes(JSON.stringify(tag).slice(1, -1))).map(({ name }) => `node ${name}`);
}

function everyHour(work: () => Promise<void>, log: Logger): () => void {
  const timer = setInterval(() => void work().catch((error: unknown) => log.warn({ err: error }, "hourly housekeeping failed")), HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}
