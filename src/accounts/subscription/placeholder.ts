// What a user that is served nothing receives instead of servers: one entry whose name says why (rule
// subscriptions.unserved.1).
import type { Entry } from "./model.ts";

/** Statuses with which a user is served; every other gets the placeholder. */
const SERVED = ["active", "pending"];

const BY_STATUS: Readonly<Record<string, string>> = {
  expired: "Expired: please renew",
  limited: "Traffic used up: please renew",
  disabled: "Account is off",
};

/** A disabled account says what the enforcer switched it off for. */
const BY_REASON: Readonly<Record<string, string>> = {
  expiry: "Expired: please renew",
  volume: "Traffic used up: please renew",
  "resale-volume": "Provider's traffic used up",
  "resale-expiry": "Provider's account expired",
};

/** Why the user is served nothing, in words; undefined for one that is served. */
export function refusalText(status: string, disabledReason: string): string | undefined {
  if (SERVED.includes(status)) return undefined;
  const reason =
    status === "disabled" && Object.hasOwn(BY_REASON, disabledReason) ? BY_REASON[disabledReason] : undefined;
  return reason ?? (Object.hasOwn(BY_STATUS, status) ? BY_STATUS[status] : undefined) ?? "Not served";
}

/** An entry that connects nowhere (0.0.0.0 port 1) and is valid in every format. */
export function placeholderEntry(text: string): Entry {
  return {
    name: text,
    protocol: "vless",
    server: "0.0.0.0",
    port: 1,
    uuid: "00000000-0000-0000-0000-000000000000",
    password: "",
    flow: "",
    method: "",
    transport: undefined,
    tls: undefined,
    obfsPassword: "",
    congestionControl: "",
  };
}
