// When a failed delivery is tried again (rule events.delivery.2).

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds after the first, second … failure. A failure past the last one is final. */
export const RETRY_DELAYS: readonly number[] = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** Each delay is stretched or shortened by up to this share, so that what failed together is not repeated together. */
const SPREAD = 0.2;

/**
 * Failures after which a delivery no longer holds back later ones of its subject. Up to here order is kept, for some
 * six minutes; past it a receiver that refuses one event would hold back the rest for hours, and fresh events are worth
 * more than their order.
 */
export const BLOCKING_FAILURES = 3;

/**
 * Milliseconds until the next attempt after `failures` failures; undefined when there is none. `random` gives [0, 1).
 */
export function retryDelay(failures: number, random: () => number): number | undefined {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - SPREAD + 2 * SPREAD * random()));
}
