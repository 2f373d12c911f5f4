// What tests use of this room, and no other room does.
export { CredentialEntry } from "./credentials/credential-entry.ts";
export { EntryWalk } from "./entry-walk.ts";
export { UserTextEntryRows } from "./search/text.entity.ts";
export { UserSearch } from "./search/user-search.ts";
export { enterTexts } from "./search/user-texts.ts";
export { USER_COLUMNS } from "./users/users.routes.ts";
export { CredentialKeys } from "./credentials/credential-keys.ts";
export { subscriptionPlugin, type Subscriptions } from "./delivery/subscription.routes.ts";
export type { EntryNode, NodeStanding } from "./serving/serving-fleet.ts";
export { inlineCertificate } from "./delivery/inline-certificate.ts";
export { releaseOwnedUsers } from "./departures/owner-departures.ts";
export { inboundLeaves } from "./departures/inbound-departures.ts";
export { servedAccounts } from "./serving/served-accounts.ts";
export { ACCOUNTS_CHANGED, carryOutDepartures } from "./departures/template-departures.ts";
export { defineUserActor, type UserActor } from "./users/user.actor.ts";
export {
  DeletedUsageRows,
  UsageMoveRows,
  UserUsageRows,
  type UserRow,
  type UserUsageRow,
} from "./users/user.entity.ts";
export { DeletedUserRows } from "./deleted/deleted-user.entity.ts";
export { OwnerCountRows } from "./resellers/owner.entity.ts";
export { statusOf } from "./users/user-status.ts";
export { NO_WARNINGS, thresholdsFrom } from "./users/warnings.ts";
export { defineResellerActor, type ResellerActor } from "./resellers/reseller.actor.ts";
export { ResellerRows, ResellerUsageRows } from "./resellers/reseller.entity.ts";
export { Follower } from "./resellers/follower.ts";
export { Resellers } from "./resellers/resellers.ts";
export { resellerOwners, type Owners } from "./resellers/owners.ts";
export { accountsEntities, accountsRoutes } from "./routes.ts";
