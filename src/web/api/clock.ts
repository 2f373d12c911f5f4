// The panel's clock as seen from here: times on the wire are the panel's, so "how long ago" and countdowns count by it.

/** A clock that falls back this far was set; a message that took this long is not to be expected. */
const RESET = 5000;
/** Less than this is travel, not a difference between the clocks. */
const NEGLIGIBLE = 250;

let ahead: number | undefined;

/** Unix milliseconds by the panel's clock. */
export function serverNow(): number {
  return Date.now() + (ahead === undefined || Math.abs(ahead) < NEGLIGIBLE ? 0 : ahead);
}

/**
 * Learns from a time that the panel has just written. The message that travelled least says most: it shows the panel
 * furthest ahead.
 */
export function learnClock(panelMs: number): void {
  const seen = panelMs - Date.now();
  if (ahead === undefined || seen > ahead || ahead - seen > RESET) ahead = seen;
}
