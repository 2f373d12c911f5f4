// The panel's surface: every route and plugin of the features, the interface, and the listener they are served on.
import { createApi, mountInterface, type Api, type InterfaceSource } from "../http/index.ts";
import { planListener } from "./listener.ts";
import type { Parts } from "./parts.ts";

export interface Surface {
  readonly api: Api;
  /** Where it listens, with the base path. */
  readonly url: string;
}

/**
 * Builds the API, mounts the interface where there is one, and lets in who comes. While setup is pending: plain HTTP
 * without a base path.
 */
export async function openSurface(parts: Parts, web?: InterfaceSource): Promise<Surface> {
  const {
    caughtUp,
    clock,
    commits,
    database,
    door,
    features,
    log,
    processes,
    program,
    reads,
    secretKey,
    serves,
    settings,
    signals,
    supervisor,
    panel,
    undo,
  } = parts;
  const { authenticate, audit, admitDuringSetup, crashed, isSubscriptionDomain, setup } = serves;
  const ports = { authenticate, audit, admitDuringSetup };
  const now = () => clock.now();
  const pending = await setup.isPending();
  const plan = await planListener(parts, pending);
  parts.listening.at = plan;
  undo.push(plan.stop);
  // Live, like `sub_domain` itself: on the names of subscriptions the panel is under its base path alone.
  const servesPanel = (host: string) => plan.basePath !== "" || !isSubscriptionDomain(host);
  // A surface that was opened for setup serves nothing else: once setup is finished, here or by another process, a
  // restart follows, and nobody is answered before it.
  const restarting = pending ? { restarting: async () => !(await setup.isPending()) } : {};
  const api = await createApi({
    routes: features.flatMap(({ routes = [] }) => routes),
    sockets: features.flatMap(({ sockets = [] }) => sockets),
    ports: { ...ports, crashed },
    options: {
      commits,
      reads,
      ...restarting,
      ping: () => database.store.ping(),
      caughtUp,
      now,
      log,
      signals,
      secretKey,
      boot: supervisor.bootId,
      ...(processes && { liveness: processes }),
      basePath: plan.basePath,
      servesPanel,
      ...(plan.website === undefined ? {} : { website: plan.website }),
      pending,
      untrusted: parts.untrustedProxies,
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: program.version,
      description: { words: panel.words, events: Object.values(panel.events) },
    },
  });
  const strays =
    web && mountInterface(api.app, { source: web, basePath: plan.basePath, ...ports, servesPanel, secretKey, now });
  // While setup is pending nothing is served but setup.
  if (!pending) {
    for (const plugin of features.flatMap(({ plugins = [] }) => plugins)) api.mount(plugin);
    strays?.();
  }
  await api.app.ready();
  undo.push(() => api.close());
  await door.open(plan, api.app.server);
  if (!pending) await parts.subListen.begin();
  const port = door.port ?? plan.port;
  parts.listening.at = { ...plan, port };
  const host = plan.host.includes(":") ? `[${plan.host}]` : plan.host;
  return { api, url: `${plan.tls ? "https" : "http"}://${host}:${port}${plan.basePath}` };
}
