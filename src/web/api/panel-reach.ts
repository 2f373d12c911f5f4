// Whether the panel answers, told by the calls themselves: the connection dot and stale marks read it. While it does
// not, it is asked until it does.
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

const AGAIN = 3000;

/** Unix ms of the first call that did not reach the panel; undefined while the last one did. */
let lostSince: number | undefined;
let timer: number | undefined;
const listeners = new Set<() => void>();

function set(next: number | undefined): void {
  if (lostSince === next) return;
  lostSince = next;
  window.clearInterval(timer);
  // A page that asks for nothing meanwhile would not hear that the panel is back.
  timer = next === undefined ? undefined : window.setInterval(() => void look(), AGAIN);
  for (const listener of listeners) listener();
}

/** Any answer is one. The providers of sign-in are everybody's to read. */
async function look(): Promise<void> {
  try {
    await fetch(new URL("api/v1/login/oidc", document.baseURI), {
      cache: "no-store",
      signal: AbortSignal.timeout(AGAIN),
    });
    noteReached();
  } catch {
    // Still away: that is what is being waited out.
  }
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

/** Whether the last call did not reach the panel. */
export function isLost(): boolean {
  return lostSince !== undefined;
}

/** Since when the panel has not been reached (Unix ms), or undefined. */
export function useLostSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => lostSince);
}

/** Calls `again` when the panel answers after it did not. */
export function useReachedAgain(again: () => void): void {
  const lost = useLostSince() !== undefined;
  const back = useEffectEvent(again);
  useEffect(() => {
    if (!lost) return undefined;
    return () => back();
  }, [lost]);
}
