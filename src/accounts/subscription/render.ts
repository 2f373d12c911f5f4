// The renderers by format. Formats that need more than entries (html, info) have their own modules.
import type { Format } from "./formats.ts";
import { renderBase64, renderLinks } from "./links.ts";
import type { Entry } from "./model.ts";
import { renderSingBox } from "./singbox.ts";
import { renderXray } from "./xray.ts";

/** Formats made of entries alone: the body that a client polls. */
export const ENTRY_RENDERERS: Readonly<Partial<Record<Format, (entries: readonly Entry[]) => string>>> = {
  links: renderLinks,
  base64: renderBase64,
  singbox: renderSingBox,
  xray: renderXray,
};
