// What the parts of a panel tell those who watch it: every signal with its fields. The parts know none of
// those who watch.
//
// Rules for a field: it is a number, a boolean, or a word of a closed set (kinds, states and events of charts, names of
// units, patterns of routes, codes), so that whoever counts by it has a bounded number of series. No field carries
// what a caller wrote: no address, no token, no name of an account. Fields that end in `Ms` or are named `ms` are
// milliseconds of a clock that is never set. `waiting` and `running` are depths at the moment of the signal; a signal
// named `depth` is told at every change, so the last one says what holds now.

/** How a unit of work with a result ended. `unavailable`: the database was away or too busy. */
export type Ended = "done" | "refused" | "unavailable";

/** Every signal, by name. A new one is a line here and a `tell` in its part. */
export interface SignalTable {
  /**
   * An event was given to an actor in a commit of its own. `by`: a caller who waits for the answer, or what moves by
   * itself. `refused`: the actor is gone, in quarantine, or its chart threw.
   */
  "runtime.command": {
    readonly kind: string;
    readonly by: "caller" | "timer" | "effect" | "resident";
    readonly ended: Ended;
    readonly ms: number;
  };
  /** A chart decided on an event. Also where its commit is repeated or rolled back: processor time, not changes. */
  "runtime.decision": {
    readonly kind: string;
    readonly event: string;
    readonly handled: boolean;
    readonly ms: number;
  };
  /** A transition is on disk. Told once, by the process that committed it; `from` null: the actor is new. */
  "runtime.step": {
    readonly kind: string;
    readonly event: string;
    readonly from: string | null;
    readonly to: string;
  };
  /** A due timer was given to its actor. `lagMs`: how long after it was due. `running`: timers being fired, with it. */
  "runtime.timer": {
    readonly kind: string;
    readonly name: string;
    readonly lagMs: number;
    readonly running: number;
    readonly ms: number;
  };
  /** A chart threw where no caller waits. `quarantined`: this was one fault too many. */
  "runtime.fault": { readonly kind: string; readonly quarantined: boolean };
  /** Effects of this kind and `src` that wait for a place in this process, and that have one. */
  "effect.depth": {
    readonly kind: string;
    readonly src: string;
    readonly waiting: number;
    readonly running: number;
  };
  /**
   * An attempt at an effect ended. `again`: another attempt follows. `aborted`: its chart left the state, or this
   * process ends or lost the actor. `ms`: until the work itself ended, or was given up on.
   */
  "effect.attempt": {
    readonly kind: string;
    readonly src: string;
    readonly attempt: number;
    readonly ended: "done" | "failed" | "again" | "aborted";
    readonly ms: number;
  };
  /** An effect goes on although it was aborted or its time is up. Told once for an attempt; it keeps its place. */
  "effect.overruns": {
    readonly kind: string;
    readonly actorId: number;
    readonly src: string;
    readonly attempt: number;
    readonly ageMs: number;
  };
  /**
   * An effect of which `effect.overruns` was told ended. `ended` false: it was given up on. Its place is free then, and
   * it may go on unseen.
   */
  "effect.overrun": {
    readonly kind: string;
    readonly actorId: number;
    readonly src: string;
    readonly attempt: number;
    readonly ageMs: number;
    readonly ended: boolean;
  };
  /**
   * A transaction of units ended. `empty`: there was nothing to write. `failed`: nothing was written. `unknown`: the
   * answer to its commit was lost. `waiting`: units that were accepted and have no answer yet.
   */
  "commit.batch": {
    readonly units: number;
    readonly rows: number;
    readonly ended: "committed" | "empty" | "failed" | "unknown";
    readonly ms: number;
    readonly waiting: number;
  };
  /** A unit has its answer. `ms`: since it was submitted, so with what it waited for. */
  "commit.unit": { readonly name: string; readonly ended: Ended; readonly ms: number };
  /**
   * Units are carried out again: the database aborted the transaction because of another one (`contention`), the batch
   * failed because of one of them (`singly`), or they need rows (`locks`) or ids (`ids`) that they did not have.
   */
  "commit.retry": { readonly why: "contention" | "singly" | "locks" | "ids"; readonly units: number };
  /** A set-based change ended. `ms` includes the wait for other transactions where it must be alone. */
  "commit.statements": {
    readonly name: string;
    readonly statements: number;
    readonly ended: Ended;
    readonly ms: number;
  };
  /** One push to an agent. `full`: whole buckets and the structure by comparison; else single users. */
  "sync.push": {
    readonly nodeId: number;
    readonly full: boolean;
    readonly users: number;
    readonly objects: number;
    readonly ended: "taken" | "refused" | "failed";
    readonly ms: number;
  };
  /** A comparison of everything with an agent ended. `agrees`: nothing is left to send. */
  "sync.compared": { readonly nodeId: number; readonly agrees: boolean; readonly ms: number };
  /** An agent's engine refuses what it should serve: nothing is pushed until the chart asks again. */
  "sync.refused": { readonly nodeId: number };
  /** An agent reported another state than it took. `count`: so many times in a row. */
  "sync.relapsed": { readonly nodeId: number; readonly count: number };
  /** An agent is connected and greeted. `ms`: since the attempt began, with its wait for a place to dial. */
  "link.opened": { readonly nodeId: number; readonly ms: number };
  /**
   * A connection ended, or could not be opened (`opened` false). `reason`: the code of a node's cause, or `stopped`,
   * `superseded` where it is no failure. `ms`: since the attempt began.
   */
  "link.closed": { readonly nodeId: number; readonly opened: boolean; readonly reason: string; readonly ms: number };
  /**
   * A delivery was sent to its receiver. `status` 0: no answer. `halted`: it does not count, or could not be recorded.
   * `dead`: it was given up.
   */
  "webhook.attempt": {
    readonly webhookId: number;
    readonly ended: "sent" | "failed" | "dead" | "halted";
    readonly status: number;
    readonly ms: number;
  };
  /** Requests of this process to all receivers: those that wait for a place, and those that have one. */
  "webhook.depth": { readonly waiting: number; readonly running: number };
  /**
   * A request was answered. `route`: the pattern without prefix and base path, never the address; `(none)`: no route
   * takes it (then `method` is `(any)`), `(plugin)`: a feature serves it outside the API, as subscriptions
   * are. WebSockets that open are not told of.
   */
  "http.request": {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly ms: number;
  };
  /**
   * A request to an address that somebody typed has the head of its answer, after redirects. `status` 0: there is none,
   * it was refused or failed. `ms`: with name and connection.
   */
  "outgoing.request": { readonly method: string; readonly status: number; readonly ms: number };
  /** A job got a place for its next step. `ms`: how long it waited. */
  "job.turn": { readonly work: string; readonly ms: number; readonly waiting: number; readonly running: number };
  /** A step of a job ended. `records`: how many it was for. `refused`: fewer are tried, or the record is left out. */
  "job.step": { readonly work: string; readonly records: number; readonly ended: Ended; readonly ms: number };
}

export type SignalName = keyof SignalTable;
