// The paths of the interface's pages below the base path. The interface's own table of pages agrees with them
// (test/web/serving/page-table.test.ts, which adds what is new).

/** Segments under which every path is a page of the interface; the base path itself is one too. */
export const PAGE_SEGMENTS = [
  "login",
  "setup",
  "dashboard",
  "me",
  "nodes",
  "inbounds",
  "fronts",
  "outbounds",
  "templates",
  "users",
  "plans",
  "jobs",
  "reports",
  "events",
  "webhooks",
  "audit",
  "security",
  "settings",
  "subscription",
  "inspect",
  "admins",
  "resellers",
  "roles",
  "providers",
  "tokens",
  "api/docs",
  "backups",
] as const;

/** First segment of what the pages load. */
export const ASSETS = "assets";
