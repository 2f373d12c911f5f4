// What the fleet asks of the accounts that its nodes serve: a question of this room, which `accounts` answers. Neither room imports the other.
import type { Entity } from "../db/index.ts";
import type { ServableUser } from "./user-sets.ts";

export interface ServedAccounts {
  /** The accounts' table, as far as the fleet reads it. */
  readonly rows: Entity<ServableUser & { readonly id: number; readonly adminId: number }>;
  /** The fact of commits that changed accounts set by set. */
  readonly changedFact: string;
  /** How long the log of counters that moved is kept at least, in milliseconds. */
  readonly movesKeptMs: number;
}
