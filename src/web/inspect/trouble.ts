// Since when an actor is in trouble: tries come and go, what counts is when it last stood well.
import { stateTone } from "../parts/tone.ts";
import type { ActorDetail, JournalEntry } from "./wire.ts";

export interface Trouble {
  readonly sinceMs: number;
  /** How often it came into a state of failure since. */
  readonly failures: number;
}

/** At the newest step, as the chart itself counts it. */
export function troubleNow(actor: Pick<ActorDetail, "rev" | "trouble"> | undefined, seq: number): Trouble | undefined {
  if (!actor?.trouble || actor.rev !== seq) return undefined;
  return { sinceMs: actor.trouble.since * 1000, failures: actor.trouble.failures };
}

/**
 * At the step `seq`; undefined when the actor is not in trouble, or the journal at hand does not reach back to its
 * beginning.
 */
export function troubleAt(kind: string, entries: ReadonlyMap<number, JournalEntry>, seq: number): Trouble | undefined {
  let failures = 0;
  let first: JournalEntry | undefined;
  for (let at = seq; at > 0; at--) {
    const entry = entries.get(at);
    if (!entry) return undefined;
    const tone = stateTone(kind, entry.to);
    if (tone === "ok" || tone === "off") break;
    // What fails once more in the same state is counted by its chart.
    if (tone === "failed" && (entry.from !== entry.to || "failures" in entry.changed)) {
      failures++;
      first = entry;
    }
  }
  return first && { sinceMs: first.atMs, failures };
}
