// A reseller's allowance and date (rules resellers): once one of them has ended, none of its accounts is served. The
// step that says so takes all of them from the nodes at once; their rows follow in small commits.
//
// The state follows from the reseller's limits and from what its accounts used. `due` says that it is time to look: the
// counters crossed the allowance, the date came, or the period ended.
import { assign, emit, fromPromise, setup } from "xstate";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const RESELLER_CHART_VERSION = 1;

/** Which limit closed it; empty: none. */
export type ClosedBy = "" | "volume" | "expiry";

export interface ResellerContext {
  /** Unix seconds of this step. */
  readonly now: number;
  /** Its role makes it a reseller: the limits of others say nothing. */
  readonly resells: boolean;
  /** Bytes of a period, 0 = unlimited, and what its accounts used of them. */
  readonly volume: number;
  readonly used: number;
  /** Unix seconds, 0 = never. */
  readonly expiry: number;
  /** Unix seconds: where the period began, the next one begins, and the one after it; 0 = no period. */
  readonly periodStart: number;
  readonly nextReset: number;
  readonly followingStart: number;
  readonly followingReset: number;
  /** The limit for which its accounts are off, or about to be. */
  readonly closedBy: ClosedBy;
  /** The rows of all its accounts say so. */
  readonly settled: boolean;
  /** The allowance and the date that were told of when they ended. */
  readonly toldVolume: string;
  readonly toldExpiry: string;
}

export type ResellerEvent =
  /** A person changed its limits or its role. */
  | { type: "edited" }
  /** A deadline was reached: allowance, date, end of the period. */
  | { type: "due" }
  /** The rows of all its accounts have followed. */
  | { type: "followed" };

export type ResellerEmitted =
  /** Once for each allowance of a period, and for each date. */
  | { type: "capReached"; reason: Exclude<ClosedBy, "">; used: number; volume: number }
  /** Its accounts are to follow, from the first. */
  | { type: "turned" }
  /** A period is over: what was used is forgotten. */
  | { type: "periodEnded" };

const STALL_MS = 60_000;

/** The limit that has ended: the date before the allowance. */
export function endedBy({
  resells,
  volume,
  used,
  expiry,
  now,
}: Pick<ResellerContext, "resells" | "volume" | "used" | "expiry" | "now">): ClosedBy {
  if (!resells) return "";
  if (expiry > 0 && expiry <= now) return "expiry";
  return volume > 0 && used >= volume ? "volume" : "";
}

const allowanceOf = ({ volume, periodStart }: ResellerContext) => `${volume}:${periodStart}`;

const chart = setup({
  types: {
    context: {} as ResellerContext,
    input: {} as ResellerContext,
    events: {} as ResellerEvent,
    emitted: {} as ResellerEmitted,
  },
  actors: {
    /** Brings the rows of its accounts in line, step after step; a resident effect. */
    follow: fromPromise(() => Promise.reject(new Error("residents are carried out by the runtime"))),
  },
  delays: { stall: STALL_MS },
  guards: {
    periodOver: ({ context }) => context.nextReset > 0 && context.nextReset <= context.now,
    expiresUntold: ({ context }) =>
      endedBy(context) === "expiry" && context.closedBy !== "expiry" && context.toldExpiry !== String(context.expiry),
    spentUntold: ({ context }) =>
      endedBy(context) === "volume" && context.closedBy !== "volume" && context.toldVolume !== allowanceOf(context),
    ends: ({ context }) => endedBy(context) !== "" && endedBy(context) !== context.closedBy,
    mayServe: ({ context }) => endedBy(context) === "" && context.closedBy !== "",
    closesStill: ({ context }) => endedBy(context) !== "" && !context.settled,
    opensStill: ({ context }) => endedBy(context) === "" && !context.settled,
    isSpent: ({ context }) => endedBy(context) === "volume",
    isExpired: ({ context }) => endedBy(context) === "expiry",
    closesBySpending: ({ context }) => context.closedBy === "volume",
  },
  actions: {
    endPeriod: assign({
      used: 0,
      periodStart: ({ context }) => context.followingStart,
      nextReset: ({ context }) => context.followingReset,
    }),
    turn: assign({ closedBy: ({ context }) => endedBy(context), settled: false }),
    settle: assign({ settled: true }),
    noteExpiry: assign({ toldExpiry: ({ context }) => String(context.expiry) }),
    noteVolume: assign({ toldVolume: ({ context }) => allowanceOf(context) }),
    sayTurned: emit({ type: "turned" }),
    sayPeriodEnded: emit({ type: "periodEnded" }),
    sayCapReached: emit(
      ({ context: { used, volume } }, { reason }: { reason: Exclude<ClosedBy, ""> }) =>
        ({ type: "capReached", reason, used, volume }) as const,
    ),
  },
});

/** Looks at the limits again, after a period that is over has ended. */
const looks = [
  { guard: "periodOver", target: "#reseller.deciding", actions: ["endPeriod", "sayPeriodEnded"] },
  { target: "#reseller.deciding" },
] as const;

export const resellerMachine = chart.createMachine({
  id: "reseller",
  context: ({ input }) => input,
  initial: "deciding",
  on: { edited: [...looks], due: [...looks] },
  states: {
    deciding: {
      description: "The limits are being looked at; left in the same step.",
      always: [
        {
          guard: "expiresUntold",
          target: "closing",
          actions: ["turn", "noteExpiry", "sayTurned", { type: "sayCapReached", params: { reason: "expiry" } }],
        },
        {
          guard: "spentUntold",
          target: "closing",
          actions: ["turn", "noteVolume", "sayTurned", { type: "sayCapReached", params: { reason: "volume" } }],
        },
        { guard: "ends", target: "closing", actions: ["turn", "sayTurned"] },
        { guard: "mayServe", target: "opening", actions: ["turn", "sayTurned"] },
        { guard: "closesStill", target: "closing" },
        { guard: "opensStill", target: "opening" },
        { guard: "isSpent", target: "closed.volume" },
        { guard: "isExpired", target: "closed.expiry" },
        { target: "open" },
      ],
    },
    open: { description: "The reseller's accounts may be served.", meta: { rest: true } },
    closing: {
      description: "No node serves the reseller's accounts any more; their rows are being switched off.",
      invoke: { id: "follow", src: "follow" },
      after: { stall: { target: "closing", reenter: true } },
      on: {
        followed: [
          { guard: "closesBySpending", target: "closed.volume", actions: "settle" },
          { target: "closed.expiry", actions: "settle" },
        ],
      },
    },
    closed: {
      description: "The reseller's accounts are off.",
      initial: "volume",
      states: {
        volume: {
          description: "The allowance is spent; a new period or a larger allowance opens it.",
          meta: { rest: true },
        },
        expiry: { description: "The reseller's date is past; a later date opens it.", meta: { rest: true } },
      },
    },
    opening: {
      description: "The reseller's accounts may be served again; their rows are being switched on.",
      invoke: { id: "follow", src: "follow" },
      after: { stall: { target: "opening", reenter: true } },
      on: { followed: { target: "open", actions: "settle" } },
    },
  },
});

/** What callers read of a state. */
export const RESELLER_STATES = ["open", "closing", "closed", "opening"] as const;
export type ResellerState = (typeof RESELLER_STATES)[number];

/** The state without what is within it. */
export function resellerStateOf(state: string): ResellerState {
  return RESELLER_STATES.find((each) => state === each || state.startsWith(`${each}.`)) ?? "open";
}
