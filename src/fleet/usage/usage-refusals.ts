// Usage that was not counted: how it is written down, told of and forgotten (rules usage.refused).
import { lock, sql, type Committer, type Query, type Reader, type Statement } from "../../db/index.ts";
import { pageOf, type ListQuery, type Page } from "../../http/index.ts";
import { MOST } from "../../lib/exact.ts";
import type { Outbox } from "../../runtime/index.ts";
import { NodeRows, NodeUsageRows, UsageRefusalRows, type UsageRefusalRow } from "../records/node.entity.ts";
import type { RefusalCode } from "../records/usage-refusal.schema.ts";
import type { Refusals, Refused } from "./refusal-sums.ts";

/** Refused usage of a node is reported at most once in this time. */
export const TELL_MS = 3_600_000;
/** Rows kept of a node. */
export const KEPT_ROWS = 10_000;

/** Writes down what was refused of each node, and lets go of what is beyond the rows kept. `at`: Unix seconds. */
export function refusalStatements(reads: Reader, refused: readonly Refusals[], at: number): Statement[] {
  return refused.flatMap((refusals) => {
    const { nodeId } = refusals;
    return [
      reads.statement("usage refused", insertOf(reads, nodeId, refusals.rows(), at)),
      reads.statement(
        "refusals beyond those kept",
        sql`delete from usage_refusals where node_id = ${nodeId} and id <=
          (select id from usage_refusals where node_id = ${nodeId} order by id desc limit 1 offset ${KEPT_ROWS})`,
      ),
    ];
  });
}

function insertOf(reads: Reader, nodeId: number, rows: readonly Refused[], at: number): Query {
  const json = JSON.stringify(rows.map(({ code, userId, up, down }) => ({ code, id: userId, up, down })));
  const into = sql`insert into usage_refusals (node_id, at, code, user_id, up, down)`;
  return reads.dialect === "sqlite"
    ? sql`${into} select ${nodeId}, ${at}, value->>'code', value->>'id', value->>'up', value->>'down' from json_each(${json})`
    : sql`${into} select ${nodeId}::bigint, ${at}::bigint, v.code, v.id, v.up, v.down from json_to_recordset(${json}::json) v(code text, id bigint, up bigint, down bigint)`;
}

/** A node's refusals, the newest first. */
export function refusalPage(
  reads: Reader,
  nodeId: number,
  list: ListQuery,
  code: RefusalCode | undefined,
): Promise<Page<UsageRefusalRow>> {
  const where = [sql<boolean>`node_id = ${nodeId}`];
  if (code !== undefined) where.push(sql<boolean>`code = ${code}`);
  return pageOf(reads, UsageRefusalRows, list, { where });
}

export interface TellPorts {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly outbox: Outbox<"node.usage_refused">;
}

/**
 * Raises `node.usage_refused` for what was refused since it was raised last, once an hour for a node whichever process
 * counts.
 */
export async function tellRefused({ commits, reads, outbox }: TellPorts, nodeId: number): Promise<void> {
  const usage = await reads.find(NodeUsageRows, nodeId);
  const sum = (column: string) => sql.raw(reads.dialect === "sqlite" ? `total(${column})` : `sum(${column})`);
  const since = Math.floor((usage?.refusalToldAt ?? 0) / 1000);
  const found = await reads.query<{ code: RefusalCode; users: number; bytes: number }>(
    sql`select code, count(distinct user_id) as users, ${sum("up + down")} as bytes from usage_refusals where node_id = ${nodeId} and at >= ${since} group by code`,
  );
  const [worst] = found.toSorted((a, b) => b.bytes - a.bytes);
  if (!worst) return;
  const bytes = Math.min(MOST, Math.round(found.reduce((all, each) => all + each.bytes, 0)));
  await commits.submit({
    name: "node.usageRefused",
    locks: [lock(NodeUsageRows, nodeId), lock(NodeRows, nodeId, "read")],
    decide(draft) {
      const [node, counters] = [draft.find(NodeRows, nodeId, "read"), draft.find(NodeUsageRows, nodeId)];
      if (!node || !counters || draft.now - counters.refusalToldAt < TELL_MS) return;
      draft.update(NodeUsageRows, nodeId, { refusalToldAt: draft.now });
      const data = {
        nodeId,
        name: node.name,
        code: worst.code,
        users: found.reduce((all, { users }) => all + users, 0),
        bytes,
      };
      outbox.raise(draft, { event: "node.usage_refused", data, subject: `node:${nodeId}` });
    },
  });
}
