// The formats made of servers, and what each can say. Formats that need more than entries (html, info) have their own
// modules.
import type { Format } from "./formats.ts";
import { linkOf, renderBase64, renderLinks } from "./links.ts";
import type { Entry } from "./model.ts";
import { singBoxOutbound } from "./singbox-outbound.ts";
import { renderSingBox } from "./singbox.ts";
import { xrayOutbound } from "./xray-outbound.ts";
import { renderXray } from "./xray.ts";

export interface EntryFormat {
  /** The body that a client polls. Entries that the format cannot say are left out of it. */
  readonly render: (entries: readonly Entry[]) => string;
  readonly carries: (entry: Entry) => boolean;
}

const hasLink = (entry: Entry): boolean => linkOf(entry) !== undefined;

/** In the order in which they are offered. */
export const ENTRY_FORMAT_NAMES = ["links", "base64", "singbox", "xray"] as const satisfies readonly Format[];
export type EntryFormatName = (typeof ENTRY_FORMAT_NAMES)[number];

export const ENTRY_FORMATS: Readonly<Record<EntryFormatName, EntryFormat>> = {
  links: { render: renderLinks, carries: hasLink },
  base64: { render: renderBase64, carries: hasLink },
  singbox: { render: renderSingBox, carries: (entry) => singBoxOutbound(entry) !== undefined },
  xray: { render: renderXray, carries: (entry) => xrayOutbound(entry, "proxy") !== undefined },
};

export function isEntryFormat(format: Format): format is EntryFormatName {
  return Object.hasOwn(ENTRY_FORMATS, format);
}
