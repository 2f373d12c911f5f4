// What other rooms and the panel use of access.
export { AdminRows, RoleRows, type AdminRow, type RoleRow } from "./admin.entity.ts";
export type { Allowance } from "./holdings.ts";
export { auditLog } from "./audit-log.ts";
export { createAdmin, disableTwoFactor, resetPassword } from "./admins.cli.ts";
export { feature } from "./feature.ts";
