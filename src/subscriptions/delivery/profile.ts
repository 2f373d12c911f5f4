// What settings and the panel's address put into the headers of subscriptions, read together: as long as none of it
// changes, it is the same object.
import type { LinkPlace } from "../../accounts/index.ts";
import type { ProxiedOrigin } from "../../http/index.ts";
import type { PublicAddress } from "../../lib/public-address.ts";
import type { SubscriptionSetting } from "../subscriptions.settings.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";

const KEYS = [
  "sub_title",
  "sub_update_interval",
  "sub_support_url",
  "sub_announce",
  "sub_domain",
  "sub_url",
  "sub_basepath",
  "sub_entry_name",
  "sub_placeholder",
  "sub_theme",
  "timezone",
  "web_domain",
] as const satisfies readonly SubscriptionSetting[];

export interface ProfileSettings {
  readonly settings: SubscriptionSettings;
  readonly address: PublicAddress;
}

interface Read extends ProfileSettings {
  readonly values: readonly string[];
}

/** Addresses that are remembered. Proxies name a few; whoever writes names of their own gains nothing by it. */
const MOST = 8;

/** Reads them for a request; gives the same object for an address until one of the settings is another. */
export function profileSettings({
  settings,
  publicAddress,
}: LinkPlace & { readonly settings: SubscriptionSettings }): (proxied: ProxiedOrigin | undefined) => ProfileSettings {
  const kept: Read[] = [];
  return (proxied) => {
    const address = publicAddress(proxied);
    const known = kept.find((each) => isSameAddress(each.address, address));
    if (known && sameValues(known.values, settings)) return known;
    if (known || kept.length === MOST) kept.length = 0;
    const read = { settings, address, values: KEYS.map((key) => settings.get(key)) };
    kept.push(read);
    return read;
  };
}

function isSameAddress({ hosted: one, listener }: PublicAddress, { hosted: other, listener: its }: PublicAddress) {
  const sameHosted = one?.scheme === other?.scheme && one?.host === other?.host && one?.port === other?.port;
  return sameHosted && listener.scheme === its.scheme && listener.port === its.port && listener.hidden === its.hidden;
}

function sameValues(values: readonly string[], settings: SubscriptionSettings): boolean {
  for (let index = 0; index < KEYS.length; index++) {
    const key = KEYS[index];
    if (key !== undefined && settings.get(key) !== values[index]) return false;
  }
  return true;
}
