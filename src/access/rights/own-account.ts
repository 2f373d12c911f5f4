// The account behind a caller, as it is stored.
import { notFound, type Caller } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";

export async function ownAccount(
  { reads }: Pick<Access, "reads">,
  { adminId }: Pick<Caller, "adminId">,
): Promise<AdminRow> {
  return (await reads.find(AdminRows, adminId)) ?? notFound("admin", adminId);
}
