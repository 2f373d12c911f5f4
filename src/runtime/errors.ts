// The errors that a request to an actor can return.
import { ElsewhereOnly } from "../db/index.ts";

/** There is no actor of that kind and id. */
export class ActorMissing extends Error {
  override readonly name = "ActorMissing";
  constructor(kind: string, id: number) {
    super(`there is no ${kind} ${id}`);
  }
}

/** The actor failed repeatedly and is left alone until somebody resumes it. */
export class ActorQuarantined extends Error {
  override readonly name = "ActorQuarantined";
  constructor(kind: string, id: number, reason: string) {
    super(`${kind} ${id} is in quarantine: ${reason}`);
  }
}

/**
 * The row was written by a newer version of the chart than this process knows: a panel that knows it goes on with it.
 */
export class ChartTooNew extends ElsewhereOnly {
  override readonly name = "ChartTooNew";
  /** Versions of the chart. */
  readonly written: number;
  readonly known: number;

  constructor(kind: string, id: number, written: number, known: number) {
    super(`${kind} ${id} was written by chart version ${written}, this is ${known}: a newer panel goes on with it`);
    this.written = written;
    this.known = known;
  }
}

/** What a job over many records says of an actor that takes no event for now; undefined for any other error. */
export function asideOf(error: unknown): { readonly error: string; readonly code: string } | undefined {
  if (error instanceof ActorQuarantined) return { error: "its actor is in quarantine", code: "quarantined" };
  if (error instanceof ChartTooNew)
    return { error: "a newer panel wrote it, and goes on with it", code: "event_failed" };
  return undefined;
}
