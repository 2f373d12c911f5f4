// The time, as the panel's clock has it, for whatever counts seconds on the page: one timer for all of them.
import { useSyncExternalStore } from "react";
import { serverNow } from "../api/clock.ts";

let now = panelNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  const at = panelNow();
  if (at === now) return;
  now = at;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!timer) {
    timer = setInterval(tick, 250);
    tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix seconds on the panel's clock, without waiting for the next tick. */
export function panelNow(): number {
  return Math.floor(serverNow() / 1000);
}

/**
 * Unix seconds on the panel's clock. `step`: the component is drawn again only when another step of so many seconds
 * begins.
 */
export function useNow(step = 1): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / step) * step);
}
