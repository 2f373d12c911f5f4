// What happens to accounts: the events of this room, as data (docs/events.md).
import { defineEvents, type EventFields } from "../feature/index.ts";

const account: EventFields = { userId: "integer", name: "string", adminId: "integer" };
/** Names of the fields that a change wrote, without counters. */
const written: EventFields = { changed: "string[]" };
const bulk: EventFields = {
  matched: "integer",
  affected: "integer",
  blocked: "integer",
  failed: "integer",
  actor: "string",
  adminId: "integer",
};
const generated: EventFields = {
  pattern: "string",
  count: "integer",
  skipped: "integer",
  planId: "integer",
  actor: "string",
  adminId: "integer",
};

export const accountsEvents = defineEvents("user", "users:read", {
  created: ["account created; changed names the fields that hold something", { ...account, ...written }],
  updated: [
    "fields of an account were written, and no other event of the change tells of it",
    { ...account, ...written },
  ],
  deleted: ["account deleted", account],
  restored: [
    "a deleted account was put back; changed names the fields that hold something",
    { ...account, ...written },
  ],
  enabled: ["the panel switched an account back on (renewal, usage reset)", { ...account, ...written }],
  disabled: [
    "the panel switched an account off; reason: its own volume or expiry, or its reseller's (resale-volume, resale-expiry)",
    { ...account, reason: "string", ...written },
  ],
  suspended: ["a person switched an account off", { ...account, ...written }],
  resumed: ["a person switched an account on", { ...account, ...written }],
  quota_reached: [
    "an account was switched off for traffic; reason: its own (volume), or its reseller's allowance (resale-volume)",
    { ...account, reason: "string", ...written },
  ],
  expired: [
    "an account was switched off for a date; reason: its own (expiry), or its reseller's (resale-expiry)",
    { ...account, reason: "string", ...written },
  ],
  quota_warning: [
    "usage crossed the traffic-used threshold; once per cap and threshold",
    { ...account, usedPercent: "integer", threshold: "integer", used: "integer", volume: "integer", ...written },
  ],
  expiring: [
    "an account entered a days-before-expiry window; once per window",
    { ...account, expiry: "integer", daysLeft: "integer", threshold: "integer", ...written },
  ],
  renewed: [
    "account renewed; extended says that volume or time was added to what it had",
    { ...account, expiry: "integer", volume: "integer", extended: "boolean", ...written },
  ],
  activated: ["a first-connection plan started", { ...account, expiry: "integer", ...written }],
  first_fetch: ["a client took the configurations for the first time", { ...account, client: "string" }],
  device_limit_reached: [
    "a device was refused because the limit is full; at most once per device per hour",
    { ...account, hwid: "string", limit: "integer" },
  ],
  bulk: [
    "one bulk operation finished; ids are the first 10,000, idsTruncated says that there are more",
    { op: "string", ...bulk, ids: "integer[]", idsTruncated: "boolean" },
  ],
  generated: ["a batch was generated from a pattern", generated],
});
