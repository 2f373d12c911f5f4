// The life of a node as the panel sees it: switched off, being reached, serving, refused by its engine, or out of reach
// (rules nodes.status).
//
// A link runs as long as the node should be reached. It connects, authenticates, and reports what happens as events. It
// never decides: every deadline and every wait is a state of this chart.
import { assign, emit, fromPromise, setup } from "xstate";
import type { NodeCause } from "./node-cause.ts";
import type { NodeContext, NodeEmitted, NodeEvent, NodeFailure } from "./node-context.ts";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const NODE_CHART_VERSION = 2;

const DIAL_MS = 20_000;
const SYNC_MS = 60_000;
/** Added to the sync's deadline for each user that it may carry. */
const SYNC_MS_PER_USER = 2;
const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 300_000;

/** By the event that told of it; a deadline that passed is an agent out of reach. */
const FAILURES: Readonly<Record<string, NodeFailure>> = {
  "link.refused": "refused",
  "link.duplicate": "duplicate",
  "link.mismatched": "mismatched",
};

/** Whether the agent of a node that goes off cannot be told. */
const unreached = ({ context }: { readonly context: NodeContext }): boolean =>
  context.unreached || (context.failed !== "" && context.failed !== "refused");

const NO_TROUBLE = { troubleSince: 0, failures: 0, failed: "", holder: 0, cause: null } as const;

/** What an event tells of a failure; undefined where it tells of none. */
function causeIn(event: NodeEvent): NodeCause | undefined {
  if (!("message" in event)) return undefined;
  if (event.type === "link.refused") return { code: "refused", values: [] };
  return event.cause ?? { code: "failed", values: [event.message] };
}

const chart = setup({
  types: { context: {} as NodeContext, input: {} as NodeContext, events: {} as NodeEvent, emitted: {} as NodeEmitted },
  actors: {
    /** Carried out by the runtime as a resident effect. */
    link: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
    /** Watches the node that has the agent; a resident effect too. */
    turn: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
  },
  delays: {
    dialDeadline: DIAL_MS,
    syncDeadline: ({ context }) => SYNC_MS + context.users * SYNC_MS_PER_USER,
    backoff: ({ context }) => context.retryIn,
  },
  guards: {
    off: ({ context }) => !context.enabled,
    limited: ({ context }) => context.limited,
    unlicensed: ({ context }) => !context.licensed,
    mayRun: ({ context }) => context.enabled && !context.limited && context.licensed,
  },
  actions: {
    noteGreeting: assign(({ context, event }) =>
      event.type === "link.opened"
        ? {
            fingerprint: event.fingerprint,
            users: event.users,
            coreVersion: event.coreVersion,
            nodeVersion: event.nodeVersion,
            arch: event.arch,
            setup: event.setup,
            engine: event.engine,
            infoSeenAt: context.now,
            unreached: false,
          }
        : {},
    ),
    noteWarnings: assign(({ event }) =>
      event.type === "link.synced" || event.type === "link.warned"
        ? { warnings: event.warnings, notices: event.notices ?? [] }
        : {},
    ),
    /** Failures are not forgotten yet: an agent that answers well and then harms would be dialled without a pause. */
    noteConnected: assign({ message: "", ...NO_TROUBLE }),
    noteFailure: assign(({ context, event }) => {
      const jitter = "jitter" in event ? event.jitter : 0.5;
      const failed = "steady" in event && event.steady ? 0 : context.attempt;
      const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failed, 20));
      // From the second failure on no pause is shorter than the one before could be.
      const share = failed === 0 ? jitter : 0.5 + jitter / 2;
      return {
        message: "message" in event ? event.message : context.message,
        cause: causeIn(event) ?? context.cause,
        attempt: failed + 1,
        retryIn: Math.max(50, Math.round(ceiling * share)),
        // An attempt that fails like the one before is no new trouble.
        troubleSince: context.troubleSince || context.now,
        failures: context.failures + 1,
        failed: FAILURES[event.type] ?? "unreachable",
        holder: event.type === "link.duplicate" ? event.holder : 0,
      };
    }),
    noteDialDeadline: assign({
      message: `the agent did not greet within ${DIAL_MS / 1000} s`,
      cause: { code: "no_greeting", values: [DIAL_MS / 1000] },
    }),
    noteSyncDeadline: assign({
      message: "the agent did not take the configuration in time",
      cause: { code: "late_configuration", values: [] },
    }),
    forgetFailures: assign({ message: "", attempt: 0, retryIn: 0, ...NO_TROUBLE }),
    noteOff: assign({
      unreached,
      message: "switched off",
      warnings: [],
      notices: [],
      ...NO_TROUBLE,
      cause: { code: "off", values: [] },
    }),
    noteLimit: assign({
      unreached,
      message: "the usage limit of the period is reached",
      warnings: [],
      ...NO_TROUBLE,
      cause: { code: "limit", values: [] },
    }),
    noteUnlicensed: assign({
      unreached,
      message: "outside the licence's node cap",
      warnings: [],
      ...NO_TROUBLE,
      cause: { code: "licence", values: [] },
    }),
    sayConnected: emit({ type: "connected" }),
    sayDisconnected: emit({ type: "disconnected" }),
    sayLimitReached: emit(({ context }) => ({ type: "limitReached" as const, used: context.periodUsed })),
  },
});

/** What may stop the node. `limited`: what is done where it is the usage limit. */
const stops = <const A extends object>(limited: A) =>
  [
    { guard: "off", target: "#node.disabled.manual" },
    { guard: "limited", target: "#node.disabled.limit", ...limited },
    { guard: "unlicensed", target: "#node.disabled.licence" },
  ] as const;

/** Looked at whenever something that may stop the node has changed. */
const whetherStopped = stops({ actions: "sayLimitReached" });

/** The link ended, or leads to another agent than it should. */
const lostLink = <const A>(actions: A) =>
  ({
    "link.lost": { target: "#node.error.waiting", actions },
    "link.duplicate": { target: "#node.error.duplicate", actions },
    "link.mismatched": { target: "#node.error.mismatched", actions },
  }) as const;

/** Off for something that a change may have ended. */
const mayRunAgain = { guard: "mayRun", target: "#node.deciding", actions: "forgetFailures" } as const;

const syncInTime = {
  syncDeadline: { target: "#node.error.waiting", actions: ["noteSyncDeadline", "noteFailure"] },
} as const;

export const nodeMachine = chart.createMachine({
  id: "node",
  context: ({ input }) => input,
  initial: "deciding",
  on: { switchOff: ".disabled.manual", moved: { target: ".deciding", actions: "forgetFailures" } },
  states: {
    deciding: {
      description: "Whether the node should run is being looked at; left in the same step.",
      // The limit is said of a node that it stops, not of one that it does not let begin.
      always: [...stops({}), { target: "linked" }],
    },
    disabled: {
      description: "The node does not run: a person, the usage limit or the licence keeps it off.",
      initial: "manual",
      states: {
        manual: {
          description: "A person switched the node off.",
          meta: { rest: true },
          entry: "noteOff",
          on: { switchOn: { target: "#node.deciding", actions: "forgetFailures" } },
        },
        limit: {
          description: "The usage limit of the period is reached; a new period or a higher limit brings the node back.",
          meta: { rest: true },
          entry: "noteLimit",
          on: {
            edited: mayRunAgain,
            due: mayRunAgain,
          },
        },
        licence: {
          description: "The node is outside the licence's cap; a larger licence brings it back.",
          meta: { rest: true },
          entry: "noteUnlicensed",
          on: {
            edited: mayRunAgain,
            due: { guard: "mayRun", target: "#node.deciding" },
          },
        },
      },
    },
    linked: {
      description: "The node should run: a link to its agent is kept, or being made.",
      initial: "connecting",
      invoke: { id: "link", src: "link" },
      on: {
        edited: whetherStopped,
        due: whetherStopped,
        reconnect: "#node.restarting",
        repinned: "#node.restarting",
        "link.refused": { target: ".refused", actions: "noteFailure" },
        ...lostLink("noteFailure"),
      },
      states: {
        connecting: {
          description: "The link is being made: the agent is reached first, then given what it should run.",
          initial: "dialing",
          states: {
            dialing: {
              description: "The agent is being reached: TLS, its key, greeting.",
              after: { dialDeadline: { target: "#node.error.waiting", actions: ["noteDialDeadline", "noteFailure"] } },
              on: { "link.opened": { target: "syncing", actions: "noteGreeting" } },
            },
            syncing: {
              description: "The agent is taking over the configuration.",
              after: syncInTime,
              on: {
                "link.opened": { actions: "noteGreeting" },
                "link.synced": {
                  target: "#node.linked.connected",
                  actions: ["noteWarnings", "noteConnected", "sayConnected"],
                },
              },
            },
          },
        },
        connected: {
          description: "The agent answers and runs what is wanted, except for its warnings.",
          meta: { rest: true },
          on: {
            "link.opened": { actions: "noteGreeting" },
            "link.synced": { actions: ["noteWarnings", "noteConnected"] },
            "link.warned": { actions: "noteWarnings" },
            "link.refused": { target: "refused", actions: ["noteFailure", "sayDisconnected"] },
            ...lostLink(["noteFailure", "sayDisconnected"]),
          },
        },
        refused: {
          description:
            "The agent answers, but its engine refuses the configuration; what ran before goes on running there.",
          initial: "waiting",
          states: {
            waiting: {
              description:
                "The engine refused the configuration; it is asked again later, and as soon as the configuration changes.",
              after: { backoff: "trying" },
            },
            trying: {
              description: "The engine is asked once more whether it takes the configuration.",
              after: syncInTime,
            },
          },
          on: {
            "link.opened": { target: ".trying", actions: "noteGreeting" },
            "link.warned": { actions: "noteWarnings" },
            "link.synced": { target: "connected", actions: ["noteWarnings", "noteConnected", "sayConnected"] },
          },
        },
      },
    },
    restarting: {
      description: "The link is given up for a new one; left in the same step.",
      entry: "forgetFailures",
      always: "linked",
    },
    error: {
      description: "The node has no link to an agent; what an agent was told last goes on running there.",
      initial: "waiting",
      on: {
        reconnect: { target: "deciding", actions: "forgetFailures" },
        repinned: { target: "deciding", actions: "forgetFailures" },
        edited: whetherStopped,
        due: whetherStopped,
      },
      states: {
        waiting: {
          description: "The agent could not be reached; the next attempt is set.",
          after: { backoff: "#node.deciding" },
        },
        duplicate: {
          description:
            "The agent that answers serves another node, which keeps it; the next look is set, and taken at once when that node lets go.",
          invoke: { id: "turn", src: "turn" },
          after: { backoff: "#node.deciding" },
          on: { "link.freed": { target: "#node.deciding", actions: "forgetFailures" } },
        },
        mismatched: {
          description:
            "The agent that answers has another key than the saved one; the panel waits until the new key is trusted or the node is moved.",
          meta: { rest: true },
        },
      },
    },
  },
});

export type NodeStatus = "connecting" | "connected" | "error" | "disabled";

/** The wire's status of a state. */
export function nodeStatusOf(state: string): NodeStatus {
  if (state === "linked.connected") return "connected";
  if (state.startsWith("disabled.")) return "disabled";
  return state.startsWith("error.") || state.startsWith("linked.refused.") ? "error" : "connecting";
}

/** Whether the last word of the node's engine is that it refuses the configuration. */
export function isRefused(state: string): boolean {
  return state === "linked.refused.waiting";
}

/** Whether the agent of a node in that state is linked and can be asked. */
export function isLinked(state: string): boolean {
  return state === "linked.connected" || state.startsWith("linked.refused.");
}
