// What other rooms and the panel use of access.
export { openAccess, type Access, type AccessDeps } from "./access.ts";
export { ApiTokenRows, SessionRows } from "./credential.entity.ts";
export { AdminRows, RoleRows, type AdminRow, type RoleRow } from "./admin.entity.ts";
export type { Allowance } from "./holdings.ts";
export { auditLog } from "./audit-log.ts";
export { createAdmin, disableTwoFactor, resetPassword } from "./admins.cli.ts";
export { roleScopes } from "./reach.ts";
export { feature } from "./feature.ts";
export { accessEntities, accessPorts, accessRoutes } from "./routes.ts";
