// What happens to operators: the events of this room, as data (docs/events.md).
import { defineEvents, type EventFields } from "../feature/index.ts";

const admin: EventFields = { adminId: "integer", username: "string" };

export const accessEvents = defineEvents("admin", "admins:write", {
  login: ["an operator logged in", { ...admin, ip: "string" }],
  login_failed: [
    "a login was refused; stage is mfa for a wrong two-factor code",
    { username: "string", ip: "string", stage: "string" },
  ],
  login_new_ip: [
    "a login from an address other than the previous login's",
    { ...admin, ip: "string", previousIp: "string" },
  ],
  "2fa_changed": ["two-factor turned on or off", { ...admin, enabled: "boolean" }],
  owner_changed: ["the panel was handed to another main admin", { ...admin, previous: "string" }],
  resale_cap_reached: [
    "a reseller spent its allowance or expired; reason is volume or expiry",
    { ...admin, reason: "string", used: "integer", volume: "integer" },
  ],
});
