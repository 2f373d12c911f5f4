// Every route and table of this room, and what it does for the HTTP surface.
import type { HttpPorts, Route } from "../http/index.ts";
import type { Access } from "./access.ts";
import { AdminRows, RoleRows } from "./records/admin.entity.ts";
import { adminRoutes } from "./operators/admins.routes.ts";
import { auditLog } from "./audit/audit-log.ts";
import { authenticator } from "./rights/authenticate.ts";
import { banRoutes } from "./login/bans.routes.ts";
import { ChangeRows, CodeAttemptRows, LoginAttemptRows } from "./records/change.entity.ts";
import { changeRoutes } from "./audit/changes.routes.ts";
import { ApiTokenRows, SessionRows } from "./records/credential.entity.ts";
import { InterfaceRows } from "./records/interface.entity.ts";
import { interfaceRoutes } from "./operators/interface.routes.ts";
import { loginRoutes } from "./login/login.routes.ts";
import { meRoutes } from "./operators/me.routes.ts";
import { ownerRoutes } from "./operators/owner.routes.ts";
import { PendingLoginRows } from "./records/pending-login.entity.ts";
import { roleRoutes } from "./operators/roles.routes.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { ssoEntities, ssoRoutes } from "./sso/index.ts";
import { tokenRoutes } from "./operators/tokens.routes.ts";
import { twoFactorRoutes } from "./two-factor/two-factor.routes.ts";

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
