// What other features and the panel use of accounts.
export { CredentialEntry } from "./credentials/credential-entry.ts";
export { EntryWalk } from "./entry-walk.ts";
export { UserTextEntryRows, UserTextRows } from "./search/text.entity.ts";
export { UserSearch } from "./search/user-search.ts";
export { enterTexts, textsFollow } from "./search/user-texts.ts";
export { USER_COLUMNS } from "./users/users.routes.ts";
export { CredentialKeys } from "./credentials/credential-keys.ts";
export { CONTACT_KEYS } from "./users/contact.ts";
export { isSubscriptionDomain, subscriptionPath } from "./delivery/subscription-paths.ts";
export {
  subscriptionPlugin,
  type AddressBudget,
  type SubscriptionDeps,
  type Subscriptions,
} from "./delivery/subscription.routes.ts";
export type { EntryNode, NodeStanding, ServingFleet } from "./serving/serving-fleet.ts";
export { inlineCertificate } from "./delivery/inline-certificate.ts";
export { servedCertificate } from "./subscription/certificate.ts";
export type { ServedCertificate } from "./subscription/model.ts";
export { subUrlOf, type SettingsPort } from "./delivery/sub-url.ts";
export { releaseOwnedUsers } from "./departures/owner-departures.ts";
export { inboundLeaves } from "./departures/inbound-departures.ts";
export { servedAccounts } from "./serving/served-accounts.ts";
export { ACCOUNTS_CHANGED, carryOutDepartures } from "./departures/template-departures.ts";
export { defineUserActor, resetCounters, userEvent, userLocks, type UserActor } from "./users/user.actor.ts";
export {
  DeletedUsageRows,
  UsageMoveRows,
  UserRows,
  UserUsageRows,
  type UserCredentials,
  type UserRow,
  type UserUsageRow,
} from "./users/user.entity.ts";
export { DeletedUserRows } from "./deleted/deleted-user.entity.ts";
export { movesBroughtBack } from "./serving/moves.queries.ts";
export { onlineCount } from "./users/online.queries.ts";
export { OwnerCountRows } from "./resellers/owner.entity.ts";
export { ONLINE_SECONDS, STATUSES, statusOf, statusSql, type UserStatus } from "./users/user-status.ts";
export { NO_WARNINGS, thresholdsFrom, type WarningThresholds } from "./users/warnings.ts";
export { defineResellerActor, type ResellerActor } from "./resellers/reseller.actor.ts";
export { ResellerRows, ResellerUsageRows, type ResellerRow } from "./resellers/reseller.entity.ts";
export { Follower } from "./resellers/follower.ts";
export { Resellers } from "./resellers/resellers.ts";
export { noOwners, resellerOwners, type Owners } from "./resellers/owners.ts";
export { feature } from "./feature.ts";
export { accountsEntities, accountsRoutes } from "./routes.ts";
