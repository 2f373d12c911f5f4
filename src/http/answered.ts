// What is told of every answered request: the signal for whoever watches, and a line of the log at `debug`. Both name
// the route by its pattern, never the address that was asked for.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal } from "../lib/signals.ts";
import { requestIdOf } from "./request/request-id.ts";
import type { Route, Socket } from "./route.ts";

/**
 * Told after each answer, but not of WebSockets that were opened. `basePath` may be a secret, so no pattern has it.
 * `owns`: whether a plugin serves what no route takes.
 */
export function tellAnswered(
  requests: Signal<SignalTable["http.request"]>,
  log: Logger,
  basePath: string,
  owns: (method: string, url: string) => boolean,
): (request: FastifyRequest, reply: FastifyReply, adminId: number | undefined) => void {
  return (request, reply, adminId) => {
    if (requests.heard) {
      const plugin = request.is404 && owns(request.method, request.raw.url ?? "");
      const route = plugin ? "(plugin)" : patternOf(request, basePath);
      // If no route takes the request, its method is whatever a stranger wrote.
      const method = route === undefined ? "(any)" : request.method;
      requests.tell({ method, route: route ?? "(none)", status: reply.statusCode, ms: reply.elapsedTime });
    }
    if (!log.isLevelEnabled("debug")) return;
    const { method, ip } = request;
    const path = request.routeOptions.url ?? "(none)";
    const ms = Math.round(reply.elapsedTime);
    log.debug(
      { method, path, status: reply.statusCode, ms, ip, admin: adminId, requestId: requestIdOf(reply.raw) },
      "request",
    );
  };
}

/** The path of the declared route, without prefix; undefined: no route takes the request. */
function patternOf(request: FastifyRequest, basePath: string): string | undefined {
  const { url, config } = request.routeOptions;
  const { route, socket } = config as { route?: Route; socket?: Socket };
  const declared = route ?? socket;
  if (declared) return declared.path;
  if (url === basePath) return "/";
  return url?.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
}
