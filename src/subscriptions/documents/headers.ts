// Headers of a subscription answer (rules subscriptions.header): what clients show about the account, and nothing that
// a cache may keep.
import type { Format } from "../../accounts/index.ts";
import { oneLine } from "../../lib/one-line.ts";

/**
 * What the headers tell. Bytes and Unix seconds; 0 = unlimited, never, none. Texts may be empty: their header is then
 * absent.
 */
export interface Profile {
  readonly up: number;
  readonly down: number;
  readonly volume: number;
  readonly expiry: number;
  /** Next reset of the counters. */
  readonly nextReset: number;
  readonly title: string;
  /** Hours between two polls. */
  readonly updateInterval: number;
  readonly supportUrl: string;
  readonly webPageUrl: string;
  readonly announce: string;
}

const TYPES: Readonly<Record<Format, { readonly contentType: string; readonly extension: string }>> = {
  links: { contentType: "text/plain; charset=utf-8", extension: "txt" },
  base64: { contentType: "text/plain; charset=utf-8", extension: "txt" },
  clash: { contentType: "text/yaml; charset=utf-8", extension: "yaml" },
  singbox: { contentType: "application/json; charset=utf-8", extension: "json" },
  xray: { contentType: "application/json; charset=utf-8", extension: "json" },
  html: { contentType: "text/html; charset=utf-8", extension: "html" },
  info: { contentType: "application/json; charset=utf-8", extension: "json" },
};

/** Formats for people and scripts, which are shown, not saved. */
const INLINE: readonly Format[] = ["html", "info"];
const ANNOUNCE_LENGTH = 200;
/** Making one costs more than using it. */
const CHARACTERS = new Intl.Segmenter();

/** `base64:` and the UTF-8 text in base64: safe for any text in a header. */
function base64Text(text: string): string {
  return `base64:${Buffer.from(text.toWellFormed(), "utf8").toString("base64")}`;
}

/** What a function gave for the last text, which settings say: most answers have the same. */
function ofLast<T>(make: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly made: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}

/** Cut at `length` characters as people count them. */
function shortened(text: string, length: number): string {
  const line = oneLine(text).replaceAll(/\s+/g, " ");
  if (line.length <= length) return line;
  const characters = Array.from(CHARACTERS.segment(line), (part) => part.segment);
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}

/** An absolute http(s) URL as ASCII; undefined for anything else, which must not reach a header. */
function headerUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

const supportOf = ofLast(headerUrl);
const announced = ofLast((text) => {
  const line = shortened(text, ANNOUNCE_LENGTH);
  return line === "" ? "" : base64Text(line);
});

/** Names that are the same in every way of writing them. */
const SIMPLE = /^[\w.-]+$/;

/** RFC 6266: a plain name for old clients and the exact one in UTF-8. */
function disposition(title: string, extension: string): string {
  if (SIMPLE.test(title)) return `attachment; filename="${title}.${extension}"; filename*=UTF-8''${title}.${extension}`;
  const name = oneLine(title.replaceAll(/[/\\]+/g, " ")) || "subscription";
  const ascii = name.replaceAll(/[^\x20-\x7E]|["%;]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encoded}.${extension}`;
}

/** All headers of an answer in `format`. Values are ASCII without line breaks, whatever the texts hold. */
export function subscriptionHeaders(profile: Profile, format: Format): Record<string, string> {
  const { contentType, extension } = TYPES[format];
  const support = supportOf(profile.supportUrl);
  const page = headerUrl(profile.webPageUrl);
  const announce = announced(profile.announce);
  return {
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Subscription-Userinfo": `upload=${profile.up}; download=${profile.down}; total=${profile.volume}; expire=${profile.expiry}`,
    ...(profile.nextReset > 0 ? { "Subscription-Refill-Date": String(profile.nextReset) } : {}),
    ...(profile.title === "" ? {} : { "Profile-Title": base64Text(oneLine(profile.title)) }),
    ...(profile.updateInterval > 0 ? { "Profile-Update-Interval": String(profile.updateInterval) } : {}),
    ...(support === undefined ? {} : { "Support-Url": support }),
    ...(page === undefined ? {} : { "Profile-Web-Page-Url": page }),
    ...(announce === "" ? {} : { Announce: announce }),
    // Where Happ and v2RayTun lead from it.
    ...(announce === "" || support === undefined ? {} : { "Announce-Url": support }),
    ...(INLINE.includes(format) ? {} : { "Content-Disposition": disposition(profile.title, extension) }),
  };
}
