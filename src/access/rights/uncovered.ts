// Refuses a change of an account, role or token that reaches more than the caller does.
import { Refusal, type Caller } from "../../http/index.ts";
import type { RoleRow } from "../records/admin.entity.ts";
import { coversRole, outranks } from "./reach.ts";

/** Throws 403 where the caller may not give a role away: it must hold every scope of it. */
export function refuseUncovered(caller: Caller, role: RoleRow): void {
  if (outranks(role.base, caller.base) || !coversRole(caller, role)) {
    throw new Refusal("forbidden", { message: `the role ${role.name} reaches more than the caller`, field: "role" });
  }
}

/**
 * Throws 403 where the caller may not end, or take over, an account: it must hold every scope of its role, whatever its
 * tier.
 */
export function refuseUncoveredAccount(caller: Caller, role: RoleRow): void {
  if (!coversRole(caller, role))
    throw new Refusal("forbidden", { message: "the account reaches more than the caller" });
}

/** Throws 403 where the caller may not edit an account: one on its own tier or above needs every scope of its role. */
export function refuseUncoveredPeer(caller: Caller, role: RoleRow): void {
  if (!outranks(caller.base, role.base)) refuseUncoveredAccount(caller, role);
}
