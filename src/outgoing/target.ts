// Which targets may be connected to (rules certificates.target). There is one rule, whatever is spoken there.
//
// Invariant: unless private targets are allowed, a name with even one private address is refused, and so is every
// private notation and name before anybody is asked. A connection goes to the addresses that were checked here.
import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateAddress, isPrivateHost, isPrivateName } from "../lib/private-addresses.ts";
import { OutgoingError } from "./failure.ts";

/** All addresses of a host name, as text. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Addresses by the system's resolver, which also reads the hosts file. It occupies one of few threads for as long as it
 * takes, so requests for one name share one look-up.
 */
export function systemResolver(): Resolve {
  const running = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const known = running.get(host);
    if (known) return known;
    const started = systemLookup(host, { all: true })
      .then((found) => found.map(({ address }) => address))
      .finally(() => running.delete(host));
    running.set(host, started);
    return started;
  };
}

/**
 * Parses an address that an operator typed; throws OutgoingError (`url`) with a sentence for what is no usable http(s)
 * URL.
 */
export function parseTarget(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new OutgoingError("url", "must be an absolute http or https URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new OutgoingError("url", "must be an absolute http or https URL");
  if (url.protocol === "http:" && !allowPrivate)
    throw new OutgoingError("https", "must be an https URL unless webhook_allow_private is true");
  if (url.username !== "" || url.password !== "")
    throw new OutgoingError("credentials", "must not carry a user name or password");
  return url;
}

/** The host of a URL as a resolver takes it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The addresses that may be connected to. A name with even one private address is refused: which one answers is not
 * ours to choose.
 */
export async function permittedAddresses(
  host: string,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<readonly string[]> {
  // Such a name means this host or its network, whoever answers for it. It is refused even if it does not resolve now.
  if (!allowPrivate && isIP(host) === 0 && isPrivateName(host)) throw privateTarget(host);
  const addresses = await addressesOf(host, resolve);
  const hidden = allowPrivate ? undefined : addresses.find((address) => isPrivateAddress(address));
  if (hidden !== undefined) throw privateTarget(host);
  return addresses;
}

/** The addresses of a host that needs no permission: a proxy's own. */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await resolve(host) : [host];
  } catch (cause) {
    throw new OutgoingError("resolve", `${host} does not resolve`, { host, cause });
  }
  // What is no address would be looked up a second time where it is connected to.
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0))
    throw new OutgoingError("resolve", `${host} does not resolve`, { host });
  return addresses;
}

/**
 * The same rule where a proxy resolves the name: what is written as private is refused, in any notation. What other
 * names lead to in the proxy's network is the proxy's to refuse.
 */
export function refusePrivateText(host: string, allowPrivate: boolean): void {
  if (!allowPrivate && isPrivateHost(host)) throw privateTarget(host);
}

function privateTarget(host: string): OutgoingError {
  const message = `${host} is a private address; set webhook_allow_private to true to permit it`;
  return new OutgoingError("private", message, { host });
}

/**
 * Checks an address when it is written: throws OutgoingError (`url`, `private`). A name that does not resolve now is
 * accepted, since the check is made again at every use.
 */
export async function checkTarget(
  text: string,
  allowPrivate: boolean,
  resolve: Resolve = systemResolver(),
): Promise<void> {
  const url = parseTarget(text, allowPrivate);
  if (allowPrivate) return;
  try {
    await permittedAddresses(hostOf(url), allowPrivate, resolve);
  } catch (error) {
    if (!(error instanceof OutgoingError && error.reason === "resolve")) throw error;
  }
}
