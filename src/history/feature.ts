// The history of traffic as the panel takes it: it records what the fleet counts, keeps the sums of hours, days and
// months, and answers what other features ask of them.
import type { Core, Ground, AnyFeature, Opened } from "../feature/index.ts";
import { isToldByWatch } from "../db/index.ts";
import { hasDuty } from "../runtime/index.ts";
import { Fold } from "./fold.ts";
import { forget, HOURS_KEPT_DAYS } from "./forget.ts";
import { historyEntities } from "./history.entity.ts";
import { historySettings } from "./history.settings.ts";
import { Periods } from "./periods.ts";
import type { TrafficQuestions } from "./traffic-questions.ts";
import { recordTraffic } from "./record.ts";
import { Rounds } from "./rounds.ts";
import { HistoryThread } from "./thread.ts";
import { TrafficHistory } from "./traffic.queries.ts";

type HistorySetting = keyof typeof historySettings | "timezone";

/** What the history answers others. */
interface HistoryProvide {
  readonly recordTraffic: typeof recordTraffic;
  readonly traffic: TrafficQuestions;
  readonly historyThread: HistoryThread;
}

interface HistoryNeeds {
  readonly historyThread: HistoryThread;
}

/** The zone in which the panel counts days, as it was when the panel started. */
function periodsOf({ settings }: Pick<Ground<HistorySetting>, "settings">): () => Periods {
  let known: Periods | undefined;
  return () => (known ??= new Periods(settings.textAtStart("timezone")));
}

/** 0 in the setting: without end. */
function daysKept(settings: Ground<HistorySetting>["settings"]): number {
  return settings.number("history_retention_days") || Infinity;
}

function provide(ground: Ground<HistorySetting>): HistoryProvide {
  const { clock, reads, settings, undo } = ground;
  const historyThread = new HistoryThread();
  undo.push(() => historyThread.close());
  const traffic = new TrafficHistory({
    reads,
    thread: historyThread,
    periods: periodsOf(ground),
    now: () => clock.now(),
    hoursKeptDays: HOURS_KEPT_DAYS,
    daysKept: () => daysKept(settings),
  });
  return { recordTraffic, traffic, historyThread };
}

function open(core: Core<HistorySetting>, { historyThread }: HistoryNeeds): Opened {
  const { clock, commits, log, reads, settings, shards, undo } = core;
  const periods = periodsOf(core);
  const now = () => clock.now();
  const fold = new Fold({ commits, reads, thread: historyThread, periods, now });
  const rounds = new Rounds({
    clock,
    holds: () => hasDuty(shards, "history.fold"),
    fold: (going) => fold.run(going),
    forget: (going) => forget({ commits, reads, periods, now, daysKept: () => daysKept(settings) }, going),
    onError: (error) => {
      if (!isToldByWatch(error)) log.warn({ err: error }, "the history of traffic was not folded; it is tried again");
    },
  });
  undo.push(() => rounds.stop());
  return { start: () => rounds.start() };
}

export const feature = {
  name: "history",
  entities: historyEntities,
  settings: historySettings,
  provide,
  open,
} as const satisfies AnyFeature;
