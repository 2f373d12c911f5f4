// Reading nodes: pages with their counters and figures, and what other rooms ask of them.
import type { z } from "zod";
import { sql, type Reader } from "../../db/index.ts";
import { pageOf, type Caller, type ListQuery, type Page } from "../../http/index.ts";
import { forbiddenFieldsOf, NAMED_AT_MOST, type PrivateTargets } from "../../pool/index.ts";
import type { NodeStatus } from "../../../machines/node.ts";
import { toldRow } from "../link/disclosure.ts";
import type { Fleet } from "../live/fleet.ts";
import { freshCounters, NodeRows, NodeUsageRows, type NodeRow } from "../records/node.entity.ts";
import { NO_PROGRESS } from "../records/node-progress.ts";
import { NodeView, nodeView } from "./node.schema.ts";

type View = z.input<typeof NodeView>;

/** Counters of a node that has none yet. */
export const NO_USAGE = freshCounters(0, 0);

/** SQL twin of `nodeStatusOf`; a test holds them together. */
export function statusCondition(status: NodeStatus) {
  switch (status) {
    case "connected":
      return sql<boolean>`mstate = 'linked.connected'`;
    case "disabled":
      return sql<boolean>`mstate like 'disabled.%'`;
    case "error":
      return sql<boolean>`(mstate like 'error.%' or mstate like 'linked.refused.%')`;
    case "connecting":
      return sql<boolean>`mstate like 'linked.connecting.%'`;
  }
}

export interface NodeFilter {
  readonly status?: NodeStatus | undefined;
  readonly troubled?: boolean | undefined;
}

/** A page of nodes as callers see them. */
export async function nodePage(
  reads: Reader,
  { live, progress }: Pick<Fleet, "live" | "progress">,
  list: ListQuery,
  { status, troubled }: NodeFilter,
  privateTargets: PrivateTargets,
  { scopes }: Caller,
): Promise<Page<View>> {
  const { rows, total } = await pageOf(reads, NodeRows, list, {
    where: [
      ...(status === undefined ? [] : [statusCondition(status)]),
      ...(troubled === undefined ? [] : [troubled ? sql<boolean>`trouble_since > 0` : sql<boolean>`trouble_since = 0`]),
    ],
  });
  if (rows.length === 0) return { rows: [], total };
  const ids = rows.map((row) => row.id);
  const [usage, said, last, far] = await Promise.all([
    reads.rows(NodeUsageRows, sql`select * from node_usage where id in (${sql.join(ids)})`),
    live.of(ids),
    live.lastWords(ids),
    progress.of(rows),
  ]);
  const byId = new Map(usage.map((row) => [row.id, row]));
  return {
    rows: rows.map((row) =>
      nodeView(
        toldRow(row, scopes),
        byId.get(row.id) ?? NO_USAGE,
        said.get(row.id),
        last.get(row.id),
        far.get(row.id) ?? NO_PROGRESS,
        forbiddenOf(row, privateTargets),
      ),
    ),
    total,
  };
}

/** Fields of a node's own routing that a write would refuse today. */
export function forbiddenOf({ routing }: Readonly<NodeRow>, privateTargets: PrivateTargets): string[] {
  return routing ? forbiddenFieldsOf("routing", "route", "", routing, privateTargets) : [];
}

/** What is stored of nodes and would be refused today, in words: `node edge: routing.rules.0.process_name`. */
export async function nodesForbidden(reads: Reader, privateTargets: PrivateTargets): Promise<string[]> {
  const rows = await reads.rows(NodeRows, sql`select * from nodes where routing is not null order by id`);
  return rows.flatMap((row) => {
    const fields = forbiddenOf(row, privateTargets);
    return fields.length === 0 ? [] : [`node ${row.name}: ${fields.join(", ")}`];
  });
}

/** The template that a node runs: 0 for none, undefined for an unknown node. */
export async function templateOfNode(reads: Reader, nodeId: number): Promise<number | undefined> {
  const node = await reads.find(NodeRows, nodeId);
  return node && (node.templateId ?? 0);
}

export interface NamedNode {
  readonly id: number;
  readonly name: string;
}

/** Nodes that run one of the templates, by name. */
export async function nodesOn(reads: Reader, templateIds: readonly number[]): Promise<NamedNode[]> {
  if (templateIds.length === 0) return [];
  const rows = await reads.query<{ id: number | string; name: string }>(
    sql`select id, name from nodes where template_id in (${sql.join([...templateIds])})
        order by name, id limit ${NAMED_AT_MOST}`,
  );
  return rows.map(({ id, name }) => ({ id: Number(id), name }));
}

/** Nodes whose own routing names a tag. Few have routing of their own, so they are read and looked into. */
export async function nodesRouting(reads: Reader, tag: string): Promise<NamedNode[]> {
  const rows = await reads.rows(NodeRows, sql`select * from nodes where routing is not null order by name, id`);
  return rows.filter(({ routing }) => names(routing, tag)).map(({ id, name }) => ({ id, name }));
}

/** Whether a JSON value holds the text as a value anywhere. */
function names(value: unknown, text: string): boolean {
  if (typeof value !== "object" || value === null) return value === text;
  return Object.values(value).some((inner) => names(inner, text));
}
