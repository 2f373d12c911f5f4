// What the fleet asks of the accounts that its nodes serve: a question of this room, which `accounts` answers. Neither
// room imports the other.
import type { Entity, Fact, Reader, RowChange, Statement } from "../../db/index.ts";
import type { UserSum } from "./usage-sums.ts";
import type { ServableUser } from "../desired/servable-user.ts";

/** The statements that count users, in the transaction that counts the nodes' batches. Users come in id order. */
export interface UserCounting {
  /**
   * `now`: Unix milliseconds; `moved`: the transaction's moment, Unix microseconds. `all`: each user must be there,
   * else everything is rolled back.
   */
  readonly countUsers: (
    reads: Reader,
    users: readonly UserSum[],
    now: number,
    moved: number,
    all: boolean,
  ) => Statement[];
  /** What accounts used that are deleted. Each of them must be so, else everything is rolled back. */
  readonly countDeletedUsers: (reads: Reader, users: readonly UserSum[], now: number) => Statement[];
  /** Commits say with it whose counters they moved. */
  readonly countedFact: Fact<readonly number[]>;
  /** Forgets which counters moved so long before `moved` that nobody looks for it. */
  readonly forgetMoves: (reads: Reader, moved: number) => Statement;
}

export interface ServedAccounts {
  /** The accounts' table, as far as the fleet reads it. */
  readonly rows: Entity<ServableUser & { readonly id: number; readonly adminId: number }>;
  /** Commits say it that changed accounts set by set. */
  readonly changedFact: Fact<unknown>;
  /** Commits say it that took a deleted inbound out of the accounts that named it. */
  readonly inboundLeftFact: Fact<number>;
  /** Commits say with it the ids of accounts whose open sessions end. */
  readonly sessionsEndFact: Fact<number>;
  /** Commits say it that are parts of one piece of work over many accounts; false: the last of them. */
  readonly partFact: Fact<boolean>;
  readonly counting: UserCounting;
  /** Owners whose accounts no node serves, whatever the rows of the accounts say. */
  readonly withheld: {
    /** Ids of these owners now. */
    readonly owners: (reads: Reader) => Promise<readonly number[]>;
    /** What a change of a row says of an owner; undefined for rows of other tables. */
    readonly ownerOf: (change: RowChange) => { readonly id: number; readonly withheld: boolean } | undefined;
  };
}
