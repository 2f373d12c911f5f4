// The secret end of our inbound tags in a configuration: a client may name a host with line breaks, which sing-box
// writes into its log as they are; only a line whose tag ends in the mark was written by the engine itself.
import type { Json } from "../process/dialect.ts";

const OURS = /^in\.[1-9]\d*\.[ab]$/;

/** A configuration with the mark at the end of every tag of an inbound of ours, everywhere the tag is used. */
export function withMark(config: Json, mark: string): Json {
  const marked = (value: unknown): unknown => (typeof value === "string" && OURS.test(value) ? value + mark : value);
  const inRule = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inRule);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]: [string, unknown]) => [
        key,
        key === "inbound"
          ? Array.isArray(field)
            ? field.map(marked)
            : marked(field)
          : key === "rules"
            ? inRule(field)
            : field,
      ]),
    );
  };
  const inbounds: unknown = config["inbounds"];
  return {
    ...config,
    route: inRule(config["route"]),
    ...(config["dns"] !== undefined && { dns: inRule(config["dns"]) }),
    inbounds: Array.isArray(inbounds)
      ? inbounds.map((inbound: Json) => ({
          ...inbound,
          tag: marked(inbound["tag"]),
          ...("detour" in inbound && { detour: marked(inbound["detour"]) }),
        }))
      : [],
  };
}

/** The tag without the mark; undefined for one that does not end in it. */
export function unmarked(tag: string, mark: string): string | undefined {
  return tag.endsWith(mark) ? tag.slice(0, tag.length - mark.length) : undefined;
}
