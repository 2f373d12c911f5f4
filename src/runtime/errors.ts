// The errors that a request to an actor can return.

/** There is no actor of that kind and id. */
export class ActorMissing extends Error {
  override readonly name = "ActorMissing";
  constructor(kind: string, id: number) {
    super(`there is no ${kind} ${id}`);
  }
}

/** The actor takes no event for now, whichever it is; its row and all that waits for it stay as they are. */
export abstract class ActorAside extends Error {
  /** What a job over many records says of it. */
  abstract readonly told: { readonly error: string; readonly code: "quarantined" | "event_failed" };
}

/** The actor failed repeatedly and is left alone until somebody resumes it. */
export class ActorQuarantined extends ActorAside {
  override readonly name = "ActorQuarantined";
  override readonly told = { error: "its actor is in quarantine", code: "quarantined" } as const;
  constructor(kind: string, id: number, reason: string) {
    super(`${kind} ${id} is in quarantine: ${reason}`);
  }
}

/**
 * The row was written by a newer version of the chart than this process knows: a panel that knows it goes on with it.
 */
export class ChartTooNew extends ActorAside {
  override readonly name = "ChartTooNew";
  override readonly told = { error: "a newer panel wrote it, and goes on with it", code: "event_failed" } as const;
  /** Versions of the chart. */
  readonly written: number;
  readonly known: number;

  constructor(kind: string, id: number, written: number, known: number) {
    super(`${kind} ${id} was written by chart version ${written}, this is ${known}: a newer panel goes on with it`);
    this.written = written;
    this.known = known;
  }
}
