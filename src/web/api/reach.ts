// Whether the panel answers, told by the calls themselves: the connection dot and stale marks read it.
import { useSyncExternalStore } from "react";

/** Unix ms of the first call that did not reach the panel; undefined while the last one did. */
let lostSince: number | undefined;
const listeners = new Set<() => void>();

function set(next: number | undefined): void {
  if (lostSince === next) return;
  lostSince = next;
  for (const listener of listeners) listener();
}

export function noteReached(): void {
  set(undefined);
}

export function noteUnreached(): void {
  set(lostSince ?? Date.now());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Since when the panel has not been reached (Unix ms), or undefined. */
export function useLostSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => lostSince);
}
