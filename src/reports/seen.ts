// Which traffic a caller sees: everything with `stats:read`; without it, and for resellers, totals, accounts and nodes
// over the accounts that they see (rules traffic.seen).
import { ownsOnly, Refusal, type Caller } from "../http/index.ts";

/** Whether the caller sees the traffic of accounts alone, and not that of owners and inbounds. */
export function seesAccountsAlone(caller: Caller): boolean {
  return ownsOnly(caller) || !caller.scopes.has("stats:read");
}

/** The owners over whose accounts the caller asks; undefined: over all. `adminId`: the one that was asked for. */
export function ownersSeen(caller: Caller, adminId?: number): readonly number[] | undefined {
  if (ownsOnly(caller)) return [caller.adminId];
  return adminId === undefined ? undefined : [adminId];
}

/** Refuses (403) what this caller may not ask; `query` as it came. */
export function refuseUnseen(caller: Caller, query: unknown): void {
  if (!seesAccountsAlone(caller)) return;
  const { by, adminId } = query as { readonly by?: unknown; readonly adminId?: unknown };
  if (by === "admin" || by === "inbound")
    throw new Refusal("scope", {
      message: `the scope stats:read is needed to ask by ${by}`,
      extra: { scope: "stats:read" },
    });
  if (ownsOnly(caller) && adminId !== undefined && adminId !== String(caller.adminId))
    throw new Refusal("forbidden", { message: "a reseller sees its own accounts alone", field: "adminId" });
}
