// Which inbounds can be reached through a domain front (rule pool.front.2).
import type { InboundDialect } from "./inbound.ts";

/** Transports that a CDN can carry. */
const FRONTED: readonly string[] = ["ws", "httpupgrade", "grpc", "xhttp"];

/** A CDN ends TLS itself, so REALITY cannot be behind one. */
export function takesFronts({ transport, tls }: Pick<InboundDialect, "transport" | "tls">): boolean {
  return transport !== undefined && FRONTED.includes(transport.type) && !tls?.reality;
}
