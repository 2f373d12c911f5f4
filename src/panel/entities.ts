// Every table of the panel: what migrations are made from and what a database is opened with.
import { accessEntities } from "../access/index.ts";
import { accountsEntities } from "../accounts/index.ts";
import { certificateEntities } from "../certificates/index.ts";
import type { AnyEntity } from "../db/index.ts";
import { eventEntities } from "../events/index.ts";
import { fleetEntities } from "../fleet/index.ts";
import { httpEntities } from "../http/index.ts";
import { poolEntities } from "../pool/index.ts";
import { EffectRows, JournalRows, ShardRows, StateCountRows, TimerRows } from "../runtime/index.ts";
import { systemEntities } from "../system/index.ts";

export const entities: readonly AnyEntity[] = [
  TimerRows,
  EffectRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  ...eventEntities,
  ...httpEntities,
  ...accessEntities,
  ...systemEntities,
  ...certificateEntities,
  ...poolEntities,
  ...accountsEntities,
  ...fleetEntities,
];
