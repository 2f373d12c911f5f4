// What other rooms and the panel use of access.
export { AdminRows, RoleRows, type AdminRow, type RoleRow } from "./records/admin.entity.ts";
export type { Allowance } from "./rights/holdings.ts";
export { auditLog } from "./audit/audit-log.ts";
export { createAdmin, disableTwoFactor, resetPassword } from "./operators/admins.cli.ts";
export { feature } from "./feature.ts";
