// The statements that count agents' batches in one transaction: cursors, users, nodes, and the marks of users who
// crossed a limit. Counters stop at the largest number that is exact.
import { sql, type Query, type Reader, type Statement } from "../../db/index.ts";
import { added, MOST } from "../../lib/exact.ts";
import { wakeActors } from "../../runtime/index.ts";
import { CELLS } from "../../protocol/usage-rows.ts";
import type { UserCounting } from "./served-accounts.ts";
import { sumByUser, type Multiplied } from "./usage-sums.ts";

/** A batch with the node that sent it. */
export interface NodeBatch extends Multiplied {
  readonly nodeId: number;
}

/** What counting writes into a node's row in addition to the sums; see `node.entity.ts`. */
export interface NodeCount {
  /**
   * `countedAt` as it was read: should it be another one by now, another process counted the node meanwhile, and
   * everything is rolled back.
   */
  readonly was: number;
  readonly countedAt: number;
  readonly givenSince: number;
  readonly lineFrom: number;
  /** 0: nothing was refused. */
  readonly refusedAt: number;
}

/** What to write in addition to the batches. */
export interface Beside {
  readonly nodes: ReadonlyMap<number, NodeCount>;
  /** Accounts that are deleted: theirs is kept apart. Every other one must be there. */
  readonly deleted: ReadonlySet<number>;
}

/** Key of a ledger's cursor. */
export function cursorId(nodeId: number, bootId: string): string {
  return `${nodeId}:${bootId}`;
}

/**
 * The statements that count batches: cursors (each must be new, of a node that exists), users, nodes, and the marks of
 * whoever crossed a line. The nodes' rows are locked first: a node is deleted before, and then nothing of it is
 * counted, or after, and then its cursors go with it.
 */
export function usageStatements(
  reads: Reader,
  counting: UserCounting,
  batches: readonly NodeBatch[],
  now: number,
  moved: number,
  beside?: Beside,
): Statement[] {
  const at = Math.floor(now);
  // An agent whose clock is ahead must not make its users look online until then.
  const seconds = Math.floor(now / 1000);
  const sums = sumByUser(batches);
  for (const sum of sums) sum.at = Math.min(sum.at, seconds);
  const gone = beside?.deleted ?? new Set<number>();
  const users = gone.size > 0 ? sums.filter(({ id }) => !gone.has(id)) : sums;
  const deleted = gone.size > 0 ? sums.filter(({ id }) => gone.has(id)) : [];
  const cursors = batches.map(({ nodeId, batch }) => ({
    id: cursorId(nodeId, batch.bootId),
    node: nodeId,
    seq: batch.seq,
  }));
  const text = reads.dialect === "sqlite" ? sqliteText : postgresText;
  const nodes = sumByNode(batches, beside);
  const nodesJson = JSON.stringify(nodes);
  return [
    ...text.nodeLocks(nodesJson).map((query) => reads.statement("locks of nodes", query)),
    reads.statement("usage cursor", text.cursors(JSON.stringify(cursors)), cursors.length),
    ...(users.length === 0 ? [] : counting.countUsers(reads, users, at, moved, beside !== undefined)),
    ...(deleted.length === 0 ? [] : counting.countDeletedUsers(reads, deleted, at)),
    reads.statement("usage of nodes", text.nodes(nodesJson), nodes.length),
    reads.statement("nodes due", wakeActors(reads.dialect, "node", text.nodesDue(nodesJson), at)),
  ];
}

/** Raw bytes by node, of the rows that count, with what else its row takes; in id order. */
function sumByNode(batches: readonly NodeBatch[], beside: Beside | undefined) {
  const sums = new Map<number, { up: number; down: number }>();
  for (const { nodeId, batch } of batches) {
    const sum = sums.get(nodeId) ?? { up: 0, down: 0 };
    sums.set(nodeId, sum);
    const { rows } = batch;
    for (let row = 0; row < rows.length; row += CELLS) {
      sum.up = added(sum.up, rows[row + 2] ?? 0);
      sum.down = added(sum.down, rows[row + 3] ?? 0);
    }
  }
  return [...sums.keys()]
    .toSorted((a, b) => a - b)
    .map((id) => {
      const node = beside?.nodes.get(id);
      const { was = null, countedAt = 0, givenSince = 0, lineFrom = 0, refusedAt = 0 } = node ?? {};
      return { id, ...sums.get(id), was, counted: countedAt, since: givenSince, line: lineFrom, refused: refusedAt };
    });
}

interface UsageText {
  nodeLocks(json: string): Query[];
  cursors(json: string): Query;
  nodes(json: string): Query;
  /** Ids of the nodes that crossed a line. */
  nodesDue(json: string): Query;
}

/** `greatest` and `least`: the dialect's names of them. */
const nodeColumns = (greatest: string, least: string) =>
  sql.raw(`
  up = ${least}(${MOST}, node_usage.up + v.up), down = ${least}(${MOST}, node_usage.down + v.down),
  period_used = case when period_start > 0 then ${least}(${MOST}, period_used + v.up + v.down) else 0 end,
  counted_at = ${greatest}(node_usage.counted_at, v.counted), given_since = ${greatest}(node_usage.given_since, v.since),
  line_from = case when v.was is null then node_usage.line_from else v.line end, refused_at = ${greatest}(node_usage.refused_at, v.refused)`);

const sqliteText: UsageText = {
  nodeLocks: () => [],
  cursors: (json) => sql`
    insert into usage_cursors (id, node_id, seq)
    select value->>'id', value->>'node', value->>'seq' from json_each(${json}) where exists (select 1 from node_usage where id = value->>'node')
    on conflict (id) do update set seq = excluded.seq where usage_cursors.seq < excluded.seq`,
  nodes: (json) => sql`
    update node_usage set ${nodeColumns("max", "min")}
    from (select value->>'id' as id, value->>'up' as up, value->>'down' as down, value->>'was' as was, value->>'counted' as counted, value->>'since' as since,
      value->>'line' as line, value->>'refused' as refused from json_each(${json})) v
    where node_usage.id = v.id and (v.was is null or node_usage.counted_at = v.was)`,
  nodesDue: (json) => sql`
    select u.id from json_each(${json}) v join node_usage u on u.id = v.value->>'id' where u.period_used >= u.wake_at`,
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
    update node_usage set ${nodeColumns("greatest", "least")}
    from json_to_recordset(${json}::json) v(id bigint, up bigint, down bigint, was bigint, counted bigint, since bigint, line bigint, refused bigint)
    where node_usage.id = v.id and (v.was is null or node_usage.counted_at = v.was)`,
  nodesDue: (json) => sql`
    select u.id from json_to_recordset(${json}::json) v(id bigint) join node_usage u on u.id = v.id where u.period_used >= u.wake_at order by u.id`,
};
