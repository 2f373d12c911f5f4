// What happens to accounts: the events of this room, as data (docs/events.md).
import { defineEvents, type EventFields } from "../feature/index.ts";

const account: EventFields = { userId: "integer", name: "string", adminId: "integer" };
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
  created: ["account created", account],
  deleted: ["account deleted", account],
  enabled: ["the panel switched an account back on (renewal, usage reset)", account],
  disabled: ["the panel switched an account off", { ...account, reason: "string" }],
  quota_reached: ["an account was switched off because its traffic is used up", { ...account, reason: "string" }],
  expired: ["an account was switched off because its date passed", { ...account, reason: "string" }],
  quota_warning: [
    "usage crossed the traffic-used threshold; once per cap and threshold",
    { ...account, usedPercent: "integer", threshold: "integer", used: "integer", volume: "integer" },
  ],
  expiring: [
    "an account entered a days-before-expiry window; once per window",
    { ...account, expiry: "integer", daysLeft: "integer", threshold: "integer" },
  ],
  renewed: [
    "account renewed; extended says that volume or time was added to what it had",
    { ...account, expiry: "integer", volume: "integer", extended: "boolean" },
  ],
  activated: ["a first-connection plan started", { ...account, expiry: "integer" }],
  first_fetch: ["a client took the configurations for the first time", { ...account, client: "string" }],
  device_limit_reached: [
    "a device was refused because the limit is full; at most once per device per hour",
    { ...account, hwid: "string", limit: "integer" },
  ],
  bulk: ["one bulk operation finished", { op: "string", ...bulk, ids: "integer[]" }],
  generated: ["a batch was generated from a pattern", generated],
});
