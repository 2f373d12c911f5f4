// What an operation on many accounts names and is not there: every account would be refused for it, so the order is
// (rule jobs.bulk.8). Whether it is still there is asked of each account again.
import { AdminRows, RoleRows } from "../../access/index.ts";
import { sql, type Reader } from "../../db/index.ts";
import { invalid, ownsOnly, rule, type Caller } from "../../http/index.ts";
import { PlanRows } from "../records/plan.entity.ts";
import { refuseSet } from "../resellers/owners.ts";
import type { BulkOp } from "./bulk.schema.ts";
import type { BulkArguments } from "./operations.ts";

/** Throws 403 for an operation that the caller may carry out on no account (rule users.owner.5). */
export async function refuseForbidden(reads: Reader, caller: Caller, op: BulkOp, given: BulkArguments): Promise<void> {
  const sets = setBy(op, given);
  if (sets === undefined || !ownsOnly(caller)) return;
  if ((await reads.find(AdminRows, caller.adminId))?.plansOnly === true) refuseSet(sets);
}

/** What an operation sets of what plans say, on every account alike. */
function setBy(op: BulkOp, { days, expiry }: BulkArguments): string | undefined {
  if (op === "reset-usage") return "used";
  if (op !== "renew") return undefined;
  return expiry !== undefined ? "expiry" : days !== undefined ? "days" : undefined;
}

/** Throws 400 that names the field. */
export async function refuseAbsent(reads: Reader, caller: Caller, op: BulkOp, given: BulkArguments): Promise<void> {
  const { planId = 0, adminId = 0, set = {} } = given;
  if (op === "renew" && planId !== 0 && !(await reads.find(PlanRows, planId)))
    invalid("planId", rule("absent", "plan", planId));
  if (op === "assign") await refuseOtherOwner(reads, "adminId", adminId);
  if (op !== "edit") return;
  // Which ids are resellers is not a reseller's to learn; each account says that it stays its own.
  if (!ownsOnly(caller)) await refuseOtherOwner(reads, "set.adminId", set.adminId ?? 0);
  await refuseMissing(reads, "template", "set.templateIds", set.templateIds ?? []);
  await refuseMissing(reads, "inbound", "set.inboundIds", set.inboundIds ?? []);
}

async function refuseOtherOwner(reads: Reader, field: string, adminId: number): Promise<void> {
  if (adminId === 0) return;
  const admin = await reads.find(AdminRows, adminId);
  const role = admin && (await reads.find(RoleRows, admin.roleId));
  if (role?.base !== "resale") invalid(field, rule("reseller"));
}

async function refuseMissing(
  reads: Reader,
  what: "template" | "inbound",
  field: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await reads.query<{ id: number | string }>(
    sql`select id from ${sql.table(`${what}s`)} where id in (${sql.join([...ids])})`,
  );
  const found = new Set(rows.map(({ id }) => Number(id)));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) invalid(field, rule("absent", what, missing));
}
