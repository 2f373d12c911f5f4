// Every API route and table of accounts.
import type { Route } from "../http/index.ts";
import { appConfigsRoute } from "./app-configs/app-configs.routes.ts";
import { SubRequestRows, UserDeviceRows } from "./devices/device.entity.ts";
import { DeletedUserRows } from "./deleted/deleted-user.entity.ts";
import { deletedRoutes } from "./deleted/deleted.routes.ts";
import { deviceRoutes } from "./devices/devices.routes.ts";
import { AccountDayRows } from "./growth/growth.entity.ts";
import { growthRoutes } from "./growth/growth.routes.ts";
import { OwnerCountRows } from "./resellers/owner.entity.ts";
import { PlanRows } from "./plans/plan.entity.ts";
import { planRoutes } from "./plans/plans.routes.ts";
import { ResellerRows, ResellerUsageRows } from "./resellers/reseller.entity.ts";
import { DeletedUsageRows, UsageMoveRows, UserRows, UserUsageRows } from "./users/user.entity.ts";
import { CredentialEntryRows, SharedCredentialRows, UserCredentialRows } from "./credentials/user-credential.entity.ts";
import { EndedLinkRows } from "./links/ended-link.entity.ts";
import { UserTextEntryRows, UserTextRows } from "./search/text.entity.ts";
import { userVerbRoutes } from "./users/user-verbs.routes.ts";
import { pageTrialRoute } from "./delivery/sub-page.routes.ts";
import { previewRoutes, type PreviewDeps } from "./delivery/sub-preview.routes.ts";
import { subFormatsRoute } from "./delivery/sub-formats.routes.ts";
import { userRoutes } from "./users/users.routes.ts";
import { verdictRoute, type VerdictDeps } from "./verdict/verdict.routes.ts";

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
  UserTextEntryRows,
  UserDeviceRows,
  SubRequestRows,
] as const;

export type AccountsDeps = VerdictDeps & PreviewDeps;

/** Every API route of accounts. Subscriptions are served outside the API, see `subscriptionPlugin`. */
export function accountsRoutes(deps: AccountsDeps): Route[] {
  return [
    ...userVerbRoutes(deps),
    ...deletedRoutes(deps),
    ...userRoutes(deps),
    subFormatsRoute(deps),
    appConfigsRoute(deps),
    ...deviceRoutes(deps),
    ...previewRoutes(deps),
    verdictRoute(deps),
    pageTrialRoute(deps),
    ...growthRoutes(deps),
    ...planRoutes(deps),
  ];
}
