// What failed at an attempt, by its code.
import { OutgoingError } from "../outgoing/index.ts";
import type { DeliveryFailure, DeliveryFailureCode, DeliveryFailureValues } from "./delivery-failure.schema.ts";

function failure<C extends DeliveryFailureCode>(code: C, ...values: DeliveryFailureValues[C]): DeliveryFailure {
  return { code, values };
}

/** The failure for an answer that is not 2xx. */
export function failureOfStatus(status: number): DeliveryFailure {
  return status >= 300 && status < 400 ? failure("redirect", status) : failure("status", status);
}

/** The failure for an event whose time in the store is over. */
export const EVENT_GONE: DeliveryFailure = failure("event_gone");

/** The failure for an attempt without an answer. `timeout`: milliseconds that the receiver had. */
export function failureOfError(error: unknown, timeout: number): DeliveryFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof OutgoingError)) return failure("failed", text);
  switch (error.reason) {
    case "timeout":
      return failure("no_answer", timeout / 1000);
    case "resolve":
      return failure("unknown_name", error.host);
    case "private":
      return failure("private_target", error.host);
    case "https":
      return failure("plain_http");
    case "connect":
      return failure("connection", text);
    default:
      return failure("failed", text);
  }
}
