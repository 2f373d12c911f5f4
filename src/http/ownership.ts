// Records that a caller sees. A record of somebody else is answered like one that is not there.
import { type Query, sql } from "../db/index.ts";
import type { Caller } from "./caller.ts";
import type { Condition } from "./list-query.ts";

/** The fields of a caller that say which records it sees. */
export type Owning = Pick<Caller, "base" | "adminId">;

/** Whether the caller sees only records that it owns. */
export function ownsOnly(caller: Pick<Owning, "base">): boolean {
  return caller.base === "resale";
}

/** Whether the caller sees a record of this admin; 0 = nobody's. */
export function visibleTo(caller: Owning, adminId: number): boolean {
  return !ownsOnly(caller) || adminId === caller.adminId;
}

/** The same rule as a condition on the column that holds the admin's id; undefined: the caller sees every record. */
export function visibleSql(caller: Owning, owner: Query): Condition | undefined {
  return ownsOnly(caller) ? sql<boolean>`${owner} = ${caller.adminId}` : undefined;
}
