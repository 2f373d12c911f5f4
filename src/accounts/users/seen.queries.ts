// What other tables say of one account: asked for before a change, since a commit's own decision reads nothing that it
// has not locked.
import type { Reader } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import { InboundRows } from "../../pool/index.ts";
import { isOffByHand, offBys } from "./off-by.queries.ts";
import type { UserUsageRow } from "./user.entity.ts";
import type { Acting, UserState } from "./user-change.ts";
import type { UserAnswer } from "./users.schema.ts";
import { userState, userView, type Seen, type ViewDeps } from "./users.queries.ts";

/** Of an account that is gone. */
export const UNSEEN: Seen = { lastInbound: "", offBy: "" };

export async function seenOf(reads: Reader, { row, usage }: UserState, caller: Caller): Promise<Seen> {
  const [lastInbound, names] = await Promise.all([inboundTag(reads, usage), offBys(reads, [row], caller)]);
  return { lastInbound, offBy: names.get(row.id) ?? "" };
}

/** By key, as many of these are asked for together: a query for each would cost more than all else of a read. */
async function inboundTag(reads: Reader, { lastInboundId }: Pick<UserUsageRow, "lastInboundId">): Promise<string> {
  return lastInboundId === 0 ? "" : ((await reads.find(InboundRows, lastInboundId))?.tag ?? "");
}

interface Before {
  readonly state: UserState;
  readonly seen: Seen;
}

/**
 * The state of an account after a change: if it is now switched off by hand, the caller of the change switched it off.
 */
export function seenAfter(before: Before | undefined, { row }: UserState, { caller, origin }: Acting): Seen {
  const lastInbound = before?.seen.lastInbound ?? "";
  if (!isOffByHand(row) || !caller.scopes.has("stats:read")) return { lastInbound, offBy: "" };
  const stays = before !== undefined && isOffByHand(before.state.row) && before.state.row.msince === row.msince;
  return { lastInbound, offBy: stays ? before.seen.offBy : origin.actor };
}

/** The view of an account for the answer to its change. */
export async function viewOfChange(
  deps: ViewDeps & { readonly reads: Reader },
  id: number,
  acting: Acting,
): Promise<(state: UserState) => UserAnswer> {
  const state = await userState(deps.reads, id);
  const before = state && { state, seen: await seenOf(deps.reads, state, acting.caller) };
  return (after) => userView(after, seenAfter(before, after, acting), deps);
}
