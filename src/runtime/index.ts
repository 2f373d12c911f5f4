// What features use of the runtime.
export {
  actorColumns,
  actorIndexes,
  DELETED,
  EffectRows,
  FAULT_LIMIT,
  JournalRows,
  StateCountRows,
  TimerRows,
  type ActorRow,
  type EffectRow,
  type JournalRow,
  type TimerRow,
} from "./actor.entity.ts";
export { waitsShortened } from "./clock-set.ts";
export { nodesOf, type ChartAction } from "./chart.ts";
export { chartDataOf, type ChartData } from "./chart-data.ts";
export {
  defineActor,
  type ActorKind,
  type Errand,
  type ErrandWork,
  type ResidentEffect,
  type Send,
  type StoredState,
} from "./definition.ts";
export { Problem } from "./problems.schema.ts";
export { chartProblem, problem, type ToldProblem } from "./problems.ts";
export { ActorQuarantined, asideOf, ChartTooNew } from "./errors.ts";
export { EventRows, type EventRow } from "./events.entity.ts";
export { errandId, ErrandLineRows, ErrandRows, type ErrandLineRow } from "./errand.entity.ts";
export { forgetLogs } from "./errand-log.ts";
export {
  DUE,
  ERRAND_LINES,
  EVENT,
  FAULT,
  SHARED_FACTS,
  TRANSITION,
  type FaultChange,
  type Transition,
} from "./facts.ts";
export { enteringEntries, entriesBackFrom, newestEntry } from "./journal.ts";
export { forgetEvents, Outbox, placeEvents, type Deliveries, type RaisedEvent } from "./outbox.ts";
export { hasDuty, onDutyMoved } from "./duties.ts";
export { LeasedShards } from "./shards-leased.ts";
export { ShardRows } from "./shards.entity.ts";
export { effectsReleased, onlyActor } from "./restored.ts";
export { shardOf, SHARDS, SoleShards, type ShardChange, type Shards } from "./shards.ts";
export { wakeActors } from "./due-timers.ts";
export { DUE_TIMER, effectId, timerId } from "./step-actions.ts";
export { upcast } from "./step.ts";
export { stateCounts, stateCountsAt, type StateCount } from "./state-counts.ts";
export { Supervisor, type SupervisorOptions } from "./supervisor.ts";
