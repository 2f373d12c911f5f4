// What uses a record of the pool: templates, the nodes that run them, and how many accounts these serve. A caller is
// told of what it may read.
import { sql, type Reader } from "../db/index.ts";
import type { Caller, Scope } from "../http/index.ts";
import type { FrontRow } from "./front.entity.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import type { OutboundRow } from "./outbound.entity.ts";
import { namersOfTag } from "./pool.queries.ts";
import type { TemplateRow } from "./template.entity.ts";
import type { Named, UsedBy } from "./used-by.schema.ts";

/** More of them are not named. */
export const NAMED_AT_MOST = 1000;

/** What other rooms know of who uses the pool. Names come in their order, at most `NAMED_AT_MOST`. */
export interface PoolUsers {
  /** Nodes that run one of the templates. */
  readonly nodesOn: (templateIds: readonly number[]) => Promise<readonly Named[]>;
  /** Nodes whose own routing names a tag. */
  readonly nodesRouting: (tag: string) => Promise<readonly Named[]>;
  /** How many accounts one of the templates serves. */
  readonly membersOf: (templateIds: readonly number[]) => Promise<number>;
}

export interface UseDeps extends PoolUsers {
  readonly reads: Reader;
}

const NOBODY: UsedBy = { templates: [], nodes: [], inbounds: [], outbounds: [], tunnels: [], users: 0 };

export async function usedByOfInbound(deps: UseDeps, caller: Caller, { templateIds }: InboundRow): Promise<UsedBy> {
  return usedByOf(deps, caller, templateIds, await templatesNamed(deps.reads, templateIds), NOBODY);
}

/** A front is used by its inbounds, and through them by templates. */
export async function usedByOfFront(deps: UseDeps, caller: Caller, { inboundIds }: FrontRow): Promise<UsedBy> {
  const ids = inboundIds.slice(0, NAMED_AT_MOST);
  const rows =
    ids.length === 0
      ? []
      : await deps.reads.rows(
          InboundRows,
          sql`select * from inbounds where id in (${sql.join([...ids])}) order by tag`,
        );
  const templateIds = [...new Set(rows.flatMap((row) => row.templateIds))];
  const inbounds = rows.map(({ id, tag }) => ({ id, name: tag }));
  return usedByOf(deps, caller, templateIds, await templatesNamed(deps.reads, templateIds), { ...NOBODY, inbounds });
}

/** An outbound is used too where a route or another outbound names its tag. */
export async function usedByOfOutbound(
  deps: UseDeps,
  caller: Caller,
  { tag, templateIds }: OutboundRow,
): Promise<UsedBy> {
  const [carrying, naming, routing] = await Promise.all([
    templatesNamed(deps.reads, templateIds),
    namersOfTag(deps.reads, tag),
    deps.nodesRouting(tag),
  ]);
  const templates = together(carrying, naming.templates);
  const others = { ...NOBODY, nodes: [...routing], outbounds: naming.outbounds };
  return usedByOf(
    deps,
    caller,
    templates.map(({ id }) => id),
    templates,
    others,
  );
}

export async function usedByOfTemplate(deps: UseDeps, caller: Caller, { id }: TemplateRow): Promise<UsedBy> {
  return usedByOf(deps, caller, [id], [], NOBODY);
}

/** `others`: what uses the record without one of the templates. */
async function usedByOf(
  { nodesOn, membersOf }: UseDeps,
  { scopes }: Caller,
  templateIds: readonly number[],
  templates: readonly Named[],
  others: UsedBy,
): Promise<UsedBy> {
  const seen = <T>(scope: Scope, value: T): T | null => (scopes.has(scope) ? value : null);
  const [nodes, users] = await Promise.all([
    scopes.has("nodes:read") ? nodesOn(templateIds) : [],
    scopes.has("users:read") ? membersOf(templateIds) : 0,
  ]);
  return {
    ...others,
    templates: seen("templates:read", [...templates]),
    nodes: seen("nodes:read", together(nodes, others.nodes ?? [])),
    users: seen("users:read", users),
  };
}

async function templatesNamed(reads: Reader, ids: readonly number[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const rows = await reads.query<{ id: number | string; name: string }>(
    sql`select id, name from templates where id in (${sql.join([...ids])}) order by name, id limit ${NAMED_AT_MOST}`,
  );
  return rows.map(({ id, name }) => ({ id: Number(id), name }));
}

/** Each once. */
function together(...lists: (readonly Named[])[]): Named[] {
  return [...new Map(lists.flat().map((each) => [each.id, each])).values()];
}
