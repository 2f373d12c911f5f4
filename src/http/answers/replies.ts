// How answers reach the socket: security headers on every one, budgets, refusals, what a handler gave.
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../refusals/errors.ts";
import type { BudgetState } from "../limits/limits.ts";
import { outsideOf } from "../request/arrivals.ts";

/**
 * On every answer. No Strict-Transport-Security: the panel also answers on plain HTTP behind a proxy and under a
 * self-signed certificate.
 */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
// The API serves no pages; what does replaces this.
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

export function budgetHeaders(reply: FastifyReply, { limit, remaining, reset }: BudgetState): void {
  reply.headers({
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
  });
}

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const outside = outsideOf(request.raw);
  if (outside) {
    reply.hijack();
    if (refusal.status >= 500) outside.unavailable(request.raw, reply.raw);
    else void outside.answer(request.raw, reply.raw);
    return reply;
  }
  const { retryAfter } = refusal.detail;
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  if (refusal.status === 401) reply.header("www-authenticate", "Bearer");
  const headers = reply.hasHeader("content-security-policy") ? {} : { "content-security-policy": API_POLICY };
  return reply
    .code(refusal.status)
    .headers(headers)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(refusal.body()));
}

/** The response to send. */
export interface Outgoing {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array | Readable;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly after: readonly (() => void | Promise<void>)[];
}

export function send(reply: FastifyReply, outgoing: Outgoing): FastifyReply {
  reply.code(outgoing.status).headers({ "content-security-policy": API_POLICY, ...outgoing.headers });
  for (const cookie of outgoing.cookies) reply.header("set-cookie", cookie);
  return reply.type(outgoing.contentType).send(outgoing.body);
}

/**
 * Outside the API an unknown path looks like a subscription that there is not, so that neither tells of the other;
 * outside a hidden base path also like whatever else there is not.
 */
export function nothingHere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const outside = outsideOf(request.raw);
  if (outside) {
    reply.hijack();
    void outside.answer(request.raw, reply.raw);
    return reply;
  }
  return reply.code(404).header("cache-control", "no-store").send("");
}
