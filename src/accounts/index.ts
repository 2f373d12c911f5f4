// What other features and the panel use of accounts.
export { feature } from "./feature.ts";
export { NO_DEVICE, deviceClaim, type DeviceClaim } from "./devices/admission.ts";
export { DeviceHandles } from "./devices/device-handles.ts";
export { devicePlaces, type DevicePlaces, type Verdict } from "./devices/device-places.ts";
export { FetchRecords } from "./devices/fetch-records.ts";
export { FORMATS, formatOfName, type Format } from "./links/format-names.ts";
export { askedBy, importLinksOf, isServedHost, publicSubPath, subUrlOf, type LinkPlace } from "./links/sub-url.ts";
export type { LinkSetting } from "./links/subscription-paths.ts";
export {
  deviceRequest,
  isSubscriptionDomain,
  pathOf,
  queryFormat,
  subscriptionPath,
  subscriptionRequest,
} from "./links/subscription-paths.ts";
export { SubRequestRows, UserDeviceRows, type Device, type UserDeviceRow } from "./records/device.entity.ts";
export { STATUSES, hasNotStarted, statusOf, statusSql, type UserStatus } from "./records/user-status.ts";
export { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "./records/user.entity.ts";
export { ACCOUNTS_COUNTED } from "./serving/served-accounts.ts";
export { type UserState } from "./users/user-change.ts";
export { userState } from "./users/users.queries.ts";
export { admitOwner } from "./users/users.routes.ts";
