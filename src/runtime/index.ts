// What features use of the runtime.
export {
  actorColumns,
  EffectRows,
  JournalRows,
  TimerRows,
  type ActorColumns,
  type ActorRow,
  type EffectRow,
  type JournalRow,
  type TimerRow,
} from "./actor.entity.ts";
export { Chart, nodesOf, type ChartAction } from "./chart.ts";
export {
  defineActor,
  EffectRefused,
  type ActorDefinition,
  type ActorKind,
  type EffectRun,
  type QueuedEffect,
  type ResidentEffect,
  type Send,
} from "./definition.ts";
export { ActorMissing, ActorQuarantined } from "./errors.ts";
export { EventRows, type EventRow } from "./events.entity.ts";
export { Outbox, type Deliveries, type RaisedEvent } from "./outbox.ts";
export { DUE_TIMER, effectId, FAULT_LIMIT, timerId, upcast, type Transition } from "./step.ts";
export { Supervisor, type SupervisorOptions } from "./supervisor.ts";
