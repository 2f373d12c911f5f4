// The statements that count agents' batches in one transaction: cursors, users, nodes, and the marks of whoever crossed a line.
import { sql, type Query, type Reader, type Statement } from "../db/index.ts";
import { sumByUser, type Multiplied } from "./usage-sums.ts";
import { userStatements } from "./user-usage.ts";

/** A batch with the node that sent it. */
export interface NodeBatch extends Multiplied {
  readonly nodeId: number;
}

/** Key of a ledger's cursor. */
export function cursorId(nodeId: number, bootId: string): string {
  return `${nodeId}:${bootId}`;
}

/**
 * The statements that count batches: cursors (each must be new, of a node that exists), users, nodes, and the marks of whoever crossed a line.
 * The nodes' rows are locked first: a node is deleted before, and then nothing of it is counted, or after, and then its cursors go with it.
 */
export function usageStatements(reads: Reader, batches: readonly NodeBatch[], now: number, moved: number): Statement[] {
  const users = sumByUser(batches);
  const cursors = batches.map(({ nodeId, batch }) => ({ id: cursorId(nodeId, batch.bootId), node: nodeId, seq: batch.seq }));
  const nodes = new Map<number, { id: number; up: number; down: number }>();
  for (const { nodeId, batch } of batches) {
    const sum = nodes.get(nodeId) ?? { id: nodeId, up: 0, down: 0 };
    nodes.set(nodeId, { id: nodeId, up: sum.up + batch.up, down: sum.down + batch.down });
  }
  const nodeSums = [...nodes.values()].toSorted((a, b) => a.id - b.id);
  const text = reads.dialect === "sqlite" ? sqliteText : postgresText;
  const at = Math.floor(now);
  // An agent whose clock is ahead must not make its users look online until then.
  const seconds = Math.floor(now / 1000);
  for (const sum of users) {
    // A double stored as it is would make all later sums of that user inexact.
    if (!Number.isSafeInteger(sum.up) || !Number.isSafeInteger(sum.down))
      throw new RangeError(`usage of user ${sum.id} is no exact number`);
    sum.at = Math.min(sum.at, seconds);
  }
  const nodesJson = JSON.stringify(nodeSums);
  return [
    ...text.nodeLocks(nodesJson).map((query) => reads.statement("locks of nodes", query)),
    reads.statement("usage cursor", text.cursors(JSON.stringify(cursors)), cursors.length),
    ...(users.length === 0 ? [] : userStatements(reads, users, at, moved)),
    reads.statement("usage of nodes", text.nodes(nodesJson)),
    reads.statement("nodes due", text.nodesDue(nodesJson, at)),
  ];
}

interface UsageText {
  nodeLocks(json: string): Query[];
  cursors(json: string): Query;
  nodes(json: string): Query;
  nodesDue(json: string, now: number): Query;
}

const sqliteText: UsageText = {
  nodeLocks: () => [],
  cursors: (json) => sql`
    insert into usage_cursors (id, node_id, seq)
    select value->>'id', value->>'node', value->>'seq' from json_each(${json}) where exists (select 1 from node_usage where id = value->>'node')
    on conflict (id) do update set seq = excluded.seq where usage_cursors.seq < excluded.seq`,
  nodes: (json) => sql`
    update node_usage set up = node_usage.up + v.up, down = node_usage.down + v.down,
      period_used = case when period_start > 0 then period_used + v.up + v.down else 0 end
    from (select value->>'id' as id, value->>'up' as up, value->>'down' as down from json_each(${json})) v where node_usage.id = v.id`,
  nodesDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'node:' || u.id || ':due', 'node', u.id, 'due', 'due', ${now} from json_each(${json}) v join node_usage u on u.id = v.value->>'id'
    where u.period_used >= u.wake_at
    on conflict (id) do update set due_at = min(timers.due_at, excluded.due_at)`,
};

const postgresText: UsageText = {
  nodeLocks: (json) => [
    sql`select 1 from node_usage where id in (select v.id from json_to_recordset(${json}::json) v(id bigint)) order by id for update`,
  ],
  cursors: (json) => sql`
    insert into usage_cursors (id, node_id, seq)
    select v.id, v.node, v.seq from json_to_recordset(${json}::json) v(id text, node bigint, seq bigint) join node_usage u on u.id = v.node order by v.id
    on conflict (id) do update set seq = excluded.seq where usage_cursors.seq < excluded.seq`,
  nodes: (json) => sql`
    update node_usage set up = node_usage.up + v.up, down = node_usage.down + v.down,
      period_used = case when period_start > 0 then period_used + v.up + v.down else 0 end
    from json_to_recordset(${json}::json) v(id bigint, up bigint, down bigint) where node_usage.id = v.id`,
  nodesDue: (json, now) => sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select 'node:' || u.id || ':due', 'node', u.id, 'due', 'due', ${now}::bigint from json_to_recordset(${json}::json) v(id bigint) join node_usage u on u.id = v.id
    where u.period_used >= u.wake_at order by u.id
    on conflict (id) do update set due_at = least(timers.due_at, excluded.due_at)`,
};
