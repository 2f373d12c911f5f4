// What other features and the panel use of accounts.
export { CredentialEntry } from "./credential-entry.ts";
export { EntryWalk } from "./entry-walk.ts";
export { UserTextEntryRows, UserTextRows } from "./search/text.entity.ts";
export { UserSearch } from "./search/user-search.ts";
export { enterTexts, textsFollow } from "./search/user-texts.ts";
export { USER_COLUMNS } from "./users.routes.ts";
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
export { inboundLeaves } from "./inbound-departures.ts";
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
export { DeletedUserRows } from "./deleted/deleted-user.entity.ts";
export { movesBroughtBack } from "./moves.queries.ts";
export { onlineCount } from "./online.queries.ts";
export { OwnerCountRows } from "./owner.entity.ts";
export { ONLINE_SECONDS, STATUSES, statusOf, statusSql, type UserStatus } from "./user-status.ts";
export { NO_WARNINGS, thresholdsFrom, type WarningThresholds } from "./warnings.ts";
export { defineResellerActor, type ResellerActor } from "./resellers/reseller.actor.ts";
export { ResellerRows, ResellerUsageRows, type ResellerRow } from "./resellers/reseller.entity.ts";
export { Follower } from "./resellers/follower.ts";
export { Resellers } from "./resellers/resellers.ts";
export { noOwners, resellerOwners, type Owners } from "./owners.ts";
export { feature } from "./feature.ts";
export { accountsEntities, accountsRoutes } from "./routes.ts";
