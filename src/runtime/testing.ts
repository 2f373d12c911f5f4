// What tests use of this room, and no other room does.
export { Chart } from "./chart.ts";
export {
  EffectRefused,
  type ActorDefinition,
  type EffectRun,
  type Errand,
  type ErrandRun,
  type QueuedEffect,
  type ResidentStart,
} from "./definition.ts";
export { ErrandLog, KEPT_LINES, WAITING_LINES } from "./errand-log.ts";
export { type SecretValues } from "./errand-secrets.ts";
export { ActorMissing } from "./errors.ts";
export { EffectFailure, problem } from "./problems.ts";
export { type ShardTimes } from "./shards-leased.ts";
export { StateCounter } from "./state-counts.ts";
