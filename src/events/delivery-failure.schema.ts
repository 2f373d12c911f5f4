// Why an attempt at a delivery failed: a code with its values for programs and for pages in any language, beside the
// sentence of `lastError`.
import { z } from "zod";

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
