// The names of formats, as links end with them.

export const FORMATS = ["links", "base64", "clash", "singbox", "xray", "html", "info"] as const;
export type Format = (typeof FORMATS)[number];

/** Every spelling that clients and bots of other panels use. */
const ALIASES: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(FORMATS.map((format) => [format, format])),
  mihomo: "clash",
  "clash-meta": "clash",
  stash: "clash",
  "sing-box": "singbox",
  json: "xray",
  "v2ray-json": "xray",
  v2ray: "base64",
  links_base64: "base64",
};

/** The format of a name or alias; undefined for an unknown one. */
export function formatOfName(name: string): Format | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
}
