// What the API says of charts and actors, as the inspector reads it.
import type { z } from "zod";
import type * as schema from "../../system/actors/actor.schema.ts";
import type * as log from "../../system/actors/log.schema.ts";

export type Machine = z.output<typeof schema.Machine>;
/** An actor as a row of the list. */
export type Actor = z.output<typeof schema.Actor>;
export type ActorDetail = z.output<typeof schema.ActorDetail>;
export type JournalEntry = z.output<typeof schema.JournalEntry>;

export type LogPage = z.output<typeof log.LogPage>;
export type LogLine = LogPage["rows"][number];

/** The state of an actor whose record is gone. */
export const DELETED = "deleted";

/** The answer to a dry run. */
export interface Preview {
  readonly from: string;
  readonly to: string;
  readonly actions: readonly { readonly type: string; readonly name: string }[];
  /** False: the chart would not react at all. */
  readonly taken: boolean;
  /** Why it would not; empty when it would. */
  readonly refused: string;
  /** The same as a code with values. */
  readonly cause: { readonly code: string; readonly values: readonly (string | number)[] } | null;
}
