// Walks a job's journal as the chart would: steps without a gap, timers by their arming, effects by the transition that
// asked for them, events by the transition that raised them.
import type { JournalRow } from "../../src/runtime/index.ts";
import { DUE_TIMER } from "../../src/runtime/index.ts";
import type { OnDisk } from "./disk.ts";
import { backoffOf, DIAL_MS, LIMIT_MS } from "./job.ts";

/** What a job's journal says that must be found elsewhere. */
export interface Lifecycle {
  readonly notes: number;
  /** Effects asked for, as `job:id:rev`. */
  readonly runs: ReadonlySet<string>;
  /** Events that must be in the outbox, as `id:seq:event`. */
  readonly events: ReadonlySet<string>;
  /** Steps by the event `due`, which may or may not have raised one. */
  readonly dues: ReadonlySet<number>;
}

const AFTER = "xstate.after.";
const RAISED: Readonly<Record<string, string>> = {
  note: "job.noted",
  "xstate.done.actor.work": "job.worked",
  "xstate.after.patience.job.waiting": "job.elapsed",
  opened: "job.opened",
};

/** Checks every job's journal against itself and against the rows; says a sentence for whatever does not fit. */
export function checkLifecycles(disk: OnDisk, say: (sentence: string) => void): Map<number, Lifecycle> {
  const lifecycles = new Map<number, Lifecycle>();
  for (const [id, journal] of disk.journals) lifecycles.set(id, walk(id, journal, disk, say));
  for (const id of disk.jobs.keys()) if (!disk.journals.has(id)) say(`job ${id} has no journal`);
  for (const { id, actorId } of disk.timers)
    if (!disk.jobs.has(actorId)) say(`the timer ${id} is left of a job that is gone`);
  for (const { id, actorId } of disk.effects)
    if (!disk.jobs.has(actorId)) say(`the effect ${id} is left of a job that is gone`);
  return lifecycles;
}

class Walk {
  readonly #id: number;
  readonly #patience: number | undefined;
  readonly #say: (sentence: string) => void;
  /** Due times by timer. */
  readonly armed = new Map<string, number>();
  /** Effects asked for and not settled, by invoke: `job:id:rev`. */
  readonly running = new Map<string, string>();
  #attempt = 0;

  constructor(id: number, patience: number | undefined, say: (sentence: string) => void) {
    this.#id = id;
    this.#patience = patience;
    this.#say = say;
  }

  step(entry: JournalRow): void {
    const { event, fromState: from, toState: to, seq } = entry;
    if (event.startsWith(AFTER)) this.#fire(entry);
    for (const invoke of ["work", "check"]) {
      if (event === `xstate.done.actor.${invoke}` || event === `xstate.error.actor.${invoke}`)
        this.#settle(entry, invoke);
    }
    if (event === "lost" || event.startsWith("xstate.after.dialDeadline")) this.#attempt++;
    if (event === "opened") this.#attempt = 0;
    if (from === to && event !== "again") return;
    const was = from ?? "";
    this.#timer("xstate.after.limit.job.busy", was, to, "busy", entry, LIMIT_MS);
    this.#timer("xstate.after.patience.job.waiting", was, to, "waiting", entry, this.#patience);
    this.#timer("xstate.after.patience.job.trapped", was, to, "trapped", entry, this.#patience);
    this.#timer("xstate.after.dialDeadline.job.linked.dialing", was, to, "linked.dialing", entry, DIAL_MS);
    this.#timer("xstate.after.backoff.job.retrying", was, to, "retrying", entry, backoffOf(this.#attempt));
    this.#effect("work", was, to, "busy.working", seq);
    this.#effect("check", was, to, "busy.checking", seq);
  }

  /**
   * Entering a state arms its timer, leaving it cancels the timer, and `again` does both. A removed job's patience is
   * not known any more.
   */
  #timer(
    name: string,
    from: string,
    to: string,
    state: string,
    { event, at }: JournalRow,
    delay: number | undefined,
  ): void {
    const inside = (each: string) => each === state || each.startsWith(`${state}.`);
    if (!inside(to)) this.armed.delete(name);
    else if (!inside(from) || event === "again") this.armed.set(name, at + (delay ?? 0));
  }

  #effect(invoke: string, from: string, to: string, state: string, seq: number): void {
    if (to !== state) this.running.delete(invoke);
    else if (from !== to || seq > 0) this.running.set(invoke, `job:${this.#id}:${seq}`);
  }

  #fire({ event, seq, at }: JournalRow): void {
    const due = this.armed.get(event);
    if (due === undefined) this.#say(`step ${seq} of job ${this.#id}: ${event} was not armed`);
    else if (at < due) this.#say(`step ${seq} of job ${this.#id}: ${event} fired ${due - at} ms early`);
    this.armed.delete(event);
  }

  #settle({ event, seq, changed }: JournalRow, invoke: string): void {
    const run = this.running.get(invoke);
    if (run === undefined) {
      this.#say(`step ${seq} of job ${this.#id}: ${event} settles nothing`);
      return;
    }
    this.running.delete(invoke);
    if (!event.startsWith("xstate.done")) return;
    const { result } = JSON.parse(changed || "{}") as { result?: [string, string] };
    if (!result?.[1].startsWith(`${run}:`))
      this.#say(
        `step ${seq} of job ${this.#id}: ${event} brought the result of ${String(result?.[1])}, asked for was ${run}`,
      );
  }
}

function walk(id: number, journal: readonly JournalRow[], disk: OnDisk, say: (sentence: string) => void): Lifecycle {
  const job = disk.jobs.get(id);
  const runs = new Set<string>();
  const events = new Set<string>();
  const dues = new Set<number>();
  const steps = new Walk(id, job?.patience, say);
  let before: JournalRow | undefined;
  let notes = 0;
  for (const entry of journal) {
    const { seq, event, fromState, effects } = entry;
    if (seq !== (before?.seq ?? 0) + 1) say(`job ${id} has no step ${(before?.seq ?? 0) + 1}`);
    if (fromState !== (before?.toState ?? null))
      say(
        `step ${seq} of job ${id} begins in ${String(fromState)}, the one before ended in ${String(before?.toState)}`,
      );
    steps.step(entry);
    if (effects.includes("work") || effects.includes("check")) runs.add(`job:${id}:${seq}`);
    const raised = RAISED[event];
    if (raised !== undefined) events.add(`${id}:${seq}:${raised}`);
    if (event === "due") dues.add(seq);
    if (event === "note") notes++;
    before = entry;
  }
  if (before?.toState === "deleted") {
    if (job) say(`job ${id} was removed and is there`);
  } else if (!job) say(`job ${id} is gone without a last step`);
  else {
    if (job.rev !== before?.seq || job.mstate !== before.toState)
      say(
        `job ${id} is at ${job.rev} in ${job.mstate}, its journal ends at ${String(before?.seq)} in ${String(before?.toState)}`,
      );
    checkPending(id, steps, disk, say);
  }
  return { notes, runs, events, dues };
}

/** Timers and effects on disk are those that the journal left open. */
function checkPending(id: number, { armed, running }: Walk, disk: OnDisk, say: (sentence: string) => void): void {
  const job = disk.jobs.get(id);
  // Timers of a job in quarantine are put off, and stay so when it is resumed.
  const wasParked = disk.journals.get(id)?.some(({ toState }) => toState === "trapped") === true;
  const timers = new Map(disk.timers.filter(({ actorId }) => actorId === id).map((timer) => [timer.name, timer.dueAt]));
  for (const [name, due] of armed) {
    const found = timers.get(name);
    if (found === undefined) say(`the timer ${name} of job ${id} is missing`);
    else if (found !== due && !(found > due && wasParked))
      say(`the timer ${name} of job ${id} is due ${found - due} ms off`);
  }
  for (const name of timers.keys())
    if (name !== DUE_TIMER && !armed.has(name)) say(`the timer ${name} of job ${id} should be gone`);
  const due = timers.get(DUE_TIMER) ?? null;
  if (job && job.dueAt !== due && !wasParked)
    say(`job ${id} has the deadline ${String(job.dueAt)}, its timer says ${String(due)}`);
  const effects = new Map(
    disk.effects.filter(({ actorId }) => actorId === id).map((effect) => [effect.invokeId, effect.run]),
  );
  for (const [invoke, run] of running)
    if (!effects.get(invoke)?.startsWith(`${run}:`))
      say(`the effect ${invoke} of job ${id} (${run}) is ${effects.get(invoke) ?? "missing"}`);
  for (const invoke of effects.keys())
    if (!running.has(invoke)) say(`the effect ${invoke} of job ${id} should be gone`);
}
