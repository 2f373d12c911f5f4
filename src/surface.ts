// The panel's surface: every route over the parts, the subscriptions, and the listener they are served on.
import { accessPorts, accessRoutes } from "./access/index.ts";
import { accountsRoutes, carryOutDepartures, inlineCertificate, resellerOwners, subscriptionPlugin, UserRows } from "./accounts/index.ts";
import { readCertificate } from "./certificates/index.ts";
import { liveRoutes, nodeRoutes, nodesRouting, nodesRunning, templateOfNode } from "./fleet/index.ts";
import { AddressLimit, createApi, type Api, type Route } from "./http/index.ts";
import { claimTemplate, poolRoutes } from "./pool/index.ts";
import type { Parts, Undo } from "./parts.ts";
import { actorRoutes, actorSockets, crashReporter, restartRoutes, settingsRoutes } from "./system/index.ts";
import { VERSION } from "./version.ts";

/** Per source address (decisions 6). */
const SUBSCRIPTIONS_PER_MINUTE = 120;

interface ListenerPlan {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  readonly tls: { readonly cert: string; readonly key: string; readonly minVersion: "TLSv1.2" | "TLSv1.3" } | undefined;
}

export interface Surface {
  readonly api: Api;
  /** Where it listens, with the base path. */
  readonly url: string;
}

/** Builds the API and listens. While setup is pending: plain HTTP without a base path. */
export async function openSurface(parts: Parts, undo: Undo): Promise<Surface> {
  const { access, clock, database, events, log, processes, secretKey, serving, settings, stream, supervisor } = parts;
  const { commits, reads, store } = database;
  const now = () => clock.now();
  const plan = await listenerPlan(parts);
  const publicAddress = () => ({ scheme: plan.tls ? ("https" as const) : ("http" as const), port: plan.port });
  const onCrashError = (error: unknown) => log.warn({ err: error }, "a crash was not reported");
  const api = await createApi({
    routes: routesOf(parts, publicAddress),
    sockets: [...actorSockets(stream), ...events.sockets],
    ports: {
      ...accessPorts(access),
      crashed: crashReporter({ commits, outbox: events.outbox, now, version: VERSION, onError: onCrashError }),
    },
    options: {
      commits,
      reads,
      ping: () => store.ping(),
      caughtUp: parts.caughtUp,
      now,
      log,
      secretKey,
      boot: supervisor.bootId,
      ...(processes && { liveness: processes }),
      basePath: plan.basePath,
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: VERSION,
      ...(plan.tls ? { tls: plan.tls } : {}),
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
  await api.app.listen({ host: plan.host, port: plan.port });
  undo.push(() => api.close());
  const bound = api.app.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : plan.port;
  const host = plan.host.includes(":") ? `[${plan.host}]` : plan.host;
  return { api, url: `${plan.tls ? "https" : "http"}://${host}:${port}${plan.basePath}` };
}

function routesOf(parts: Parts, publicAddress: () => { scheme: "http" | "https"; port: number }): Route[] {
  const { access, clock, database, events, fleet, identity, nodeActor, secretKey, settings, supervisor, userActor } = parts;
  const { commits, reads } = database;
  const seconds = () => Math.floor(clock.now() / 1000);
  return [
    ...accessRoutes(access),
    ...settingsRoutes({ settings, outbox: events.outbox, secretKey }),
    ...poolRoutes({
      reads,
      certificateExists: () => false,
      routedBy: (tag) => nodesRouting(reads, tag),
      nodesRunning: (templateId) => nodesRunning(reads, templateId),
      carryOutDepartures: () => carryOutDepartures(commits, reads, seconds),
    }),
    ...accountsRoutes({
      supervisor,
      reads,
      actor: userActor,
      owners: resellerOwners,
      timeZone: () => settings.text("timezone"),
      settings: { get: (key) => settings.text(key) },
      publicAddress,
      now: seconds,
      nodeTemplate: (nodeId) => templateOfNode(reads, nodeId),
    }),
    ...nodeRoutes({ supervisor, reads, actor: nodeActor, claimTemplate, fleet, identity }),
    ...liveRoutes({ reads, fleet, users: UserRows }),
    ...actorRoutes({ reads, supervisor }),
    ...restartRoutes(parts.restart),
    ...events.routes,
  ];
}

/** SIGNALBOX_LISTEN, else the settings, else loopback (decisions 1). */
async function listenerPlan({ access, environment, settings, ...parts }: Parts): Promise<ListenerPlan> {
  const { host, port } = environment.listen ?? {
    host: settings.text("web_listen_ip") || "127.0.0.1",
    port: settings.number("web_listen_port") || 8080,
  };
  if (await access.setup.isPending()) return { host, port, basePath: "", tls: undefined };
  const basePath = settings.text("web_basepath");
  if (settings.text("web_tls_mode") !== "self_signed") return { host, port, basePath, tls: undefined };
  const certificate = await readCertificate(parts.database.reads, settings.number("web_cert_id"), parts.secretKey);
  if (!certificate) {
    throw new Error(
      "web_tls_mode is self_signed, but web_cert_id names no certificate: run `signalbox settings set web_tls_mode none` and start again",
    );
  }
  const minVersion = settings.text("web_tls_min") === "1.3" ? "TLSv1.3" : "TLSv1.2";
  return { host, port, basePath, tls: { ...certificate, minVersion } };
}
