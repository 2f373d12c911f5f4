// The errors that a request to an actor can return.

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

/** The row was written by a newer version of the chart than this process knows. */
export class ChartTooNew extends Error {
  override readonly name = "ChartTooNew";
  /** Versions of the chart. */
  readonly written: number;
  readonly known: number;

  constructor(kind: string, id: number, written: number, known: number) {
    super(`${kind} ${id} was written by chart version ${written}, this is ${known}`);
    this.written = written;
    this.known = known;
  }
}
