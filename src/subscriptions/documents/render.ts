// The formats made of servers. Formats that need more than entries (html, info) have their own modules.
import type { Format } from "../../accounts/index.ts";
import { renderClash } from "./clash.ts";
import type { CoreVersion } from "./cores.ts";
import { ENTRY_FORMAT_NAMES, type EntryFormatName } from "./limits.ts";
import { renderBase64, renderLinks } from "./share-links.ts";
import type { Entry } from "./model.ts";
import { renderSingBox } from "./singbox.ts";
import { renderXray } from "./xray.ts";

/**
 * The body that a client polls, for a program of version `core` where that is known. Entries that the format cannot say
 * are left out of it (`limits.ts`).
 */
export const RENDERERS: Readonly<Record<EntryFormatName, (entries: readonly Entry[], core?: CoreVersion) => string>> = {
  links: renderLinks,
  base64: renderBase64,
  clash: renderClash,
  singbox: renderSingBox,
  xray: renderXray,
};

export function isEntryFormat(format: Format): format is EntryFormatName {
  return ENTRY_FORMAT_NAMES.some((name) => name === format);
}
