// What other features and the composition root use of accounts.
import type { Route } from "../http/index.ts";
import { OwnerCountRows } from "./owner.entity.ts";
import { DeletedUsageRows, UsageMoveRows, UserRows, UserUsageRows } from "./user.entity.ts";
import { CredentialEntryRows, SharedCredentialRows, UserCredentialRows } from "./user-credential.entity.ts";
import { userVerbRoutes } from "./user-verbs.routes.ts";
import { subFormatsRoute, type SubFormatsDeps } from "./sub-formats.routes.ts";
import { userRoutes } from "./users.routes.ts";

export { CredentialEntry } from "./credential-entry.ts";
export { CredentialKeys } from "./credential-keys.ts";
export { CONTACT_KEYS } from "./contact.ts";
export {
  isSubscriptionDomain,
  subscriptionPlugin,
  type AddressBudget,
  type SubscriptionDeps,
  type Subscriptions,
} from "./subscription.routes.ts";
export type { EntryNode, ServingFleet } from "./serving-fleet.ts";
export { inlineCertificate } from "./inline-certificate.ts";
export { servedCertificate } from "./subscription/certificate.ts";
export type { ServedCertificate } from "./subscription/model.ts";
export { subUrlOf, subscriptionPath, type PublicAddress, type SettingsPort } from "./sub-url.ts";
export { releaseOwnedUsers } from "./owner-departures.ts";
export { servedAccounts } from "./served-accounts.ts";
export { ACCOUNTS_CHANGED, carryOutDepartures } from "./template-departures.ts";
export { defineUserActor, resetCounters, userEvent, userLocks, type UserActor } from "./user.actor.ts";
export {
  DeletedUsageRows,
  UsageMoveRows,
  UserRows,
  UserUsageRows,
  type UserCredentials,
  type UserRow,
  type UserUsageRow,
} from "./user.entity.ts";
export { movesBroughtBack } from "./moves.queries.ts";
export { onlineCount } from "./online.queries.ts";
export { OwnerCountRows } from "./owner.entity.ts";
export { ONLINE_SECONDS, STATUSES, statusOf, statusSql, type UserStatus } from "./user-status.ts";
export { noOwners, resellerOwners, type Owners } from "./owners.ts";

/** Tables of accounts. */
export const accountsEntities = [
  UserRows,
  UserUsageRows,
  DeletedUsageRows,
  UsageMoveRows,
  OwnerCountRows,
  UserCredentialRows,
  SharedCredentialRows,
  CredentialEntryRows,
] as const;

export type AccountsDeps = SubFormatsDeps;

/** Every API route of accounts. Subscriptions are served outside the API, see `subscriptionPlugin`. */
export function accountsRoutes(deps: AccountsDeps): Route[] {
  return [...userVerbRoutes(deps), ...userRoutes(deps), subFormatsRoute(deps)];
}
