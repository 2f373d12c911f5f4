// One attempt at a delivery: the request, and what its answer means.
import { sealPlace } from "../db/index.ts";
import { OutgoingError, type Fetch, type OutgoingResponse } from "../outgoing/index.ts";
import { openSecret } from "../lib/seal.ts";
import type { DueDelivery } from "./due.queries.ts";
import { keptOf, MOST_BODY } from "./answer.ts";
import type { DeliveryFailure } from "./delivery-failure.schema.ts";
import { EVENT_GONE, failureOfError, failureOfStatus } from "./delivery-failure.ts";
import type { DeliveryExchange } from "./delivery.entity.ts";
import { deliveryHeaders, envelopeText } from "./envelope.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";

/** A 2xx counts when its head is there; its body is read as far as it is kept, and not waited for long. */
const BEGINNING = { bytes: MOST_BODY, within: 1000 };

/** `status` 0: no answer. `final`: trying again is useless. */
export type Outcome = { readonly status: number; readonly exchange: DeliveryExchange } & (
  | { readonly delivered: true }
  | { readonly delivered: false; readonly error: string; readonly final: boolean }
);

export interface AttemptDeps {
  readonly fetch: Fetch;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The panel's key, under which secrets are sealed. */
  readonly key: Uint8Array;
  /** The setting `webhook_allow_private`, as it is now. */
  readonly allowPrivate: () => boolean;
  /** Milliseconds of a clock that is never set. */
  readonly steady: () => number;
  /** Milliseconds in which a receiver must answer: 10,000 (rule events.delivery.1). */
  readonly timeout: number;
}

/**
 * Sends a delivery once. Resolves to undefined when `signal` ended it: that attempt does not count as a failure of the
 * receiver.
 */
export async function attempt(
  deps: AttemptDeps,
  webhook: WebhookRow,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { event } = delivery;
  const begun = deps.steady();
  const time = Math.floor(deps.now() / 1000);
  const signed = webhook.secret !== "";
  const exchangeWith = (
    answer: Pick<OutgoingResponse, "headers" | "body"> | undefined,
    failure?: DeliveryFailure,
  ): DeliveryExchange => ({
    at: time,
    signed,
    ms: Math.round(deps.steady() - begun),
    ...keptOf(answer),
    ...(failure && { failure }),
  });
  if (!event) {
    const error = "the event is no longer stored";
    return { delivered: false, status: 0, error, final: true, exchange: exchangeWith(undefined, EVENT_GONE) };
  }
  try {
    const body = Buffer.from(envelopeText(event));
    const heading = { deliveryId: delivery.id, event: event.event, secret: secretOf(webhook, deps.key), time };
    const answer = await deps.fetch({
      url: webhook.url,
      method: "POST",
      headers: deliveryHeaders(heading, body),
      body,
      allowPrivate: deps.allowPrivate(),
      timeout: deps.timeout,
      beginning: BEGINNING,
      signal,
    });
    return judge(answer.status, (failure) => exchangeWith(answer, failure));
  } catch (error) {
    if (error instanceof OutgoingError && error.reason === "aborted") return undefined;
    const text = error instanceof Error ? error.message : String(error);
    const failure = failureOfError(error, deps.timeout);
    return { delivered: false, status: 0, error: text, final: false, exchange: exchangeWith(undefined, failure) };
  }
}

/** The signing secret in the clear; undefined where there is none. Throws SealError when it does not open. */
function secretOf({ id, secret }: WebhookRow, key: Uint8Array): string | undefined {
  return secret === "" ? undefined : openSecret(key, secret, sealPlace(WebhookRows, "secret", id));
}

function judge(status: number, exchangeWith: (failure?: DeliveryFailure) => DeliveryExchange): Outcome {
  if (status >= 200 && status < 300) return { delivered: true, status, exchange: exchangeWith() };
  const error = status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
  return { delivered: false, status, error, final: false, exchange: exchangeWith(failureOfStatus(status)) };
}
