// Names of the records that traffic is told of; what is deleted has none.
import { sql, type Reader } from "../db/index.ts";
import type { TrafficBy } from "./traffic.schema.ts";
import { listOf } from "./stored.queries.ts";

const PLACES: Record<TrafficBy, readonly [table: string, column: string] | undefined> = {
  total: undefined,
  node: ["nodes", "name"],
  user: ["users", "name"],
  admin: ["admins", "username"],
  inbound: ["inbounds", "tag"],
};

export async function namesOf(reads: Reader, by: TrafficBy, ids: readonly number[]): Promise<Map<number, string>> {
  const place = PLACES[by];
  if (!place || ids.length === 0) return new Map();
  const [table, column] = place;
  const rows = await reads.query<{ id: number; name: string }>(
    sql`select id, ${sql.ref(column)} as name from ${sql.table(table)} where id in (${listOf(reads, ids)})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
