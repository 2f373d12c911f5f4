// Where a proxy says that it was asked. It writes links for whoever asked, and decides nothing: which pages are the
// panel's own, and which names serve what, is read from `Host` alone, since a proxy may hand on what its client wrote.
import type { AddressList } from "../../lib/addresses.ts";
import { readAuthority, type Scheme } from "../../lib/public-address.ts";
import { plainAddress } from "../../lib/written-address.ts";
import type { Addressed } from "./client-address.ts";

type Authority = NonNullable<ReturnType<typeof readAuthority>>;

export interface ProxiedOrigin {
  readonly scheme: Scheme;
  /** From `X-Forwarded-Host`; undefined: it names none. */
  readonly named: Authority | undefined;
  /** From `Host`: the visitor's where the proxy hands it on, else the proxy's own name for the panel. */
  readonly asked: Authority | undefined;
}

/** No host and no port is longer. */
const LONGEST = 300;

/**
 * What a trusted proxy says in `X-Forwarded-Proto` and `X-Forwarded-Host`; undefined for every other request, and where
 * neither can be read. Of several values the last one counts, which the proxy wrote that is trusted.
 */
export function proxiedOrigin({ headers, socket }: Addressed, trusted: () => AddressList): ProxiedOrigin | undefined {
  const [proto, host] = [headers["x-forwarded-proto"], headers["x-forwarded-host"]];
  if (proto === undefined && host === undefined) return undefined;
  if (!trusted().contains(plainAddress(socket.remoteAddress))) return undefined;
  const scheme = schemeIn(proto);
  const named = authorityIn(host);
  if (scheme === undefined && named === undefined) return undefined;
  // A proxy that names a host alone ends TLS: that is what proxies are for.
  return { scheme: scheme ?? "https", named, asked: authorityIn(headers.host) };
}

function lastOf(value: string | readonly string[] | undefined): string {
  const text = (typeof value === "string" ? value : value?.join(",")) ?? "";
  return text.slice(text.lastIndexOf(",") + 1).trim();
}

function schemeIn(value: string | readonly string[] | undefined): Scheme | undefined {
  const text = lastOf(value).toLowerCase();
  return text === "http" || text === "https" ? text : undefined;
}

function authorityIn(value: string | readonly string[] | undefined): Authority | undefined {
  const text = lastOf(value);
  return text === "" || text.length > LONGEST ? undefined : readAuthority(text);
}
