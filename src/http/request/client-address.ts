// The address that a request comes from, for the whole panel: `request.ip` of the framework and of a route, and what is
// answered before the framework reads a request.
import type { IncomingMessage } from "node:http";
import type { AddressList } from "../../lib/addresses.ts";
import type { UntrustedProxies } from "./untrusted-proxies.ts";
import { plainAddress, readAddress } from "../../lib/written-address.ts";

/** A request as far as its address goes. */
export interface Addressed {
  readonly headers: IncomingMessage["headers"];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address of the connection; behind trusted proxies the last one in `X-Forwarded-For` that none of them has. Every
 * address has one spelling (`readAddress`), so that limits, bans and lists hold for it however it is written.
 *
 * The header is read from its end, for as long as what stands there was written by a trusted proxy. What is no address
 * (`unknown`, a name, a socket's path) ends the walk: the address is then that of the proxy that wrote it, and never a
 * text. Several such headers are one, in their order: node joins them. `trusted` is asked only for a request with one;
 * `untrusted` hears of a connection that sends one and is not believed.
 */
export function clientAddress(
  { headers, socket }: Addressed,
  trusted: () => AddressList,
  untrusted?: Pick<UntrustedProxies, "note">,
): string {
  let address = plainAddress(socket.remoteAddress);
  const told = headers["x-forwarded-for"];
  if (typeof told !== "string" || told === "") return address;
  const proxies = trusted();
  if (untrusted && !proxies.contains(address)) untrusted.note(address, told);
  for (const entry of told.split(",").toReversed()) {
    if (entry.trim() === "") continue;
    if (!proxies.contains(address)) return address;
    const before = readAddress(entry);
    if (before === undefined) return address;
    address = before;
  }
  return address;
}
