// What is served below `/api`: each declared route and WebSocket behind the gate. Everything else is `server.ts`.
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parseJsonBody } from "./request/body.ts";
import type { ProxiedOrigin } from "./request/proxied-origin.ts";
import type { Caller } from "./caller.ts";
import { compressed } from "./answers/compression.ts";
import { Exchange, isKeyed, type ExchangeDeps } from "./exchange.ts";
import { credentialOf, factsOf } from "./request/facts.ts";
import { passGate, type GateDeps } from "./gate.ts";
import type { BudgetState } from "./limits/limits.ts";
import { refuseVoidParameters } from "./request/parameters.ts";
import { CallerLeft } from "./request/left.ts";
import { refuseForeignPage } from "./request/own-pages.ts";
import { isStrict, refuseUnknown, STRICT_APPLIED } from "./request/strict.ts";
import { answersHead, filledPath, routerPath } from "./request/paths.ts";
import { BODY_LIMIT } from "./framework.ts";
import { checked } from "./refusals/checking.ts";
import { budgetHeaders, type Outgoing, send } from "./answers/replies.ts";
import type { RequestFacts } from "./context.ts";
import type { Route, Socket } from "./route.ts";
import type { OpenSockets } from "./sockets.ts";
import { limitArrival } from "./answers/unreadable.ts";
import { hasVoidParameter, setupTokenOf, type Unmatched } from "./unmatched.ts";

/** What the gate found out, kept with the request. */
interface Passage {
  readonly facts: RequestFacts;
  caller: Caller | undefined;
  params: unknown;
  admitted: unknown;
  rawBody: Uint8Array;
  after: Outgoing["after"];
}

declare module "fastify" {
  interface FastifyRequest {
    passage: Passage | null;
    readonly proxied: ProxiedOrigin | undefined;
  }
}

/** What the routes under a prefix share. */
export interface Served {
  readonly routes: readonly Route[];
  readonly sockets: readonly Socket[];
  readonly basePath: string;
  readonly gate: GateDeps;
  readonly unmatched: Unmatched;
  /** Paths that a route's pattern covers and another route serves. */
  readonly notOf: ReadonlyMap<Route, readonly RegExp[]>;
  readonly open: OpenSockets;
  readonly exchangeDeps: ExchangeDeps;
  /** Aborted when the panel stops. */
  readonly released: AbortSignal;
}

/**
 * Bytes of a body on open routes, whose callers are strangers (rule http.limit.7). A route that takes more from them
 * declares it.
 */
const OPEN_BODY_LIMIT = 16 * 1024;
const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const NO_BYTES = new Uint8Array();

/** Serves every route and socket below `{basePath}{prefix}`. */
export async function serveApi(app: FastifyInstance, prefix: "/api" | "/api/v1", served: Served): Promise<void> {
  const { routes, sockets, basePath, gate, unmatched, notOf, open } = served;
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request, reply) => {
        const { route, socket } = request.routeOptions.config as { route?: Route; socket?: Socket };
        const guarded = route ?? socket;
        if (!guarded) return;
        const facts = factsOf(request, { basePath, prefix });
        const others = route && notOf.get(route);
        if (others) {
          const path = filledPath(route.path, request.params);
          if (others.some((pattern) => pattern.test(path))) return unmatched.answer(request, reply);
        }
        if (hasVoidParameter(request.params, route)) return unmatched.refuse(facts, request, reply);
        const unknown = { caller: undefined, params: undefined, admitted: undefined };
        request.passage = { facts, ...unknown, rawBody: NO_BYTES, after: [] };
        reply.header("cache-control", "no-store");
        const strict = isStrict(facts.header("prefer"));
        if (strict) reply.headers(STRICT_APPLIED);
        const keyed = route !== undefined && route.stream !== true && isKeyed(route, facts);
        const incoming = {
          facts,
          setupToken: setupTokenOf(request.query),
          params: request.params,
          query: request.query,
          writes: WRITES.has(request.method),
          keyed,
        };
        const admitted = await passGate(guarded, incoming, gate, (budget) => budgetHeaders(reply, budget));
        if (socket) refuseForeignPage(facts, admitted.caller);
        // Before the upgrade: afterwards there is no way to say which parameter is wrong.
        if (socket && strict) refuseUnknown({ query: request.query, parameters: [socket.query] });
        if (socket) refuseVoidParameters(request.query, socket);
        if (socket?.query) checked(socket.query, request.query);
        request.passage.caller = admitted.caller;
        request.passage.params = admitted.params;
        request.passage.admitted = admitted.admitted;
        if (request.ws && admitted.caller) {
          const release = open.takePlace(admitted.caller);
          if (request.raw.socket.destroyed) release();
          else request.raw.socket.once("close", release);
        }
      });
      scope.addHook("preParsing", async (request) => {
        const { route } = request.routeOptions.config as { route?: Route };
        if (route?.stream !== true && !request.raw.complete) limitArrival(request.raw);
      });
      scope.addContentTypeParser(
        "application/json",
        { parseAs: "buffer" },
        async (request: FastifyRequest, bytes: Buffer) => {
          if (request.passage) request.passage.rawBody = bytes;
          return parseJsonBody(bytes);
        },
      );
      for (const route of routes.filter((each) => each.stream !== true)) addRoute(scope, route, served);
      for (const socket of sockets) addSocket(scope, socket, open);
      await scope.register(async (streams) => {
        streams.removeAllContentTypeParsers();
        streams.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
        for (const route of routes.filter((each) => each.stream === true)) addRoute(streams, route, served);
      });
    },
    { prefix: `${basePath}${prefix}` },
  );
}

function addRoute(scope: FastifyInstance, route: Route, { exchangeDeps, released }: Served): void {
  scope.route({
    method: route.method,
    url: routerPath(route.path),
    exposeHeadRoute: answersHead(route),
    bodyLimit: route.bodyLimit ?? (route.auth === "open" ? OPEN_BODY_LIMIT : BODY_LIMIT),
    config: { route },
    handler: async (request, reply) => {
      const passage = passageOf(request);
      const [path, rawQuery] = splitOnce(request.raw.url ?? "", "?");
      const { facts, caller, params, admitted, rawBody } = passage;
      const { query, body } = request;
      const stream = route.stream === true ? (body instanceof Readable ? body : Readable.from([])) : undefined;
      const onBudget = (budget: BudgetState) => budgetHeaders(reply, budget);
      const signal = () => endOf(reply, released);
      const incoming = {
        route,
        facts,
        caller,
        params,
        admitted,
        query,
        body,
        rawBody,
        path,
        rawQuery,
        stream,
        signal,
        onBudget,
      };
      const exchange = new Exchange(exchangeDeps, incoming);
      const outgoing = await exchange.run();
      passage.after = outgoing.after;
      return send(reply, await compressed(outgoing, passage, request.method));
    },
  });
}

/**
 * Aborted when the connection of a request ends before its answer (`CallerLeft`), and when the panel stops (the
 * refusal that says so).
 */
function endOf({ raw }: FastifyReply, released: AbortSignal): AbortSignal {
  const left = new AbortController();
  raw.once("close", () => left.abort(new CallerLeft()));
  if (raw.destroyed) left.abort(new CallerLeft());
  return AbortSignal.any([left.signal, released]);
}

function addSocket(scope: FastifyInstance, socket: Socket, open: OpenSockets): void {
  scope.get(routerPath(socket.path), { websocket: true, config: { socket } }, (connection, request) => {
    const { facts, caller, params } = passageOf(request);
    const credential = credentialOf(facts);
    if (!caller || !credential) return connection.close(1011, "no caller");
    const query = socket.query?.parse(request.query);
    open.add(connection, { route: socket, credential, caller, params, ip: facts.ip });
    socket.handle(connection, { caller, params: params as never, query: query as never, request: facts });
  });
}

function passageOf(request: FastifyRequest): Passage {
  if (!request.passage) throw new Error("a route was reached past the gate");
  return request.passage;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
