// How the nodes whose agents answer serve what they should: what accounts are told of them.
import { sql, type Reader } from "../db/index.ts";
import { isLeftOut } from "../protocol/notices/index.ts";
import { NodeRows, type NodeRow } from "./node.entity.ts";
import { noticesOf } from "./notices.ts";

export interface AnsweringNode {
  /** It runs what is wanted; otherwise its engine refuses that, and runs what it ran before. */
  readonly current: boolean;
  /** Tags of the inbounds that it leaves out. */
  readonly leftOut: ReadonlySet<string>;
}

/** Those of the nodes whose agents answer. */
export async function answeringNodes(
  reads: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AnsweringNode>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.rows(
    NodeRows,
    sql`select * from nodes where id in (${sql.join([...ids])})
        and (mstate = 'linked.connected' or mstate like 'linked.refused.%')`,
  );
  return new Map(rows.map((row) => [row.id, answeringNode(row)]));
}

function answeringNode({ mstate, warnings, mctx }: Readonly<NodeRow>): AnsweringNode {
  const notices = noticesOf(warnings, mctx["notices"]);
  const leftOut = notices.filter(
    ({ kind, code }) => kind === "inbound" && (code === "reaches_host" || isLeftOut(code)),
  );
  return { current: mstate === "linked.connected", leftOut: new Set(leftOut.map(({ tag }) => tag)) };
}
