// The name of a request: on every answer, in the panel's log, and in whatever a caller keeps of its own (rule
// http.error.9).
import type { IncomingMessage, ServerResponse } from "node:http";
import { alphanumeric, pooledRandom } from "../../lib/ids.ts";

const REQUEST_ID = "x-request-id";
/**
 * A request id that the caller may choose. Any other value is replaced, because the id is written into headers and
 * logs.
 */
const KEPT = /^[\w-]{1,64}$/;

const random = pooledRandom();

/** A name for what cannot be read as a request. */
export function newRequestId(): { readonly [REQUEST_ID]: string } {
  return { [REQUEST_ID]: alphanumeric(12, random) };
}

/**
 * Names a request by what its caller sent, or again. The first call decides: the listener's for what comes over a
 * socket, the framework's for what does not.
 */
export function nameRequest({ headers }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.hasHeader(REQUEST_ID)) return;
  response.setHeader(REQUEST_ID, requestIdFor(headers[REQUEST_ID]));
}

/** The id of a request, from the value that its caller sent. */
export function requestIdFor(sent: unknown): string {
  return typeof sent === "string" && KEPT.test(sent) ? sent : newRequestId()[REQUEST_ID];
}

/** The name of the request that is answered. */
export function requestIdOf(response: Pick<ServerResponse, "getHeader">): string {
  const given = response.getHeader(REQUEST_ID);
  return typeof given === "string" ? given : "";
}
