// What the log says of requests that were understood and could not be carried out (502, 503): why, in the words of the
// answer, once a minute for each path and reason.
import type { Logger } from "pino";
import { isToldByWatch } from "../../db/index.ts";
import { Repeats } from "../../lib/repeats.ts";
import type { Refusal } from "./errors.ts";

export interface RefusedRequest {
  readonly method: string;
  /** As it is declared. */
  readonly path: string;
  readonly requestId: string;
}

/** `now` in milliseconds. No stack: nothing is wrong with the panel. */
export function refusalLog(
  log: Logger,
  now: () => number,
): (request: RefusedRequest, refusal: Refusal, error: unknown) => void {
  const repeats = new Repeats(now);
  return (request, refusal, error) => {
    const { message: reason, cause } = refusal;
    const because = cause instanceof Error && !reason.includes(cause.message) ? { because: cause.message } : {};
    const line = { ...request, status: refusal.status, reason, ...because };
    // Said by the watch already, once for all requests that it concerns.
    if (isToldByWatch(error)) return log.debug(line, REFUSED);
    const repeated = repeats.take(`${request.method} ${request.path} ${reason} ${because.because ?? ""}`);
    if (repeated) log.warn({ ...line, ...repeated }, REFUSED);
  };
}

const REFUSED = "a request could not be carried out";
