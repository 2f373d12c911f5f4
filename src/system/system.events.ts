// What happens to the panel as a whole: the events of this room, as data (docs/events.md).
import { defineEvents, type EventFields } from "../feature/index.ts";

const certificate: EventFields = {
  kind: "string",
  certificateId: "integer",
  nodeId: "integer",
  name: "string",
  notAfter: "integer",
};
const addon: EventFields = { addonId: "integer", slug: "string", name: "string", signed: "boolean" };
const licence: EventFields = { licenseId: "string", issuedTo: "string", expiresAt: "integer" };

export const systemEvents = {
  ...defineEvents("panel", "stats:read", {
    started: [
      "the panel came up; restored says that a restore was applied",
      { version: "string", listen: "string", restored: "boolean" },
    ],
    stopping: ["clean shutdown", { version: "string" }],
    crashed: [
      "an internal error was caught while answering a request; at most once per route and message every five minutes",
      { method: "string", path: "string", error: "string", version: "string" },
    ],
  }),
  ...defineEvents("panel", "settings:read", {
    setup_completed: ["the setup wizard finished", { username: "string", restart: "boolean" }],
    settings_changed: [
      "a panel-wide setting changed; its value is never carried",
      { setting: "string", actor: "string" },
    ],
  }),
  ...defineEvents("panel", "users:read", {
    restore_applied: [
      "a backup was restored; event ids restart from the backup's",
      { superseded: "string", tables: "integer", rows: "integer" },
    ],
  }),
  ...defineEvents("panel", "certificates:read", {
    cert_renewed: ["a managed certificate was renewed", certificate],
    cert_renew_failed: ["a renewal failed; it is retried every six hours", { ...certificate, error: "string" }],
    cert_expiring: ["an uploaded certificate is close to its end; once per certificate", certificate],
  }),
  ...defineEvents("panel", "pool:read", {
    ruleset_refresh_failed: ["the hourly rule-set refresh failed", { error: "string" }],
  }),
  ...defineEvents("panel", "stats:read", {
    update_available: [
      "a newer release exists; once per release",
      { version: "string", current: "string", url: "string" },
    ],
  }),
  ...defineEvents("panel", "license:write", {
    license_changed: [
      "the licence state changed (licensed, expired, free, or new limits)",
      { licensed: "boolean", reason: "string", previousReason: "string", ...licence, limits: "object" },
    ],
    license_expiring: [
      "the licence ends in 30, 14, 7 or 1 days; once per threshold",
      { ...licence, daysLeft: "integer", threshold: "integer" },
    ],
    license_unverified: [
      "the licence has been unconfirmed for some days; deadline is when it falls back to the free tier",
      { licenseId: "string", verifiedAt: "integer", deadline: "integer", daysLeft: "integer" },
    ],
  }),
  ...defineEvents("panel", "security:read", {
    ip_banned: ["login protection banned an address", { ip: "string", until: "integer", reason: "string" }],
  }),
  ...defineEvents("panel", "tokens:write", {
    addon_registered: ["an addon was registered", addon],
    addon_removed: ["an addon was removed with its token and webhook; the addon itself is sent this first", addon],
    addon_unhealthy: ["an addon's health path failed twice in a row; once per crossing", { ...addon, error: "string" }],
    addon_recovered: ["an unhealthy addon answered again", addon],
    addon_update_waiting: ["a newer signed addon version asks for more than it holds", { ...addon, version: "string" }],
  }),
} as const;
