// What other features and the panel use of accounts.
export { UserRows } from "./users/user.entity.ts";
export { statusSql } from "./users/user-status.ts";
export { feature } from "./feature.ts";
