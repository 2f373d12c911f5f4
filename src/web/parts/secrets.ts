// A secret that the panel tells once, over whatever page is open: it stays there, through Back and Forward too, until
// the person has it. It lives in no storage.
import { useSyncExternalStore } from "react";

export interface Secret {
  /** "Token ci" */
  readonly title: string;
  /** What it opens. */
  readonly text?: string;
  /** One, or several that belong together: recovery codes. */
  readonly values: readonly string[];
  /** It can be saved under this name. */
  readonly file?: string;
}

interface Shown {
  readonly secret: Secret;
  readonly done: () => void;
}

let shown: readonly Shown[] = [];
const listeners = new Set<() => void>();

/** Resolves when the person has it. */
export function showOnce(secret: Secret): Promise<void> {
  return new Promise((resolve) => {
    const own: Shown = {
      secret,
      done() {
        put(shown.filter((each) => each !== own));
        resolve();
      },
    };
    put([...shown, own]);
  });
}

/** The secret that is shown now. */
export function useShownSecret(): Shown | undefined {
  return useSyncExternalStore(subscribe, () => shown[0]);
}

function put(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
