// What the rest of the code uses of the database.
export { decidedAgainIfTaken } from "./again.ts";
export type { Committed } from "./announcements.ts";
export { commitOf } from "./commit-order.ts";
export { Committer } from "./commit.ts";
export type { Unit } from "./pending.ts";
export { Follower } from "./follow.ts";
export type { Echo } from "./note.ts";
export { openDatabase, type Database } from "./database.ts";
export { Draft } from "./draft.ts";
export { lock, passingLock, type Lock, type RowChange } from "./row-writes.ts";
export { defineFact, Facts, type Fact, type SharedFact } from "./facts.ts";
export {
  DatabaseDamaged,
  DatabaseRefused,
  ElsewhereOnly,
  ExpectationFailed,
  NeedLocks,
  StoreUnavailable,
  UniqueConflict,
  ValueUnfit,
} from "./errors.ts";
export { databaseNow } from "./now.ts";
export { partlySealedText, sealPlace, sealedColumns, sealedText, sealedUnder } from "./sealed.ts";
export { Processes, type Liveness } from "./processes.ts";
export { Reader, sql, type Query } from "./read.ts";
export type { Statement } from "./store.ts";
export { inBatches, sweepLocked, sweepRows, type SweepStore } from "./sweep.ts";
export { trialIds, tryOut } from "./trial.ts";
export {
  blankRow,
  entity,
  type Archived,
  type Dialect,
  type Entity,
  type Key,
  type Row,
  type RowOf,
  type Table,
  type Tables,
} from "./table.ts";
export { newestMigration } from "./migrate.ts";
export type { Built } from "./snapshot/build.ts";
export type { SealText } from "./snapshot/loader.ts";
export { parseDatabaseUrl, type AnyEntity, type Location } from "./orm.ts";
export { isToldByWatch, type WatchOptions } from "./store-watch.ts";
export { DataDirectoryTaken, takeDirectoryLock } from "./sqlite/lock.ts";
export { neutralRow, shapeOf, type NeutralRow, type TableShape } from "./snapshot/snapshot.ts";
