// A restore (rules backups.restore): an archive of what is there, a new database made of the archive beside the one in
// use, and the exchange of both. On SQLite the exchange is left to the next start; on PostgreSQL it is one transaction,
// which takes this very actor away: the new database has one that is `applied`.
import { assign, emit, fromPromise, setup } from "xstate";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const RESTORE_CHART_VERSION = 1;

export interface RestoreContext {
  /** Unix seconds of this step. */
  readonly now: number;
  /** Path of the archive of what was there before; empty: none yet, or nothing was there. */
  readonly snapshot: string;
  /** How much the archive holds. */
  readonly tables: number;
  readonly rows: number;
  /** Why it failed, in a sentence, and as a code that callers know; empty while nothing is wrong. */
  readonly error: string;
  readonly code: string;
  /** Unix seconds, 0 = not yet. */
  readonly finishedAt: number;
}

export type RestoreEvent =
  | { type: "xstate.done.actor.snapshot"; output: unknown }
  | { type: "xstate.error.actor.snapshot"; error: unknown }
  | { type: "xstate.done.actor.build"; output: unknown }
  | { type: "xstate.error.actor.build"; error: unknown }
  | { type: "xstate.done.actor.exchange"; output: unknown }
  | { type: "xstate.error.actor.exchange"; error: unknown };

export type RestoreEmitted = { type: "ended" };

const HOUR_MS = 3_600_000;
const SNAPSHOT_MS = 7 * HOUR_MS;
const BUILD_MS = 13 * HOUR_MS;
const EXCHANGE_MS = 2 * HOUR_MS;

const byRuntime = () => Promise.reject(new Error("errands are carried out by the runtime"));

const chart = setup({
  types: {
    context: {} as RestoreContext,
    input: {} as RestoreContext,
    events: {} as RestoreEvent,
    emitted: {} as RestoreEmitted,
  },
  actors: {
    /** Makes an archive of what is there. */
    snapshot: fromPromise(byRuntime),
    /** Makes a database of the archive. */
    build: fromPromise(byRuntime),
    /** Leaves the marker for the next start, or exchanges the tables. */
    exchange: fromPromise(byRuntime),
  },
  delays: { snapshotDeadline: SNAPSHOT_MS, buildDeadline: BUILD_MS, exchangeDeadline: EXCHANGE_MS },
  guards: {
    isRefusal: ({ event }) => "output" in event && textOf(event.output, "refusal") !== "",
    isApplied: ({ event }) => "output" in event && textOf(event.output, "how") === "applied",
  },
  actions: {
    noteSnapshot: assign(({ event }) => ("output" in event ? { snapshot: textOf(event.output, "snapshot") } : {})),
    noteBuilt: assign(({ event }) =>
      "output" in event ? { tables: numberOf(event.output, "tables"), rows: numberOf(event.output, "rows") } : {},
    ),
    noteRefusal: assign(({ event }) =>
      "output" in event ? { error: textOf(event.output, "sentence"), code: textOf(event.output, "refusal") } : {},
    ),
    noteFailure: assign(({ event }) => ({ error: "error" in event ? sentenceOf(event.error) : "it failed" })),
    noteLate: assign({ error: "it was not done in time" }),
    noteEnd: assign({ finishedAt: ({ context }) => context.now }),
    sayEnded: emit({ type: "ended" }),
  },
});

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function textOf(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function numberOf(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === "number" ? found : 0;
}

function sentenceOf(error: unknown): string {
  if (typeof error === "string") return error;
  return textOf(error, "message") || "it failed";
}

export const restoreMachine = chart.createMachine({
  id: "restore",
  context: ({ input }) => input,
  initial: "snapshotting",
  states: {
    snapshotting: {
      description: "An archive of what is there now is being made.",
      invoke: {
        id: "snapshot",
        src: "snapshot",
        onDone: [
          { guard: "isRefusal", target: "failed", actions: "noteRefusal" },
          { target: "building", actions: "noteSnapshot" },
        ],
        onError: { target: "failed", actions: "noteFailure" },
      },
      after: { snapshotDeadline: { target: "failed", actions: "noteLate" } },
    },
    building: {
      description: "The archive is being checked and put into a new database beside the one in use.",
      invoke: {
        id: "build",
        src: "build",
        onDone: [
          { guard: "isRefusal", target: "failed", actions: "noteRefusal" },
          { target: "exchanging", actions: "noteBuilt" },
        ],
        onError: { target: "failed", actions: "noteFailure" },
      },
      after: { buildDeadline: { target: "failed", actions: "noteLate" } },
    },
    exchanging: {
      description: "Nodes that the archive does not know are told to stop, and the databases are being exchanged.",
      invoke: {
        id: "exchange",
        src: "exchange",
        onDone: [{ guard: "isApplied", target: "applied" }, { target: "staged" }],
        onError: { target: "failed", actions: "noteFailure" },
      },
      after: { exchangeDeadline: { target: "failed", actions: "noteLate" } },
    },
    staged: {
      type: "final",
      description: "The new database waits beside the one in use; the next start of the panel exchanges them.",
      entry: ["noteEnd", "sayEnded"],
    },
    applied: {
      type: "final",
      description: "The panel runs on what the archive had.",
      entry: ["noteEnd", "sayEnded"],
    },
    failed: {
      type: "final",
      description: "The restore was given up; everything is as it was before.",
      entry: ["noteEnd", "sayEnded"],
    },
  },
});

/** Whether a restore of this state does nothing any more. */
export function restoreHasEnded(state: string): boolean {
  return state === "staged" || state === "applied" || state === "failed";
}
