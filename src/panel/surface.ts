// The panel's surface: every route over the parts, the subscriptions, and the listener they are served on.
import { accessPorts, accessRoutes } from "../access/index.ts";
import {
  accountsRoutes,
  carryOutDepartures,
  inlineCertificate,
  isSubscriptionDomain,
  onlineCount,
  resellerOwners,
  subscriptionPlugin,
  servedAccounts,
  type AccountsDeps,
} from "../accounts/index.ts";
import { panelCertificates } from "../certificates/index.ts";
import { liveRoutes, nodeRoutes, nodesRouting, nodesRunning, templateOfNode } from "../fleet/index.ts";
import { AddressLimit, createApi, mountInterface, type Api, type Door, type InterfaceSource, type Route } from "../http/index.ts";
import { createGuardedFetch } from "../lib/guarded-fetch.ts";
import { listenerObstacle, planListener } from "./listener.ts";
import { claimTemplate, poolRoutes } from "../pool/index.ts";
import type { Parts, Undo } from "./parts.ts";
import { actorRoutes, actorSockets, crashReporter, infoRoutes, restartRoutes, settingsRoutes } from "../system/index.ts";
import { COMMIT, VERSION } from "../version.ts";

/** Per source address (rule subscriptions.key.3). */
const SUBSCRIPTIONS_PER_MINUTE = 120;

export interface Surface {
  readonly api: Api;
  /** Where it listens, with the base path. */
  readonly url: string;
}

/** Builds the API, mounts the interface where there is one, and lets in who comes. While setup is pending: plain HTTP without a base path. */
export async function openSurface(parts: Parts, undo: Undo, door: Door, web?: InterfaceSource): Promise<Surface> {
  const { access, clock, database, events, log, processes, secretKey, serving, settings, stream, supervisor } = parts;
  const { commits, reads, store } = database;
  const now = () => clock.now();
  const pending = await access.setup.isPending();
  const plan = await planListener(parts, pending);
  undo.push(plan.stop);
  const publicAddress = () => ({ scheme: plan.tls ? ("https" as const) : ("http" as const), port: plan.port });
  const onCrashError = (error: unknown) => log.warn({ err: error }, "a crash was not reported");
  // Live, like `sub_domain` itself: on the names of subscriptions the panel is under its base path alone.
  const servesPanel = (host: string) => plan.basePath !== "" || !isSubscriptionDomain(host, settings.text("sub_domain"));
  // A surface that was opened for setup serves nothing else: once setup is finished, here or by another process, a restart follows, and nobody is answered before it.
  const restarting = pending ? { restarting: async () => !(await access.setup.isPending()) } : {};
  const ports = accessPorts(access);
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
  undo.push(() => subscriptions.stop());
  const api = await createApi({
    routes: routesOf(parts, { publicAddress, served: () => subscriptions.served() }),
    sockets: [...actorSockets(stream), ...events.sockets],
    ports: {
      ...ports,
      crashed: crashReporter({ commits, outbox: events.outbox, now, version: VERSION, onError: onCrashError }),
    },
    options: {
      commits,
      reads,
      ...restarting,
      ping: () => store.ping(),
      caughtUp: parts.caughtUp,
      now,
      log,
      secretKey,
      boot: supervisor.bootId,
      ...(processes && { liveness: processes }),
      basePath: plan.basePath,
      servesPanel,
      ...(plan.website === undefined ? {} : { website: plan.website }),
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: VERSION,
    },
  });
  const strays = web && mountInterface(api.app, { source: web, basePath: plan.basePath, ...ports, servesPanel, secretKey, now });
  // While setup is pending nothing is served but setup.
  if (!pending) {
    subscriptions.register(api.app);
    strays?.();
  }
  await api.app.ready();
  undo.push(() => api.close());
  await door.open(plan, api.app.server);
  const port = door.port ?? plan.port;
  const host = plan.host.includes(":") ? `[${plan.host}]` : plan.host;
  return { api, url: `${plan.tls ? "https" : "http"}://${host}:${port}${plan.basePath}` };
}

function routesOf(parts: Parts, { publicAddress, served }: Pick<AccountsDeps, "publicAddress" | "served">): Route[] {
  const { access, clock, database, environment, events, fleet, identity, nodeActor, secretKey, settings, stream, supervisor, userActor } =
    parts;
  const { commits, reads } = database;
  const seconds = () => Math.floor(clock.now() / 1000);
  return [
    ...accessRoutes(access),
    ...settingsRoutes({
      settings,
      outbox: events.outbox,
      secretKey,
      privatePlaces: environment.privatePlaces,
      certificates: panelCertificates(secretKey, () => clock.now()),
      fetch: createGuardedFetch(),
    }),
    ...poolRoutes({
      reads,
      certificateExists: () => false,
      routedBy: (tag) => nodesRouting(reads, tag),
      nodesRunning: (templateId) => nodesRunning(reads, templateId),
      carryOutDepartures: () => carryOutDepartures(commits, reads, seconds),
      privateTargets: environment.privateTargets,
    }),
    ...accountsRoutes({
      supervisor,
      reads,
      actor: userActor,
      owners: resellerOwners,
      credentialKeys: parts.credentialKeys,
      credentialEntry: parts.credentialEntry,
      timeZone: () => settings.textAtStart("timezone"),
      settings: { get: (key) => settings.text(key) },
      publicAddress,
      served,
      now: seconds,
      nodeTemplate: (nodeId) => templateOfNode(reads, nodeId),
    }),
    ...nodeRoutes({ supervisor, reads, actor: nodeActor, claimTemplate, fleet, identity, privateTargets: environment.privateTargets }),
    ...liveRoutes({ reads, fleet, accounts: servedAccounts, now: seconds }),
    ...actorRoutes({ reads, supervisor, now: () => clock.now() }),
    ...infoRoutes({
      reads,
      counts: stream.counts,
      dataDirectory: environment.dataDirectory,
      version: VERSION,
      commit: COMMIT,
      now: () => clock.now(),
      online: (at) => onlineCount(reads, at),
    }),
    ...restartRoutes({ restart: parts.restart, obstacle: () => listenerObstacle(parts) }),
    ...events.routes,
  ];
}
