// A piece of long work over many records (rules jobs): it waits for its turn, goes through its records in small commits
// that move its cursor, and ends. How far it is, is in its row; the chart says only whether it goes on.
import { assign, emit, fromPromise, setup } from "xstate";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const JOB_CHART_VERSION = 1;

export interface JobContext {
  /** Unix seconds of this step. */
  readonly now: number;
  /** Records that it is about, as counted when it began. */
  readonly total: number;
  /** Unix seconds, 0 = not yet. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Why it stopped before its end; empty while nothing is wrong. */
  readonly error: string;
  /** Times in a row that no step came in time. */
  readonly stalls: number;
}

export type JobEvent =
  /** A panel has room for it; its records are counted. */
  | { type: "begin"; total: number }
  /** Records were done, in this very commit. */
  | { type: "stepped" }
  /** There are no records left. */
  | { type: "done" }
  /** It may not go on: whoever started it lost the right, or its selection makes no sense any more. */
  | { type: "refused"; error: string }
  /** A person asked to stop it. */
  | { type: "cancel" }
  /** The step that was under way is over. */
  | { type: "rested" };

export type JobEmitted = { type: "ended" };

const TURN_MS = 24 * 3_600_000;
const STALL_MS = 60_000;
const REST_MS = 60_000;
/** Times in a row that a step may be late before the job is given up. */
const STALLS = 10;

const chart = setup({
  types: { context: {} as JobContext, input: {} as JobContext, events: {} as JobEvent, emitted: {} as JobEmitted },
  actors: {
    /** Waits until this panel has room; a resident effect, as the others. */
    turn: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
    /** Carries out step after step. */
    work: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
    /** Waits until the last step is over. */
    rest: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
  },
  delays: { turnDeadline: TURN_MS, stall: STALL_MS, restDeadline: REST_MS },
  guards: { stalledTooOften: ({ context }) => context.stalls + 1 >= STALLS },
  actions: {
    noteBegin: assign(({ context, event }) =>
      event.type === "begin" ? { total: event.total, startedAt: context.now } : {},
    ),
    forgetStalls: assign({ stalls: 0 }),
    countStall: assign({ stalls: ({ context }) => context.stalls + 1 }),
    noteEnd: assign({ finishedAt: ({ context }) => context.now }),
    noteRefusal: assign(({ event }) => (event.type === "refused" ? { error: event.error } : {})),
    noteCancel: assign({ error: "cancelled" }),
    noteNoTurn: assign({ error: "no panel had room for it within a day" }),
    noteStall: assign({ error: "no step succeeded within ten minutes" }),
    sayEnded: emit({ type: "ended" }),
  },
});

export const jobMachine = chart.createMachine({
  id: "job",
  context: ({ input }) => input,
  initial: "queued",
  states: {
    queued: {
      description: "The job waits until a panel has room for it.",
      invoke: { id: "turn", src: "turn" },
      after: { turnDeadline: { target: "failed", actions: "noteNoTurn" } },
      on: {
        begin: { target: "running", actions: "noteBegin" },
        refused: { target: "failed", actions: "noteRefusal" },
        cancel: { target: "cancelled", actions: "noteCancel" },
      },
    },
    running: {
      description: "The job is being carried out.",
      initial: "stepping",
      invoke: { id: "work", src: "work" },
      on: {
        stepped: { target: ".stepping", actions: "forgetStalls" },
        done: "succeeded",
        refused: { target: "failed", actions: "noteRefusal" },
        cancel: { target: "cancelling", actions: "noteCancel" },
      },
      states: {
        stepping: {
          description: "The job goes through its records, some in each commit.",
          after: {
            stall: [
              { guard: "stalledTooOften", target: "#job.failed", actions: "noteStall" },
              { target: "#job.running", reenter: true, actions: "countStall" },
            ],
          },
        },
      },
    },
    cancelling: {
      description: "The job was asked to stop: what is under way ends, then nothing more is done.",
      invoke: { id: "rest", src: "rest" },
      after: { restDeadline: "cancelled" },
      on: { rested: "cancelled" },
    },
    succeeded: {
      type: "final",
      description: "The job went through all of its records.",
      entry: ["noteEnd", "sayEnded"],
    },
    failed: {
      type: "final",
      description: "The job stopped before its end; what was done stays done.",
      entry: ["noteEnd", "sayEnded"],
    },
    cancelled: {
      type: "final",
      description: "A person stopped the job; what was done stays done.",
      entry: ["noteEnd", "sayEnded"],
    },
  },
});

/** What callers read of a state. */
export const JOB_STATES = ["queued", "running", "cancelling", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The state without what is within it. */
export function jobStateOf(state: string): JobState {
  return JOB_STATES.find((each) => state === each || state.startsWith(`${each}.`)) ?? "failed";
}

/** Whether a job of this state does nothing any more. */
export function hasEnded(state: JobState): boolean {
  return state === "succeeded" || state === "failed" || state === "cancelled";
}
