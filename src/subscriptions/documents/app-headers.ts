// The headers that a row of `sub_rules` may set: those that apps read (rule admins.point.4). Everything else means
// something to browsers, caches or the proxy in front of the panel, or to nobody.
import { linksIn } from "../../http/index.ts";

const named = (names: string): readonly string[] => names.trim().split(/\s+/);

/** What an app shows, or how it behaves. */
const PLAIN = named(`
  profile-title profile-description profile-update-interval subscription-userinfo subscription-refill-date
  announce sort-order update-always color-profile banner-bg-color banner-button-color
  hide-settings hide-url hide-check routing-enable no-limit-enabled app-auto-start local-dns-enable
  sub-expire sub-info-color sub-info-text sub-info-button-text notification-subs-expire subscriptions-collapse
  subscription-always-hwid-enable subscription-autoconnect subscription-autoconnect-type
  subscription-auto-update-enable subscription-auto-update-open-enable subscription-ping-onopen-enabled
  fragmentation-enable fragmentation-type fragmentation-packets fragmentation-length fragmentation-interval
  noises-enable noises-type noises-packet noises-delay noises-applyto
  mux-enable mux-tcp-connections mux-xudp-connections mux-quic sniffing-enable
  ping-type ping-result proxy-enable tun-enable tun-mode tun-type
  per-app-proxy-enable per-app-proxy-mode change-user-agent exclude-apns-enable server-address-resolve-enable
`);

/**
 * What an app follows: links, another address of the subscription, servers that it asks for names, what goes past the
 * tunnel, and the provider at the app's maker that may steer it.
 */
const POINTING = named(`
  support-url profile-web-page-url announce-url premium-url sub-info-button-link sub-expire-button-link
  new-url new-domain fallback-url moved-permanently-to
  routing autorouting custom-tunnel-config exclude-routes per-app-proxy-list
  server-address-resolve-dns-domain server-address-resolve-dns-ip check-url-via-proxy
  providerid
`);

const points: ReadonlySet<string> = new Set(POINTING);
const known: ReadonlySet<string> = new Set([...PLAIN, ...POINTING]);

/** All of them, in the order of the alphabet. */
export const APP_HEADERS: readonly string[] = [...known].toSorted();

export function isAppHeader(name: string): boolean {
  return known.has(name);
}

/** Where a header leads: a pointing one as it is, of others the links in their text. */
export function partsOfHeader(name: string, value: string): readonly string[] {
  if (value === "") return [];
  return (points.has(name) ? [value] : linksIn(plainText(value))).map((part) => `${name}: ${part}`);
}

/** Apps read texts as they are, or behind `base64:`. */
function plainText(value: string): string {
  const [, coded] = /^base64:(.*)$/i.exec(value) ?? [];
  return coded === undefined ? value : Buffer.from(coded, "base64").toString("utf8");
}
