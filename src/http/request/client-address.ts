// The address that a request comes from, for what is answered before the framework reads it. The framework's own answer
// (`request.ip`) is the same; a test compares them.
import type { IncomingMessage } from "node:http";
import type { AddressList } from "../../lib/addresses.ts";

/** A request as far as its address goes. */
export interface Addressed {
  readonly headers: IncomingMessage["headers"];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address of the connection; behind trusted proxies the last one in `X-Forwarded-For` that none of them has.
 * `trusted` is asked only for a request with that header.
 */
export function clientAddress({ headers, socket }: Addressed, trusted: () => AddressList): string {
  const connected = socket.remoteAddress ?? "";
  const told = headers["x-forwarded-for"];
  if (typeof told !== "string" || told === "") return connected;
  const proxies = trusted();
  const path = told.split(",");
  let address = connected;
  for (let index = path.length - 1; index >= 0; index--) {
    const before = trimmed(path[index] ?? "", path.length === 1);
    if (before === "") continue;
    if (!proxies.contains(address)) return address;
    address = before;
  }
  return address;
}

/** In a list only spaces and tabs are around an address. */
function trimmed(text: string, alone: boolean): string {
  return alone ? text.trim() : text.replace(/^[ \t]+|[ \t]+$/g, "");
}
