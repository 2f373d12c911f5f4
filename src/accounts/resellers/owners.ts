// What owning resellers allow: who may hold accounts, how many, with which limits (rules users.owner).
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../../access/index.ts";
import type { Draft } from "../../db/index.ts";
import { invalid, Refusal, rule } from "../../http/index.ts";
import { ResellerRows } from "../records/reseller.entity.ts";
import { OwnerCountRows } from "../records/owner.entity.ts";
import { PlanRows } from "../records/plan.entity.ts";
import type { UserRow } from "../records/user.entity.ts";
import { hasNotStarted } from "../records/user-status.ts";

/** Limits of an account that an owner's role may cap, and whether its time runs already. */
export type CappedLimits = Pick<UserRow, "deviceLimit" | "duration" | "activatedAt" | "expiry">;

/**
 * What a reseller is about to do. `sets`: the field by which it sets what plans say (volume, time, limits, servers),
 * undefined = it does not. `planId`: the plan that it names, 0 = none.
 */
export interface Deed {
  readonly creates: boolean;
  readonly sets: string | undefined;
  readonly planId: number;
}

/** Rules of owners; called inside `decide`, before the account is written. Never for owner 0, the panel. */
export interface Owners {
  /** Whether accounts may be this one's: it is a reseller. */
  holds(draft: Draft, adminId: number): boolean;
  /**
   * Throws 402 or 403 where a cap of the role forbids an account with these limits. `joins`: it is one more for this
   * owner, and is counted: 400 `field: "adminId"` for an id that names no reseller, 402 or 403 where the number or the
   * reseller's end forbids it.
   */
  admit(draft: Draft, adminId: number, limits: CappedLimits, joins: boolean): void;
  /** One account fewer: deleted or moved away. */
  left(draft: Draft, adminId: number): void;
  /**
   * Throws 403 where a reseller may look at its accounts but not change them, may sell plans alone, or names a plan
   * that it was not granted, there or not.
   */
  acts(draft: Draft, adminId: number, deed: Deed): void;
}

interface Reseller {
  readonly admin: Readonly<AdminRow>;
  readonly role: Readonly<RoleRow>;
}

/** The reseller of an id, held as it is until the commit. */
function resellerOf(draft: Draft, adminId: number): Reseller | undefined {
  const admin = draft.find(AdminRows, adminId, "read");
  if (!admin) return undefined;
  const role = draft.find(RoleRows, admin.roleId, "read");
  return role?.base === "resale" ? { admin, role } : undefined;
}

function forbid(field: string, message: string): never {
  throw new Refusal("forbidden", { message: `${field}: ${message}`, field });
}

/** Throws 403 for a field, or counters, that a reseller which sells plans only does not set. */
export function refuseSet(field: string): never {
  forbid(field, "this account sells plans only");
}

/** An absent limit is refused under a cap, not clamped. Of an account that has started, the date alone says its end. */
function checkLimits(role: Readonly<RoleRow>, limits: CappedLimits, now: number): void {
  const { maxDeviceLimit, maxDuration } = role;
  const { deviceLimit, duration, expiry } = limits;
  if (maxDeviceLimit > 0 && (deviceLimit === 0 || deviceLimit > maxDeviceLimit))
    forbid("deviceLimit", `must be 1 to ${maxDeviceLimit}`);
  const waits = hasNotStarted(limits);
  const length = waits ? duration : expiry > 0 ? Math.max(1, expiry - now) : 0;
  if (maxDuration > 0 && (length === 0 || length > maxDuration))
    forbid(waits || (duration === 0 && expiry === 0) ? "duration" : "expiry", `must end within ${maxDuration} seconds`);
}

/** Nobody comes into one whose date is past. */
function refuseEnded({ admin: { expiry } }: Reseller, now: number): void {
  if (expiry > 0 && expiry <= now)
    throw new Refusal("account_expired", { message: "the reseller's account has expired" });
}

/** The role's cap, or both at once, is 402; the account's own alone 403. */
function checkCount({ admin, role }: Reseller, users: number): void {
  if (role.userLimit > 0 && users >= role.userLimit)
    throw new Refusal("cap_reached", { message: `the role's cap of ${role.userLimit} users is reached` });
  if (admin.userLimit > 0 && users >= admin.userLimit)
    throw new Refusal("forbidden", { message: `the reseller's cap of ${admin.userLimit} users is reached` });
}

function count(draft: Draft, adminId: number, by: 1 | -1): void {
  const users = draft.find(OwnerCountRows, adminId)?.users ?? 0;
  draft.upsert(OwnerCountRows, { id: adminId, users: Math.max(0, users + by) });
}

/** The rules over the rows of `access`. */
export const resellerOwners: Owners = {
  holds: (draft, adminId) => resellerOf(draft, adminId) !== undefined,
  admit(draft, adminId, limits, joins) {
    const reseller = resellerOf(draft, adminId);
    // One that is no reseller any more caps nothing of what it still has.
    if (!reseller) return joins ? invalid("adminId", rule("reseller")) : undefined;
    if (joins) refuseEnded(reseller, draft.time);
    checkLimits(reseller.role, limits, draft.time);
    if (!joins) return;
    if ((draft.find(ResellerRows, adminId, "read")?.closedBy ?? "") !== "")
      throw new Refusal("forbidden", {
        message: "the reseller's allowance is spent: it takes no further accounts",
        code: "reseller_closed",
      });
    checkCount(reseller, draft.find(OwnerCountRows, adminId)?.users ?? 0);
    count(draft, adminId, 1);
  },
  left: (draft, adminId) => count(draft, adminId, -1),
  acts(draft, adminId, { creates, sets, planId }) {
    const reseller = resellerOf(draft, adminId);
    if (reseller?.admin.usersReadOnly) throw new Refusal("forbidden", { message: "this account may only read users" });
    if (!reseller?.admin.plansOnly) return;
    const isGranted = reseller.admin.planIds.includes(planId) && draft.find(PlanRows, planId, "read") !== undefined;
    if (planId !== 0 && !isGranted) forbid("planId", "is no plan that was granted to this account");
    if (sets !== undefined) refuseSet(sets);
    if (creates && planId === 0)
      throw new Refusal("forbidden", {
        code: "plan_needed",
        message: "planId: this account sells plans only: name one of its plans",
        field: "planId",
      });
  },
};
