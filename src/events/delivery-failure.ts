// Why an attempt at a delivery failed: a code with its values for programs and for pages in any language, beside the
// sentence of `lastError`.
import { z } from "zod";
import { GuardedFetchError } from "../lib/guarded-fetch.ts";

/** What belongs to each code. */
export interface DeliveryFailureValues {
  /** The receiver answered with another status than 2xx. */
  status: [status: number];
  /** The receiver answered with a redirect, and none is followed. */
  redirect: [status: number];
  no_answer: [seconds: number];
  unknown_name: [host: string];
  /** Private and loopback addresses are refused unless `webhook_allow_private` permits them. */
  private_target: [host: string];
  /** Plain http goes where private addresses do. */
  plain_http: [];
  /** The connection could not be made, or broke; the system's code where it has one. */
  connection: [code: string];
  /** The event is no longer stored. */
  event_gone: [];
  /** Anything else, in its own words. */
  failed: [text: string];
}
export type DeliveryFailureCode = keyof DeliveryFailureValues;

/** Every code; the compiler compares them with the values. */
const CODES = {
  status: true,
  redirect: true,
  no_answer: true,
  unknown_name: true,
  private_target: true,
  plain_http: true,
  connection: true,
  event_gone: true,
  failed: true,
} as const satisfies Readonly<Record<DeliveryFailureCode, true>>;

export const DeliveryFailure = z
  .object({
    code: z.enum(Object.keys(CODES) as [DeliveryFailureCode, ...DeliveryFailureCode[]]),
    values: z.array(z.union([z.string(), z.number()])),
  })
  .meta({ id: "WebhookDeliveryFailure" });
export type DeliveryFailure = z.output<typeof DeliveryFailure>;

/** Words of a language for every code. A code without words does not compile. */
export type DeliveryFailureWords = {
  readonly [C in DeliveryFailureCode]: DeliveryFailureValues[C] extends []
    ? string
    : (...values: DeliveryFailureValues[C]) => string;
};

function failure<C extends DeliveryFailureCode>(code: C, ...values: DeliveryFailureValues[C]): DeliveryFailure {
  return { code, values };
}

/** Of an answer that is not 2xx. */
export function failureOfStatus(status: number): DeliveryFailure {
  return status >= 300 && status < 400 ? failure("redirect", status) : failure("status", status);
}

/** Of an event whose time in the store is over. */
export const EVENT_GONE: DeliveryFailure = failure("event_gone");

/** Of an attempt without an answer. `timeout`: milliseconds that the receiver had. */
export function failureOfError(error: unknown, timeout: number): DeliveryFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof GuardedFetchError)) return failure("failed", text);
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
