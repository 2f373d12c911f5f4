// Every API route and table of accounts.
import type { Route } from "../http/index.ts";
import { SubRequestRows, UserDeviceRows } from "./records/device.entity.ts";
import { DeletedUserRows } from "./records/deleted-user.entity.ts";
import { deviceRoutes } from "./devices/devices.routes.ts";
import { deletedRoutes } from "./deleted/deleted.routes.ts";
import { AccountDayRows } from "./records/growth.entity.ts";
import { growthRoutes } from "./growth/growth.routes.ts";
import { OwnerCountRows } from "./records/owner.entity.ts";
import { PlanRows } from "./records/plan.entity.ts";
import { planRoutes } from "./plans/plans.routes.ts";
import { ResellerRows, ResellerUsageRows } from "./records/reseller.entity.ts";
import { DeletedUsageRows, UsageMoveRows, UserRows, UserUsageRows } from "./records/user.entity.ts";
import { CredentialEntryRows, SharedCredentialRows, UserCredentialRows } from "./records/user-credential.entity.ts";
import { EndedLinkRows } from "./records/ended-link.entity.ts";
import { UserTextEntryRows, UserTextRows, UserTextQueueRows } from "./records/text.entity.ts";
import { userVerbRoutes } from "./users/user-verbs.routes.ts";
import { userRoutes, type UserRoutesDeps } from "./users/users.routes.ts";

/** Tables of accounts. */
export const accountsEntities = [
  UserRows,
  UserUsageRows,
  DeletedUsageRows,
  DeletedUserRows,
  UsageMoveRows,
  OwnerCountRows,
  ResellerRows,
  ResellerUsageRows,
  AccountDayRows,
  PlanRows,
  UserCredentialRows,
  SharedCredentialRows,
  CredentialEntryRows,
  EndedLinkRows,
  UserTextRows,
  UserTextQueueRows,
  UserTextEntryRows,
  UserDeviceRows,
  SubRequestRows,
] as const;

/** Every API route of accounts. */
export function accountsRoutes(deps: UserRoutesDeps): Route[] {
  return [
    ...userVerbRoutes(deps),
    ...deletedRoutes(deps),
    ...userRoutes(deps),
    ...deviceRoutes(deps),
    ...growthRoutes(deps),
    ...planRoutes(deps),
  ];
}
