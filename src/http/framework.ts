// Fastify as the panel uses it: what it logs, how much of a body it reads, and what stands between it and the socket.
import fastify, { LogController, type FastifyInstance } from "fastify";
import { SECURITY_HEADERS, sendRefusal } from "./answers/replies.ts";
import { newServer } from "./listeners/http-server.ts";
import { mayUpgrade, type Outside } from "./outside.ts";
import type { HttpOptions } from "./ports.ts";
import { refusalOf } from "./refusals/refusals.ts";
import { nameRequest } from "./request/request-id.ts";
import { answerUnreadable } from "./answers/unreadable.ts";
import type { Shortcuts } from "./shortcuts.ts";

/** Bytes of a body, unless its route says otherwise. */
export const BODY_LIMIT = 1024 * 1024;

/**
 * The framework without routes. Before it come `outside`, which hides the panel, and `shortcuts`, which answer what
 * they can.
 */
export function newApp(
  { log, trustedProxies, basePath }: HttpOptions,
  shortcuts: Shortcuts,
  outside: Outside,
): FastifyInstance {
  const hides = () => basePath !== "";
  return fastify({
    loggerInstance: log,
    // Nothing is written through a request's own logger; one for each request would be made for nothing.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (address: string) => trustedProxies().contains(address),
    bodyLimit: BODY_LIMIT,
    clientErrorHandler: answerUnreadable(hides),
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (error, request, reply) => {
      reply.headers(SECURITY_HEADERS);
      nameRequest(request.raw, reply.raw);
      sendRefusal(request, reply, refusalOf(error).refusal);
    },
    serverFactory: (handler) =>
      newServer(
        outside.before(
          shortcuts.before((request, response) => {
            nameRequest(request, response);
            handler(request, response);
          }),
        ),
        { hides, mayUpgrade: (request) => mayUpgrade(basePath, request) },
      ),
  }) as unknown as FastifyInstance;
}
