// The address under which a user's subscription is published (rule subscriptions.key.6).
import { createHash, randomBytes } from "node:crypto";
import type { accountsSettings } from "../accounts.settings.ts";
import { subscriptionPath } from "./subscription-paths.ts";
import { happLink, incyLink } from "../subscription/import-links.ts";

/** Settings by key, as they are now. */
export interface SettingsPort {
  readonly get: (key: SubscriptionSetting) => string;
}

/** The settings by which subscriptions are made and found: those of accounts, and the panel's names and paths. */
export type SubscriptionSetting =
  | keyof typeof accountsSettings
  | "sub_basepath"
  | "sub_domain"
  | "timezone"
  | "web_domain"
  | `sub_${"happ" | "incy"}_${"key" | "scheme"}`;

/** How the panel is reached from outside. */
export interface PublicAddress {
  readonly scheme: "http" | "https";
  readonly port: number;
}

const DEFAULT_PORTS = { http: 80, https: 443 };

/** The label under a wildcard domain: it never changes for a subscriber, and cannot be guessed from the name. */
function labelOf(subToken: string): string {
  return createHash("sha256").update(subToken).digest("hex").slice(0, 16);
}

/** Absolute subscription URL of a user: on the first subscription domain, else on the panel's own. */
export function subUrlOf(
  user: { readonly subId: string; readonly subToken: string },
  settings: SettingsPort,
  address: PublicAddress,
): string {
  const [first = ""] = settings.get("sub_domain").split(",");
  const domain = first.trim() || settings.get("web_domain") || "localhost";
  const host = domain.startsWith("*.") ? `${labelOf(user.subToken)}${domain.slice(1)}` : domain;
  // The setting may carry a port of its own: the request's host during setup does.
  const port = /:\d+$/.test(host) || address.port === DEFAULT_PORTS[address.scheme] ? "" : `:${address.port}`;
  return `${address.scheme}://${host}${port}${subscriptionPath(settings)}/${user.subId}`;
}

/** Links that import a user's subscription into two apps without showing its address; empty without their keys. */
export function importLinksOf(
  user: { readonly name: string; readonly subId: string; readonly subToken: string },
  settings: SettingsPort,
  address: PublicAddress,
): { readonly happ: string; readonly incy: string } {
  const url = subUrlOf(user, settings, address);
  const keyOf = (app: "happ" | "incy") => ({
    key: settings.get(`sub_${app}_key`),
    scheme: settings.get(`sub_${app}_scheme`),
  });
  return {
    happ: happLink(url, keyOf("happ")),
    incy: incyLink(url, settings.get("sub_title") || user.name, keyOf("incy"), randomBytes(12)),
  };
}
