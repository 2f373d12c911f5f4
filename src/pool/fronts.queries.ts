// The fronts of inbounds, as subscriptions and nodes need them.
import { sql, type Reader } from "../db/index.ts";
import { takesFronts } from "./dialect/fronted.ts";
import { parseInboundConfig } from "./dialect/inbound.ts";
import { FrontRows, type FrontRow } from "./front.entity.ts";
import type { InboundRow } from "./inbound.entity.ts";

/** The fronts of each of these inbounds, in its order. Those without any are not in it. */
export async function frontsOf(
  reads: Reader,
  inbounds: readonly Readonly<InboundRow>[],
): Promise<ReadonlyMap<number, readonly FrontRow[]>> {
  const fronted = inbounds.filter(({ frontIds }) => frontIds.length > 0);
  const ids = [...new Set(fronted.flatMap(({ frontIds }) => frontIds))];
  if (ids.length === 0) return new Map();
  const rows = await reads.rows(FrontRows, sql`select * from fronts where id in (${sql.join(ids)})`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(fronted.map(({ id, frontIds }) => [id, frontIds.flatMap((front) => byId.get(front) ?? [])]));
}

/**
 * The headers of an inbound's fronts that tell of a client. An xhttp inbound believes `X-Forwarded-For` where one of
 * them is present (rule pool.front.5); others have none.
 */
export function trustedHeaders({ type, tag, config }: Readonly<InboundRow>, fronts: readonly FrontRow[]): string[] {
  const headers = fronts.flatMap(({ enabled, clientHeader }) => (enabled && clientHeader !== "" ? [clientHeader] : []));
  if (headers.length === 0) return [];
  const parsed = parseInboundConfig(type, tag, config);
  if (!parsed.ok || parsed.inbound.transport?.type !== "xhttp" || !takesFronts(parsed.inbound)) return [];
  // In one spelling and order, so that what means the same is not sent again.
  return [...new Set(headers.map((header) => header.toLowerCase()))].toSorted();
}
