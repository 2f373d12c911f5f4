// What other tables say of one account: asked for before a change, since a commit's own decision reads nothing that it
// has not locked.
import { sql, type Reader } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import { InboundRows } from "../../pool/index.ts";
import { isOffByHand, offBys, type Standing } from "./off-by.queries.ts";
import type { UserRow, UserUsageRow } from "../records/user.entity.ts";
import type { Acting, UserState } from "./user-change.ts";
import type { UserAnswer } from "./users.schema.ts";
import { userView, type Seen, type ViewDeps } from "./users.queries.ts";

/** For an account that is gone: other tables say nothing of it. */
export const UNSEEN: Seen = { lastInbound: "", offBy: "" };

export function seenOf(reads: Reader, { row, usage }: UserState, caller: Caller): Promise<Seen> {
  return seenBy(reads, row, usage, caller);
}

async function seenBy(
  reads: Reader,
  row: Standing,
  usage: Pick<UserUsageRow, "lastInboundId">,
  caller: Caller,
): Promise<Seen> {
  const [lastInbound, names] = await Promise.all([inboundTag(reads, usage), offBys(reads, [row], caller)]);
  return { lastInbound, offBy: names.get(row.id) ?? "" };
}

/** By key, as many of these are asked for together: a query for each would cost more than all else of a read. */
async function inboundTag(reads: Reader, { lastInboundId }: Pick<UserUsageRow, "lastInboundId">): Promise<string> {
  return lastInboundId === 0 ? "" : ((await reads.find(InboundRows, lastInboundId))?.tag ?? "");
}

interface Before {
  readonly row: Standing & Pick<UserRow, "msince">;
  readonly seen: Seen;
}

/**
 * The state of an account after a change: if it is now switched off by hand, the caller of the change switched it off.
 */
export function seenAfter(before: Before | undefined, { row }: UserState, { caller, origin }: Acting): Seen {
  const lastInbound = before?.seen.lastInbound ?? "";
  if (!isOffByHand(row) || !caller.scopes.has("stats:read")) return { lastInbound, offBy: "" };
  const stays = before !== undefined && isOffByHand(before.row) && before.row.msince === row.msince;
  return { lastInbound, offBy: stays ? before.seen.offBy : origin.actor };
}

/** The view of an account for the answer to its change. */
export async function viewOfChange(
  deps: ViewDeps & { readonly reads: Reader },
  id: number,
  acting: Acting,
): Promise<(state: UserState) => UserAnswer> {
  const before = await rowBefore(deps.reads, id);
  const seen = before && (await seenBy(deps.reads, before.row, before, acting.caller));
  return (after) => userView(after, seenAfter(before && seen && { row: before.row, seen }, after, acting), deps);
}

/** The few columns that are asked for: the change itself reads the whole row under its lock. */
async function rowBefore(
  reads: Reader,
  id: number,
): Promise<(Pick<Before, "row"> & { lastInboundId: number }) | undefined> {
  const [raw] = await reads.query<{
    enable: number | boolean;
    reason: UserRow["disabledReason"];
    state: UserRow["mstate"];
    since: number | string;
    last: number | string | null;
    inbound: number | string;
  }>(
    sql`select u.enable, u.disabled_reason as reason, u.mstate as state, u.msince as since, u.mlast as last,
      g.last_inbound_id as inbound from users u join user_usage g on g.id = u.id where u.id = ${id}`,
  );
  if (!raw) return undefined;
  const { enable, reason, state, since, last, inbound } = raw;
  const row = {
    id,
    enable: Boolean(enable),
    disabledReason: reason,
    mstate: state,
    msince: Number(since),
    mlast: last === null ? null : Number(last),
  };
  return { row, lastInboundId: Number(inbound) };
}
