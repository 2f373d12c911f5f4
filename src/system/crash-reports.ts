// `panel.crashed`: an internal error was caught while answering a request; at most once per route and message every
// five minutes (rule http.error.5).
import type { Committer } from "../db/index.ts";
import type { Outbox } from "../runtime/index.ts";

const QUIET_MS = 300_000;
const MESSAGE_LIMIT = 200;
/** Different crashes remembered; past it the oldest is forgotten. */
const REMEMBERED = 500;

export interface CrashReportOptions {
  readonly commits: Committer;
  readonly outbox: Outbox<"panel.crashed">;
  readonly now: () => number;
  readonly version: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Called for every unexpected error of a request; raises the event. Never throws: the database may be what is broken.
 */
export function crashReporter({ commits, outbox, now, version, onError }: CrashReportOptions) {
  const said = new Map<string, number>();
  return ({ method, path }: { readonly method: string; readonly path: string }, error: unknown): void => {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_LIMIT);
    const key = `${method} ${path} ${message}`;
    if (Math.abs(now() - (said.get(key) ?? Number.NEGATIVE_INFINITY)) < QUIET_MS) return;
    said.delete(key);
    said.set(key, now());
    for (const oldest of said.keys()) {
      if (said.size <= REMEMBERED) break;
      said.delete(oldest);
    }
    commits
      .submit({
        name: "panel.crashed",
        locks: [],
        decide: (draft) =>
          outbox.raise(draft, {
            event: "panel.crashed",
            data: { method, path, error: message, version },
            subject: "panel",
          }),
      })
      .catch(onError);
  };
}
