// The address under which a user's subscription is published (rule subscriptions.key.6).
import { createHash, randomBytes } from "node:crypto";
import type { ProxiedOrigin } from "../../http/index.ts";
import {
  baseOfSetting,
  isHost,
  originText,
  pathWith,
  readAuthority,
  reachedUnder,
  type PublicAddress,
  type PublicBase,
  type PublicOrigin,
} from "../../lib/public-address.ts";
import { servedUnder, subscriptionPath, type LinkSettings } from "./subscription-paths.ts";
import { happLink, incyLink } from "./import-links.ts";

/** The label under a wildcard domain: it never changes for a subscriber, and cannot be guessed from the name. */
function labelOf(subToken: string): string {
  return createHash("sha256").update(subToken).digest("hex").slice(0, 16);
}

/**
 * Absolute subscription URL of a user: below `sub_url`; without it on the first subscription domain, else where the
 * panel is reached. A wildcard domain gives each subscriber a name of its own wherever links begin.
 */
export function subUrlOf(
  user: { readonly subId: string; readonly subToken: string },
  settings: LinkSettings,
  address: PublicAddress,
): string {
  const path = subscriptionPath(settings);
  const [first = ""] = settings.get("sub_domain").split(",");
  const domain = first.trim();
  const own = domain.startsWith("*.") ? `${labelOf(user.subToken)}${domain.slice(1)}` : undefined;
  const base = subBase(settings);
  if (base) {
    const { scheme, port } = base;
    return `${originText({ scheme, host: own ?? base.host, port })}${pathWith(base.path, path)}/${user.subId}`;
  }
  return `${originText(originOf(own ?? domain, settings, address))}${path}/${user.subId}`;
}

/** Where subscriptions begin without `sub_url`; `domain`: the name that `sub_domain` gives, empty without one. */
function originOf(domain: string, settings: LinkSettings, { hosted, listener }: PublicAddress): PublicOrigin {
  const written = settings.get("web_domain");
  if (hosted) return { ...hosted, host: domain || hosted.host || written || "localhost" };
  // Versions before wrote the request's host into the setting, with its port.
  const old = domain === "" && !isHost(written) ? readAuthority(written) : undefined;
  const { host, port } = old ?? { host: domain || written || "localhost", port: 0 };
  const origin = reachedUnder(host, listener);
  return port === 0 ? origin : { ...origin, port };
}

/** `sub_url`; undefined while it is empty. */
function subBase(settings: LinkSettings): PublicBase | undefined {
  return baseOfSetting(settings.get("sub_url"));
}

/** The path under which a browser has subscriptions: with what a proxy has before the panel's own. */
export function publicSubPath(settings: LinkSettings): string {
  return pathWith(subBase(settings)?.path ?? "", subscriptionPath(settings));
}

/** Whether subscriptions are served under a host name that was asked: under that of `sub_url` in any case. */
export function isServedHost(host: string, settings: LinkSettings): boolean {
  if (servedUnder(host, settings.get("sub_domain"))) return true;
  const base = subBase(settings);
  return base !== undefined && readAuthority(host)?.host === base.host;
}

/** What hands out links: `publicAddress` for a request, or for none. */
export interface LinkPlace {
  readonly publicAddress: (proxied?: ProxiedOrigin) => PublicAddress;
}

/** The same for whoever asked by `request`: links are then made where its proxy says that it was asked. */
export function askedBy<D extends LinkPlace>(
  deps: D,
  request: { readonly proxied: ProxiedOrigin | undefined } | undefined,
): D {
  const proxied = request?.proxied;
  return proxied ? { ...deps, publicAddress: () => deps.publicAddress(proxied) } : deps;
}

/** Links that import a user's subscription into two apps without showing its address; empty without their keys. */
export function importLinksOf(
  user: { readonly name: string; readonly subId: string; readonly subToken: string },
  settings: LinkSettings,
  address: PublicAddress,
): { readonly happ: string; readonly incy: string } {
  const keyOf = (app: "happ" | "incy") => ({
    key: settings.get(`sub_${app}_key`),
    scheme: settings.get(`sub_${app}_scheme`),
  });
  const [happ, incy] = [keyOf("happ"), keyOf("incy")];
  // Every answer about an account has them, and few panels a key.
  if (happ.key === "" && incy.key === "") return { happ: "", incy: "" };
  const url = subUrlOf(user, settings, address);
  return {
    happ: happLink(url, happ),
    incy: incyLink(url, settings.get("sub_title") || user.name, incy, randomBytes(12)),
  };
}
