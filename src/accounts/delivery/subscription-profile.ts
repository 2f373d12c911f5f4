// What settings and the panel's address put into the headers of subscriptions, read together: as long as none of it
// changes, it is the same object.
import type { PublicAddress, SettingsPort, SubscriptionSetting } from "./sub-url.ts";

const KEYS = [
  "sub_title",
  "sub_update_interval",
  "sub_support_url",
  "sub_announce",
  "sub_domain",
  "sub_basepath",
  "sub_entry_name",
  "sub_placeholder",
  "sub_theme",
  "timezone",
  "web_domain",
] as const satisfies readonly SubscriptionSetting[];

export interface ProfileSettings {
  readonly settings: SettingsPort;
  readonly address: PublicAddress;
}

interface Read extends ProfileSettings {
  readonly values: readonly string[];
}

/** Reads them; gives the same object until one of them is another. */
export function profileSettings(settings: SettingsPort, publicAddress: () => PublicAddress): () => ProfileSettings {
  let read: Read | undefined;
  return () => {
    const address = publicAddress();
    if (
      read?.address.port === address.port &&
      read.address.scheme === address.scheme &&
      sameValues(read.values, settings)
    )
      return read;
    read = { settings, address, values: KEYS.map((key) => settings.get(key)) };
    return read;
  };
}

function sameValues(values: readonly string[], settings: SettingsPort): boolean {
  for (let index = 0; index < KEYS.length; index++) {
    const key = KEYS[index];
    if (key !== undefined && settings.get(key) !== values[index]) return false;
  }
  return true;
}
