// The HTTP server: every declared route under /api and /api/v1. Fastify, as `framework.ts` sets it up, is named here
// and nowhere else in the panel's rules.
import fastifyCookie from "@fastify/cookie";
import fastifyWebsocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { clientAddress } from "./request/client-address.ts";
import { proxiedOrigin } from "./request/proxied-origin.ts";
import { sharedSlices } from "./limits/budget-slices.ts";
import { Signals } from "../lib/signals.ts";
import { tellAnswered } from "./answered.ts";
import { descriptionRoutes } from "./openapi/description.ts";
import { Refusal } from "./refusals/errors.ts";
import { hostOf } from "./request/facts.ts";
import { serveApi } from "./serve-api.ts";
import { type GateDeps } from "./gate.ts";
import { answers } from "./health.ts";
import { Idempotency } from "./idempotency/idempotency.ts";
import { AddressLimit, TokenBudgets } from "./limits/limits.ts";
import { isCallerLeft } from "./request/left.ts";
import { nameRequest, requestIdFor, requestIdOf } from "./request/request-id.ts";
import { PathTable } from "./request/paths.ts";
import { newApp } from "./framework.ts";
import { Outside } from "./outside.ts";
import { outsideOf } from "./request/arrivals.ts";
import { CREDENTIALS_ENDED, type HttpOptions, type HttpPorts, type Plugin } from "./ports.ts";
import { refusalLog } from "./refusals/refusal-log.ts";
import { refusalOf } from "./refusals/refusals.ts";
import { nothingHere, SECURITY_HEADERS, sendRefusal } from "./answers/replies.ts";
import type { Route, Socket } from "./route.ts";
import { Shortcuts } from "./shortcuts.ts";
import { OpenSockets } from "./sockets.ts";
import { dropLeftover } from "./answers/unreadable.ts";
import { Unmatched } from "./unmatched.ts";

export interface Api {
  /** For `listen`, `inject`, and the mounting of what is not the API (web interface, subscriptions). */
  readonly app: FastifyInstance;
  /** Every declaration served, the description's own included. */
  readonly routes: readonly Route[];
  /** Serves what a feature has outside the API. Its shortcut answers before the framework, once the panel serves. */
  mount(plugin: Plugin): void;
  /**
   * For a panel behind a load balancer: `/healthz` says 503 and every answer ends its connection, but requests are
   * still carried out, for as long as the balancer may need to notice. Resolves after `ms` milliseconds.
   */
  leave(ms: number): Promise<void>;
  /** Ends what is held until something comes: with what there is. */
  release(): void;
  /** Answers 503 to what comes from now on, lets running requests end, closes. */
  close(): Promise<void>;
  /** Hourly housekeeping. */
  prune(): Promise<void>;
}

export interface ApiDeclarations {
  readonly routes: readonly Route[];
  readonly sockets?: readonly Socket[];
  readonly ports: HttpPorts;
  readonly options: HttpOptions;
}

const PREFIXES = ["/api", "/api/v1"] as const;
/** Builds the server; nothing listens yet. Throws for two declarations of one method and path. */
export async function createApi({ routes: declared, sockets = [], ports, options }: ApiDeclarations): Promise<Api> {
  const { commits, reads, now, log, basePath } = options;
  const logged = (error: unknown): void => log.error({ err: error }, "http");
  const refused = refusalLog(log, now);
  const { liveness } = options;
  const idempotency = new Idempotency({
    commits,
    reads,
    now,
    boot: options.boot,
    secretKey: options.secretKey,
    onError: logged,
    ...(liveness && { liveness }),
  });
  const budgets = new TokenBudgets(now, liveness ? sharedSlices(commits) : undefined);
  const gate: GateDeps = { ports, budgets, openLimit: new AddressLimit(60, now), now };
  const open = new OpenSockets(ports, logged);
  const unlisten = commits.onCommit(({ facts }) => {
    if (facts.has(CREDENTIALS_ENDED)) void open.check();
  });
  const routes: Route[] = [...declared];
  routes.push(...descriptionRoutes(routes, sockets, { basePath, version: options.version, ...options.description }));
  const exchangeDeps = { commits, ports, idempotency, budgets, now, cookiePath: basePath === "" ? "/" : basePath };
  const requests = (options.signals ?? new Signals()).of("http.request");
  const owns = (method: string, url: string) => plugins.some((plugin) => plugin.owns(method, url));
  const answered = tellAnswered(requests, log, basePath, owns);
  const released = new AbortController();
  let state: "starting" | "serving" | "leaving" | "draining" = "starting";

  const shortcuts = new Shortcuts({
    open: () => state === "serving" && !log.isLevelEnabled("debug"),
    caughtUp: options.caughtUp,
    trustedProxies: options.trustedProxies,
    untrusted: options.untrusted,
    onError: logged,
    requests,
  });
  const outside = new Outside({
    basePath,
    website: options.website,
    pending: options.pending === true,
    owns,
    leaving: () => state === "leaving",
    onError: logged,
  });
  const plugins: Plugin[] = [];
  const healthPaths = new Set(["/healthz", `${basePath}/healthz`]);
  const isHealth = (path: string | undefined): boolean => path !== undefined && healthPaths.has(path);
  const app = newApp(options, shortcuts, outside);
  app.decorateRequest("passage", null);
  app.decorateRequest("proxied", {
    getter() {
      return proxiedOrigin(this.raw, options.trustedProxies);
    },
  });
  // Fastify would read text as a body of its own; the API takes JSON alone (415).
  app.removeContentTypeParser("text/plain");
  await app.register(fastifyCookie);
  await app.register(fastifyWebsocket, { options: { maxPayload: 64 * 1024 } });
  app.websocketServer.on("headers", (headers, request) => {
    headers.push(`X-Request-Id: ${requestIdFor(request.headers["x-request-id"])}`);
  });
  app.addHook("onReady", async () => {
    state = "serving";
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    nameRequest(request.raw, reply.raw);
    // A connection that asked to become a WebSocket is not used for anything else when that is refused.
    if (state === "leaving" || request.ws) reply.header("connection", "close");
    // Read once: Fastify makes the options again each time.
    const path = request.routeOptions.url;
    const ending =
      state === "draining" ? "shutting down" : (await options.restarting?.()) === true ? "restarting" : undefined;
    // Settings, roles, webhooks, nodes: what one process answered holds on every other for the next request.
    if (ending === undefined && !isHealth(path)) await options.caughtUp?.();
    // The framework's own `ip` is whatever text stands in the header. After `caughtUp`: another process may have
    // written the setting. A value, since an accessor made for each request makes every later look at it slow.
    Object.defineProperty(request, "ip", {
      value: clientAddress(request.raw, options.trustedProxies, options.untrusted),
    });
    if (ending !== undefined && !isHealth(path)) throw stopping(ending);
    // A path without a route goes to what is mounted outside the API, and then to the handler of unknown paths. What
    // came for what is outside reaches no route, whatever settings became of its path meanwhile.
    const isElsewhere = outsideOf(request.raw) !== undefined;
    const isClosed = isElsewhere || (!isHealth(path) && options.servesPanel?.(hostOf(request)) === false);
    if (path !== undefined && isClosed) return nothingHere(request, reply);
    // An announced empty body is no body, whatever its content type.
    if (request.headers["content-length"] === "0") delete request.headers["content-type"];
  });
  app.addHook("onResponse", async (request, reply) => {
    const { passage } = request;
    dropLeftover(request.raw);
    answered(request, reply, passage?.caller?.adminId);
    for (const action of passage?.after ?? []) {
      try {
        await action();
      } catch (error) {
        logged(error);
      }
    }
  });
  app.setErrorHandler((error, request, reply) => {
    const { refusal, defect } = refusalOf(
      error,
      (request.routeOptions.config as { route?: Route } | undefined)?.route?.uniqueFields,
    );
    const requestId = requestIdOf(reply.raw);
    if (defect && isCallerLeft(error, request.raw)) {
      log.debug({ method: request.method, path: request.routeOptions.url ?? "(none)", requestId }, "a client left");
    } else if (defect) {
      const path = request.routeOptions.url ?? "(none)";
      log.error({ err: error, method: request.method, path, requestId }, "a request failed");
      // Only an error of an authenticated caller raises an event; a request without valid credentials never does.
      if (request.passage?.caller) ports.crashed?.({ method: request.method, path }, error);
    } else if (refusal.status >= 500) {
      refused({ method: request.method, path: request.routeOptions.url ?? "(none)", requestId }, refusal, error);
    }
    return sendRefusal(request, reply, refusal);
  });

  for (const path of healthPaths) {
    app.get(path, { logLevel: "silent" }, async (_request, reply) => {
      const status = await health();
      if (status !== "ok") reply.header("retry-after", "1");
      reply.header("cache-control", "no-store").code(status === "ok" ? 200 : 503);
      return { status };
    });
  }

  async function health(): Promise<string> {
    if (state !== "serving") return state;
    if (!(await answers(options.ping))) return "database";
    return (await options.restarting?.()) === true ? "restarting" : "ok";
  }

  const table = new PathTable([...routes, ...sockets.map(({ path }) => ({ path, method: "GET" as const }))]);
  const notOf = new Map(routes.map((route) => [route, table.notOf(route)]));
  const unmatched = new Unmatched({ options, gate, table });
  // A request that matches no route is answered before its body is read, and after `onRequest` of what is mounted
  // outside the API.
  app.addHook("preParsing", async (request, reply) => {
    if (request.is404) await unmatched.answer(request, reply);
  });
  app.setNotFoundHandler((request, reply) => unmatched.answer(request, reply));

  const served = { routes, sockets, basePath, gate, unmatched, notOf, open, exchangeDeps, released: released.signal };
  for (const prefix of PREFIXES) await serveApi(app, prefix, served);

  function endWaiting(): void {
    released.abort(stopping("shutting down"));
  }

  return {
    app,
    routes,
    mount: (plugin) => {
      plugins.push(plugin);
      plugin.register(app);
      if (plugin.shortcut) shortcuts.add(plugin.shortcut);
    },
    leave: async (ms) => {
      state = "leaving";
      await new Promise((resolve) => setTimeout(resolve, ms));
    },
    release: endWaiting,
    close: async () => {
      state = "draining";
      endWaiting();
      open.close();
      await app.close();
      await idempotency.close();
      unlisten();
    },
    prune: () => idempotency.prune(),
  };
}

/** What is answered by a panel that ends or starts again. */
function stopping(how: "shutting down" | "restarting"): Refusal {
  return new Refusal("unavailable", { message: `the panel is ${how}`, retryAfter: 1 });
}
