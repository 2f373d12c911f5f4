// What changes a delivery after it was recorded: the outcome of an attempt, and a re-send by hand.
import { lock, type Committer, type Draft } from "../db/index.ts";
import type { Outcome } from "./attempt.ts";
import { DeliveryQueueRows, type DeliveryQueueRow } from "./delivery-queue.entity.ts";
import { DeliveryRows, type DeliveryRow } from "./delivery.entity.ts";
import { retryDelay } from "./retry.ts";

export interface Tried {
  readonly deliveryId: number;
  readonly subscriberId: number;
  /** The delivery's attempts before this one: a failure counts only if nobody recorded another meanwhile. */
  readonly attempts: number;
  readonly outcome: Outcome;
  /** For the spread of the next attempt, [0, 1). */
  readonly chance: number;
}

const LONGEST_ERROR = 300;

/**
 * Writes down an attempt. Resolves to the delivery as it is now; undefined when it is gone or was settled otherwise
 * meanwhile.
 */
export function recordAttempt(commits: Committer, tried: Tried): Promise<DeliveryRow | undefined> {
  return commits.submit({
    name: "delivery.attempted",
    locks: [lock(DeliveryRows, tried.deliveryId), lock(DeliveryQueueRows, tried.subscriberId)],
    decide(draft) {
      const row = draft.find(DeliveryRows, tried.deliveryId);
      if (row?.state !== "pending" || (!tried.outcome.delivered && row.attempts !== tried.attempts)) return undefined;
      const patch = afterAttempt(draft, row.attempts + 1, tried);
      draft.update(DeliveryRows, row.id, patch);
      noteHealth(draft, tried);
      return { ...row, ...patch };
    },
  });
}

function afterAttempt(draft: Draft, attempts: number, { outcome, chance }: Tried): Partial<DeliveryRow> {
  const common = { attempts, lastStatus: outcome.status, exchange: outcome.exchange };
  if (outcome.delivered)
    return { ...common, state: "delivered", nextAttemptAt: 0, lastError: "", deliveredAt: draft.time };
  const delay = outcome.final ? undefined : retryDelay(attempts, () => chance);
  const lastError = outcome.error.slice(0, LONGEST_ERROR);
  return delay === undefined
    ? { ...common, state: "dead", nextAttemptAt: 0, lastError }
    : { ...common, nextAttemptAt: draft.now + delay, lastError };
}

/** The subscriber's own record of how it answers; left alone where it would say the same again. */
function noteHealth(draft: Draft, { subscriberId, outcome }: Tried): void {
  const queue = draft.find(DeliveryQueueRows, subscriberId);
  if (!queue) return;
  const next: Partial<DeliveryQueueRow> = {
    lastStatus: outcome.status,
    failing: !outcome.delivered,
    lastDeliveredAt: outcome.delivered ? draft.time : queue.lastDeliveredAt,
  };
  const same =
    next.lastStatus === queue.lastStatus &&
    next.failing === queue.failing &&
    next.lastDeliveredAt === queue.lastDeliveredAt;
  if (!same) draft.update(DeliveryQueueRows, subscriberId, next);
}

/**
 * Makes a delivery pending again at once, with the whole schedule before it. Its id, and so what the receiver sees,
 * stays.
 */
export function sendAgain(draft: Draft, delivery: Readonly<DeliveryRow>): void {
  draft.update(DeliveryRows, delivery.id, { state: "pending", attempts: 0, nextAttemptAt: draft.now, deliveredAt: 0 });
}
