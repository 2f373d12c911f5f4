// What tests use of this room, and no other room does.
export { CredentialEntry } from "./credentials/credential-entry.ts";
export { EntryWalk } from "./entry-walk.ts";
export { UserTextEntryRows } from "./records/text.entity.ts";
export { TextIndexing } from "./search/text-indexing.ts";
export { UserSearch } from "./search/user-search.ts";
export { enterTexts } from "./search/user-texts.ts";
export { USER_COLUMNS } from "./users/users.routes.ts";
export { CredentialKeys } from "./credentials/credential-keys.ts";
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
} from "./records/user.entity.ts";
export { DeletedUserRows } from "./records/deleted-user.entity.ts";
export { OwnerCountRows } from "./records/owner.entity.ts";
export { statusOf } from "./records/user-status.ts";
export { NO_WARNINGS, thresholdsFrom } from "./users/warnings.ts";
export { defineResellerActor, type ResellerActor } from "./resellers/reseller.actor.ts";
export { ResellerRows, ResellerUsageRows } from "./records/reseller.entity.ts";
export { Follower } from "./departures/follower.ts";
export { Resellers } from "./resellers/resellers.ts";
export { resellerOwners, type Owners } from "./resellers/owners.ts";
export { accountsEntities, accountsRoutes } from "./routes.ts";
