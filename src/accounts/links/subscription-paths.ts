// Which requests are for subscriptions: by their address, and by the host name that they name (rules
// subscriptions.key). Settings decide it, and each is read once for each text.

/** The settings that links are made of. */
export type LinkSetting =
  | "sub_basepath"
  | "sub_domain"
  | "sub_title"
  | "sub_url"
  | "web_domain"
  | `sub_${"happ" | "incy"}_${"key" | "scheme"}`;

/** Settings by key, as they are now. */
export interface LinkSettings {
  readonly get: (key: LinkSetting) => string;
}

/** A request for a subscription, or for something else below its path. */
export interface SubscriptionRequest {
  readonly key: string;
  /** The format in the path; empty without one. */
  readonly format: string;
}

/** The key and format of a path; undefined for a path that is none of ours. `/sub` alone is not. */
export function subscriptionRequest(path: string, base: string): SubscriptionRequest | undefined {
  if (!path.startsWith(base) || path[base.length] !== "/") return undefined;
  const from = base.length + 1;
  const end = path.indexOf("/", from);
  if (end < 0) return { key: path.slice(from), format: "" };
  // With a slash behind it, it is the same address.
  const format = path.slice(end + 1).replace(/\/$/, "");
  return format.includes("/") ? { key: "", format: "" } : { key: path.slice(from, end), format };
}

/** The key and device of `<base>/<key>/devices/<device>`, its handle or its id; undefined for another path. */
export function deviceRequest(
  path: string,
  base: string,
): { readonly key: string; readonly device: string } | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  const [key = "", devices, encoded = "", ...more] = path
    .slice(base.length + 1)
    .replace(/\/$/, "")
    .split("/");
  if (devices !== "devices" || encoded === "" || encoded.length > 1024 || more.length > 0) return undefined;
  try {
    return { key, device: decodeURIComponent(encoded) };
  } catch (error) {
    // Not UTF-8: no device of ours.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** `?format=`; empty without it. */
export function queryFormat(url: string): string {
  const [, query = ""] = url.split("?");
  if (query === "") return "";
  return new URLSearchParams(query).get("format") ?? "";
}

/**
 * Whether a host name (`host[:port]`) is one of the domains of `sub_domain`; a wildcard matches exactly one label.
 */
export function isSubscriptionDomain(host: string, domains: string): boolean {
  if (domains === "") return false;
  const asked = host
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$|\.$/, "$1");
  return namesIn(domains).some(
    (name) =>
      name === asked ||
      (name.startsWith("*.") && asked.indexOf(".") > 0 && asked.slice(asked.indexOf(".")) === name.slice(1)),
  );
}

/** Whether subscriptions are served under a host name: under every one unless `sub_domain` lists some. */
export function servedUnder(host: string, domains: string): boolean {
  return domains === "" || isSubscriptionDomain(host, domains);
}

let read: { readonly domains: string; readonly names: readonly string[] } = { domains: "", names: [] };

function namesIn(domains: string): readonly string[] {
  if (read.domains !== domains) read = { domains, names: domains.split(",").map((name) => name.trim().toLowerCase()) };
  return read.names;
}

/** `/sub` or what the setting says, with one slash at the start and none at the end. */
export function subscriptionPath(settings: LinkSettings): string {
  const setting = settings.get("sub_basepath");
  if (kept.setting !== setting) {
    const path = setting.replace(/^\/+|\/+$/g, "");
    kept = { setting, path: path === "" ? "/sub" : `/${path}` };
  }
  return kept.path;
}

let kept: { readonly setting: string; readonly path: string } = { setting: "", path: "/sub" };
