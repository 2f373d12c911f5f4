// The web interface under the base path: one page for every path of `page-paths.ts`, and the files that it loads.
//
// Pages need no credential, and are the same for everybody, except for the list of first requests (`first-loads.ts`).
// While setup is pending they are there only for who holds the token.
import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../refusals/errors.ts";
import { cookieText, credentialOf, factsOf, hostOf } from "../request/facts.ts";
import { firstLinks, LANGUAGE_COOKIE, type FirstVisit } from "./first-loads.ts";
import { knownCaller } from "../gate.ts";
import { sendFile, type InterfaceBuild } from "./files.ts";
import { BUILDING, escaped, sendNotice, type Notice } from "./notice.ts";
import { newNonce, pageHeaders } from "./policy.ts";
import { ASSETS, PAGE_SEGMENTS } from "./page-paths.ts";
import type { HttpOptions, HttpPorts } from "../ports.ts";
import { nothingHere } from "../answers/replies.ts";

/** Where the built interface comes from. */
export interface InterfaceSource {
  /** The interface to serve, or why there is none; resolves when one that is being built is done. Never rejects. */
  current(): Promise<InterfaceBuild | Notice>;
}

export interface InterfaceOptions
  extends Pick<HttpPorts, "admitDuringSetup" | "authenticate">, Pick<HttpOptions, "servesPanel"> {
  readonly source: InterfaceSource;
  /** `` or `/segment[/segment…]`. */
  readonly basePath: string;
  /** Signs the passes of setup; 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** How long the request for a page waits for the build. */
const PATIENCE_MS = 20_000;
/** The cookie that lets the browser which opened setup with its token load the page's files. */
const SETUP_PASS = "panel_setup";
const PASS_SECONDS = 3600;

/**
 * Adds pages, their files, and the way from `GET /api/setup` in a browser to the page. To be called before the server
 * is ready. The function that it returns adds the page of strays, and is called when all else beside the API is
 * mounted.
 */
export function mountInterface(app: FastifyInstance, options: InterfaceOptions): () => void {
  const { basePath, source, now } = options;

  /** Whether setup lets the request through; a banned address is refused with 429. */
  async function admits(token: string | undefined, request: FastifyRequest): Promise<boolean> {
    try {
      await options.admitDuringSetup(token, request.ip);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return false;
      throw error;
    }
  }

  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!takesHtml(request)) return nothingHere(request, reply);
    const token = request.routeOptions.url === `${basePath}/setup` ? setupTokenOf(request) : undefined;
    if (!(await admits(token, request))) return nothingHere(request, reply);
    return sendPage(request, reply, 200, token);
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 404,
    token?: string,
  ): Promise<FastifyReply> {
    if (token !== undefined) reply.header("set-cookie", passCookie(options, request.protocol === "https"));
    const build = await inTime(source);
    if (!("page" in build)) return sendNotice(reply, build);
    const nonce = newNonce();
    const links = build.firstLoads ? firstLinks(build.firstLoads, await visitOf(request)) : "";
    return reply
      .code(status)
      .headers(pageHeaders(nonce))
      .type("text/html; charset=utf-8")
      .send(completed(build.page, basePath, nonce, links));
  }

  async function visitOf(request: FastifyRequest): Promise<FirstVisit> {
    const facts = factsOf(request, { prefix: "/api/v1", basePath });
    const [path = "", query = ""] = request.url.split("?", 2);
    // A page comes whatever becomes of the database: its own calls will say what is wrong.
    const caller = await knownCaller(credentialOf(facts), facts, { ports: options }).catch(() => undefined);
    return {
      path: path.slice(basePath.length),
      query: query !== "",
      language: request.cookies[LANGUAGE_COOKIE],
      accepted: facts.header("accept-language") ?? "",
      caller,
    };
  }

  async function file(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!holdsPass(options, request.cookies[SETUP_PASS], now()) && !(await admits(undefined, request)))
      return nothingHere(request, reply);
    const build = await inTime(source);
    const { "*": name = "" } = request.params as { "*"?: string };
    return "files" in build && (await sendFile(build, `${ASSETS}/${name}`, request, reply))
      ? reply
      : nothingHere(request, reply);
  }

  const roots = basePath === "" ? ["/"] : [basePath, `${basePath}/`];
  const pages = PAGE_SEGMENTS.flatMap((segment) => [`${basePath}/${segment}`, `${basePath}/${segment}/*`]);
  for (const url of [...roots, ...pages]) app.route({ method: "GET", url, handler: page });
  app.route({ method: "GET", url: `${basePath}/${ASSETS}/*`, handler: file });
  const apiOfSetup = [`${basePath}/api/setup`, `${basePath}/api/v1/setup`];
  app.addHook("onRequest", async (request, reply) => {
    if (request.method !== "GET" || !apiOfSetup.includes(request.routeOptions.url ?? "") || !asksForHtml(request))
      return undefined;
    const token = setupTokenOf(request);
    // Without a token it is the route's own question: whether setup is pending.
    if (token === undefined) return undefined;
    await options.admitDuringSetup(token, request.ip);
    return reply.header("cache-control", "no-store").redirect(`${basePath}/setup?t=${encodeURIComponent(token)}`, 303);
  });

  /** Below the panel's own path, and no path of the API: nothing lies there for anybody. */
  function isStray(request: FastifyRequest): boolean {
    if (!request.is404 || request.method !== "GET" || !asksForHtml(request)) return false;
    const path = request.url.split("?", 1)[0] ?? "";
    return (
      path.startsWith(`${basePath}/`) &&
      !/^\/api(?:\/|$)/.test(path.slice(basePath.length)) &&
      options.servesPanel?.(hostOf(request)) !== false
    );
  }

  // A signed-in caller knows that there is a panel and gets a page of it. Other callers learn nothing from the path.
  return () => {
    app.addHook("onRequest", async (request, reply) => {
      if (!isStray(request)) return undefined;
      const { caller } = await visitOf(request);
      return caller?.via === "session" ? sendPage(request, reply, 404) : undefined;
    });
  };
}

/** The built page with where it is, its nonce, and what it needs first. */
function completed(html: string, basePath: string, nonce: string, links: string): string {
  return html
    .replace("</head>", () => `${links}</head>`)
    .replace('<base href="/"', `<base href="${escaped(basePath)}/"`)
    .replace('property="csp-nonce" nonce=""', `property="csp-nonce" nonce="${nonce}"`);
}

async function inTime(source: InterfaceSource): Promise<InterfaceBuild | Notice> {
  const late = new AbortController();
  try {
    return await Promise.race([source.current(), pause(PATIENCE_MS, BUILDING, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

/** Asked for by a person's browser: where a program has an answer of its own at the same address. */
function asksForHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? "").toLowerCase().includes("text/html");
}

/** Whether a page is an acceptable answer; a request without an `Accept` header accepts everything. */
function takesHtml({ headers }: FastifyRequest): boolean {
  return /text\/html|text\/\*|\*\/\*/i.test(headers.accept ?? "*/*");
}

function setupTokenOf({ query }: FastifyRequest): string | undefined {
  const token = typeof query === "object" && query !== null && "t" in query ? query.t : undefined;
  return typeof token === "string" ? token : undefined;
}

type Passes = Pick<InterfaceOptions, "basePath" | "secretKey" | "now">;

function signature({ secretKey }: Pick<Passes, "secretKey">, until: string): Buffer {
  return createHmac("sha256", secretKey).update(`setup page until ${until}`).digest();
}

function passCookie(passes: Passes, secure: boolean): string {
  const until = String(Math.floor(passes.now() / 1000) + PASS_SECONDS);
  const value = `${until}.${signature(passes, until).toString("base64url")}`;
  return cookieText(SETUP_PASS, value, { path: `${passes.basePath}/`, secure }, PASS_SECONDS);
}

function holdsPass(passes: Passes, cookie: string | undefined, now: number): boolean {
  const [, until = "", signed = ""] = /^(\d{1,12})\.([\w-]+)$/.exec(cookie ?? "") ?? [];
  if (until === "" || Number(until) * 1000 < now) return false;
  const [given, right] = [Buffer.from(signed, "base64url"), signature(passes, until)];
  return given.length === right.length && timingSafeEqual(given, right);
}
