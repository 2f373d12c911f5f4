// The addresses under which the panel is reached from outside, as settings write them and as a proxy names them. A
// customer who is given the listener's own address behind a proxy is given a dead one.
import { isIP, isIPv6 } from "node:net";

export type Scheme = "http" | "https";

/** Where something is reached: in one spelling, so that equal ones are equal. */
export interface PublicOrigin {
  readonly scheme: Scheme;
  /** A name or an address without brackets, in small letters; empty: the panel's names say it. */
  readonly host: string;
  /** 0: the scheme's own. */
  readonly port: number;
}

/** An origin and the path under which something stands there; empty or `/segment[/segment…]`. */
export interface PublicBase extends PublicOrigin {
  readonly path: string;
}

const USUAL: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;
const LONGEST_NAME = 253;

/** A host name of at least one label, or an IP literal without brackets. */
export function isHost(name: string): boolean {
  return isIP(name) !== 0 || (name.length <= LONGEST_NAME && name.split(".").every((label) => LABEL.test(label)));
}

/** Whether only programs of one machine reach a host of this name. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    (isIP(name) === 4 && name.startsWith("127.")) ||
    (isIPv6(name) && new URL(`http://[${name}]`).hostname === "[::1]")
  );
}

/** `host[:port]` as in a `Host` field; undefined for anything else. */
export function readAuthority(text: string): Pick<PublicOrigin, "host" | "port"> | undefined {
  const [, bracketed, plain = "", digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = (bracketed ?? plain).toLowerCase();
  const port = digits === undefined ? 0 : Number(digits);
  if (bracketed === undefined ? isIPv6(host) || !isHost(host) : !isIPv6(host)) return undefined;
  return digits !== undefined && (port < 1 || port > 65_535) ? undefined : { host, port };
}

/** An absolute http(s) URL without user, query and fragment; undefined for anything else, and for the empty text. */
export function readBase(text: string): PublicBase | undefined {
  if (!/^https?:\/\/[^/\s?#@\\]+(?:\/[^\s?#\\]*)?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  const scheme = url?.protocol === "https:" ? "https" : "http";
  // The URL leaves out the scheme's own port, and writes a name in small letters.
  const at = url && readAuthority(url.host);
  return at ? { scheme, ...at, path: url.pathname.replace(/\/+$/, "") } : undefined;
}

const known = new Map<string, PublicBase | undefined>();
/**
 * Maximum number of remembered values. A setting has one value at a time; several panels in one process have several.
 */
const MOST_KNOWN = 16;

/** The same of a setting, which is asked for with every link that is made. */
export function baseOfSetting(text: string): PublicBase | undefined {
  if (!known.has(text)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, readBase(text));
  }
  return known.get(text);
}

/** `scheme://host[:port]`. */
export function originText({ scheme, host, port }: PublicOrigin): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return `${scheme}://${name}${port === 0 || port === USUAL[scheme] ? "" : `:${port}`}`;
}

/** `path` with `own` behind it; a path that ends with it names it already. */
export function pathWith(path: string, own: string): string {
  return path === own || path.endsWith(own) ? path : `${path}${own}`;
}

/**
 * Where a panel is reached. `hosted` is where settings or a proxy say; undefined: under the panel's own names, at its
 * listener.
 */
export interface PublicAddress {
  readonly hosted?: PublicOrigin;
  readonly listener: Listener;
}

/** A panel's listener, as far as others reach it. */
export interface Listener {
  readonly scheme: Scheme;
  readonly port: number;
  /**
   * Nobody elsewhere reaches it: it is on loopback, or speaks plain HTTP behind trusted proxies. Under the name of
   * another place something stands before it, which ends TLS at the scheme's own port.
   */
  readonly hidden: boolean;
}

/** Where a listener is reached under `name`. */
export function reachedUnder(name: string, { scheme, port, hidden }: Listener): PublicOrigin {
  return hidden && !isLoopbackHost(name) ? { scheme: "https", host: name, port: 0 } : { scheme, host: name, port };
}
