// What a request says of itself: address, host, cookies.
import { stringifySetCookie } from "cookie";
import type { FastifyRequest } from "fastify";
import type { RequestFacts } from "../context.ts";
import { headerText } from "../../lib/header-text.ts";
import type { ProxiedOrigin } from "./proxied-origin.ts";

/** A credential as it was sent. A bearer token wins over a cookie. */
export interface Credential {
  readonly kind: "token" | "session";
  readonly value: string;
}

export const SESSION_COOKIE = "panel_session";

type Place = Pick<RequestFacts, "prefix" | "basePath">;

/**
 * A class, since one is made for each request. Which proxies are believed must be found out for each of `host` and
 * `tls`; few routes read them.
 */
class Facts implements RequestFacts {
  readonly ip: string;
  readonly userAgent: string;
  readonly prefix: Place["prefix"];
  readonly basePath: string;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest, { prefix, basePath }: Place) {
    this.#request = request;
    this.ip = request.ip;
    this.userAgent = headerText(request.headers["user-agent"] ?? "").slice(0, 512);
    this.prefix = prefix;
    this.basePath = basePath;
  }

  get host(): string {
    return hostOf(this.#request);
  }

  get tls(): boolean {
    return this.#request.protocol === "https";
  }

  get proxied(): ProxiedOrigin | undefined {
    return this.#request.proxied;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers[name.toLowerCase()];
    const text = Array.isArray(value) ? value.join(", ") : value;
    return text === undefined ? undefined : headerText(text);
  };

  readonly cookie = (name: string): string | undefined => this.#request.cookies[name];
}

/** `place`: where on the panel the route is served. */
export function factsOf(request: FastifyRequest, place: Place): RequestFacts {
  return new Facts(request, place);
}

/**
 * The credential that a request carries. A bearer token wins; another `Authorization` scheme counts as a wrong token.
 */
export function credentialOf(facts: RequestFacts): Credential | undefined {
  const authorization = facts.header("authorization");
  if (authorization !== undefined) {
    const [, value = ""] = /^Bearer +(\S+)\s*$/i.exec(authorization) ?? [];
    return { kind: "token", value };
  }
  const value = facts.cookie(SESSION_COOKIE);
  return value === undefined || value === "" ? undefined : { kind: "session", value };
}

/**
 * `host[:port]` that was asked for. Never `X-Forwarded-Host`, on which links are made and nothing is decided: a client
 * behind a proxy can send it too, and a proxy names its host in `Host`.
 */
export function hostOf(request: Pick<FastifyRequest, "headers">): string {
  return request.headers.host ?? "";
}

/**
 * A `Set-Cookie` value: HttpOnly, SameSite=Lax, Secure over TLS. `maxAge` in seconds.
 */
export function cookieText(
  name: string,
  value: string,
  place: { readonly path: string; readonly secure: boolean },
  maxAge?: number,
): string {
  return stringifySetCookie({
    name,
    value,
    ...place,
    httpOnly: true,
    sameSite: "lax",
    ...(maxAge !== undefined && { maxAge }),
  });
}
