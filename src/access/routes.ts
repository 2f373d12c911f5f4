// Every route and table of this room, and what it does for the HTTP surface.
import type { HttpPorts, Route } from "../http/index.ts";
import type { Access } from "./access.ts";
import { AdminRows, RoleRows } from "./admin.entity.ts";
import { adminRoutes } from "./admins.routes.ts";
import { auditLog } from "./audit-log.ts";
import { authenticator } from "./authenticate.ts";
import { banRoutes } from "./bans.routes.ts";
import { ChangeRows, CodeAttemptRows, LoginAttemptRows } from "./change.entity.ts";
import { changeRoutes } from "./changes.routes.ts";
import { ApiTokenRows, SessionRows } from "./credential.entity.ts";
import { InterfaceRows } from "./interface.entity.ts";
import { interfaceRoutes } from "./interface.routes.ts";
import { loginRoutes } from "./login.routes.ts";
import { meRoutes } from "./me.routes.ts";
import { ownerRoutes } from "./owner.routes.ts";
import { PendingLoginRows } from "./pending-login.entity.ts";
import { roleRoutes } from "./roles.routes.ts";
import { setupRoutes } from "./setup.routes.ts";
import { ssoEntities, ssoRoutes } from "./sso/index.ts";
import { tokenRoutes } from "./tokens.routes.ts";
import { twoFactorRoutes } from "./two-factor.routes.ts";

/** Tables of this room. */
export const accessEntities = [
  AdminRows,
  RoleRows,
  InterfaceRows,
  SessionRows,
  PendingLoginRows,
  ApiTokenRows,
  ChangeRows,
  LoginAttemptRows,
  CodeAttemptRows,
  ...ssoEntities,
] as const;

/** Every route of this room. */
export function accessRoutes(access: Access): Route[] {
  const parts = [
    setupRoutes,
    loginRoutes,
    meRoutes,
    interfaceRoutes,
    twoFactorRoutes,
    ssoRoutes,
    roleRoutes,
    adminRoutes,
    ownerRoutes,
    tokenRoutes,
    changeRoutes,
    banRoutes,
  ];
  return parts.flatMap((part) => part(access));
}

/** What the HTTP surface needs of this room. */
export function accessPorts(access: Access): Pick<HttpPorts, "authenticate" | "audit" | "admitDuringSetup"> {
  return {
    authenticate: authenticator(access),
    audit: auditLog(access.settings),
    admitDuringSetup: (token, ip) => access.setup.admit(token, ip),
  };
}
