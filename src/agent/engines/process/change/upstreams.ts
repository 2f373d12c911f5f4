// Servers that the operator chose to send users' traffic through, where they are written as addresses: they may be
// private ones.
import { isIP } from "node:net";
import type { Structure } from "../../../../protocol/plan.ts";

interface Upstream {
  readonly address: string;
  readonly port: number;
}

const MOST = 200;

export function upstreamsOf(structure: Structure): Upstream[] {
  return Object.values(structure)
    .flatMap((object) => (object.kind === "outbound" ? upstreamsIn(object.config) : []))
    .slice(0, MOST);
}

/** As every dialect of outbounds writes one: `server` and `server_port`, or `address` and `port`, at any depth. */
function upstreamsIn(value: unknown): Upstream[] {
  if (Array.isArray(value)) return value.flatMap(upstreamsIn);
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map(Object.entries(value));
  const address = fields.get("server") ?? fields.get("address");
  const port = fields.get("server_port") ?? fields.get("port");
  const own =
    typeof address === "string" && isIP(address) !== 0 && typeof port === "number" && port > 0 && port <= 65_535
      ? [{ address, port: Math.trunc(port) }]
      : [];
  return [...own, ...Object.values(value).flatMap(upstreamsIn)];
}
