// Clients that leave before their request is whole or answered: that is neither a defect nor a refusal of anybody
// (rule http.error.10).
import type { IncomingMessage } from "node:http";

/** Why a request's signal is aborted when its connection is gone. */
export class CallerLeft extends Error {
  override readonly name = "CallerLeft";

  constructor() {
    super("the client left before it was answered");
  }
}

/** Whether `error` says only that the client of `request` is gone: its body broke off, or nobody waits any more. */
export function isCallerLeft(error: unknown, { errored }: Pick<IncomingMessage, "errored">): boolean {
  return error instanceof CallerLeft || (errored !== null && error === errored);
}
