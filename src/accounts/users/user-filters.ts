// The filters of the users' list as SQL conditions over `users u join user_usage g` (rule users.list.1).
import { z } from "zod";
import { sql, type Dialect, type Reader } from "../../db/index.ts";
import {
  anyOf,
  type Condition,
  notFound,
  type Owning,
  queryBoolean,
  queryCount,
  queryList,
  rule,
  visibleSql,
} from "../../http/index.ts";
import { carriedInbounds, TemplateRows, type CarriedInbound, type TemplateRow } from "../../pool/index.ts";
import { stateCounts } from "../../runtime/index.ts";
import { CONTACT_KEYS } from "./contact.ts";
import { FEW, idAmong } from "../records/id-among.ts";
import { onlineIds } from "./online.queries.ts";
import type { UserSearch } from "../search/user-search.ts";
import {
  inStates,
  notStartedSql,
  offStates,
  ONLINE_SECONDS,
  REASONS,
  statesOf,
  statusCondition,
  STATUSES,
  type UserStatus,
} from "../records/user-status.ts";

const id = queryCount.refine((value) => value >= 1, rule("too_small", 1));
const text = z.string().max(256);

const contactFilters = z.object(Object.fromEntries(CONTACT_KEYS.map((key) => [`contact_${key}`, text.optional()])));

/** The list's own query parameters. */
export const UserFilters = z.object({
  status: queryList(STATUSES).optional(),
  reason: queryList(REASONS).optional(),
  online: queryBoolean.optional(),
  name: text.optional(),
  subId: text.optional(),
  externalId: text.optional(),
  group: text.optional(),
  admin_id: queryCount.optional(),
  template_id: id.optional(),
  node_id: id.optional(),
  inbound_id: id.optional(),
  protocol: z.string().max(32).optional(),
  expires_after: queryCount.optional(),
  expires_before: queryCount.optional(),
  expiry: z.enum(["never"]).optional(),
  pending: queryBoolean.optional(),
  used_min: queryCount.optional(),
  used_max: queryCount.optional(),
  auto_reset: queryBoolean.optional(),
  sub_fetched: queryBoolean.optional(),
  duplicate_credentials: queryBoolean.optional(),
  ...contactFilters.shape,
});
export type UserFilters = z.output<typeof UserFilters>;

export interface FilterDeps {
  /** The template that a node runs, 0 = none; undefined when there is no such node. Asked of the fleet. */
  readonly nodeTemplate: (nodeId: number) => Promise<number | undefined>;
  readonly reads: Reader;
  readonly search: Pick<UserSearch, "of" | "withPart">;
  /** Unix seconds. */
  readonly now: () => number;
}

export interface UserFilter {
  readonly where: readonly Condition[];
  /** Whether a condition reads the counters. */
  readonly usage: boolean;
  /** Whether a condition reads the accounts. */
  readonly accounts: boolean;
  /** Whether the conditions may select only a few of them. */
  readonly picks: boolean;
  /** The statuses that are asked for where nothing else is, of all accounts. */
  readonly statuses: readonly UserStatus[] | undefined;
}

/** Members of any of the templates: by name or by belonging to all. With none of them nobody is. */
export function memberOfAny(dialect: Dialect, templateIds: readonly number[]): Condition {
  if (templateIds.length === 0) return anyOf([]);
  const listed = templateIds.map((each) =>
    dialect === "sqlite"
      ? sql<boolean>`exists (select 1 from json_each(u.template_ids) where value = ${each})`
      : sql<boolean>`u.template_ids @> ${JSON.stringify([each])}::jsonb`,
  );
  return anyOf([sql<boolean>`u.all_templates`, sql<boolean>`(not u.all_templates and ${anyOf(listed)})`]);
}

/** Accounts that name their inbounds, among them one of these. */
function namesAnyOf(dialect: Dialect, inboundIds: readonly number[]): Condition {
  const named =
    dialect === "sqlite"
      ? sql<boolean>`exists (select 1 from json_each(u.inbound_ids) where value in (${sql.join([...inboundIds])}))`
      : anyOf(inboundIds.map((each) => sql<boolean>`u.inbound_ids @> ${JSON.stringify([each])}::jsonb`));
  return sql<boolean>`(u.inbound_ids is not null and ${named})`;
}

/** Accounts that nodes of a template serve: its members, unless their own list names none of its inbounds. */
function servedOn(dialect: Dialect, template: Pick<TemplateRow, "id" | "inboundIds"> | undefined): Condition {
  if (!template) return anyOf([]);
  const { inboundIds } = template;
  const named = inboundIds.length === 0 ? [] : [namesAnyOf(dialect, inboundIds)];
  return sql<boolean>`(${memberOfAny(dialect, [template.id])} and ${anyOf([sql<boolean>`u.inbound_ids is null`, ...named])})`;
}

/** Accounts that reach one of the inbounds: through a template that carries it, unless their own list leaves it out. */
function reachesAny(dialect: Dialect, inbounds: readonly CarriedInbound[]): Condition {
  const groups = new Map<string, { readonly templateIds: readonly number[]; readonly ids: number[] }>();
  for (const inbound of inbounds) {
    const key = inbound.templateIds.join(",");
    const group = groups.get(key) ?? { templateIds: inbound.templateIds, ids: [] };
    group.ids.push(inbound.id);
    groups.set(key, group);
  }
  const all = [...new Set(inbounds.flatMap(({ templateIds }) => templateIds))].toSorted((a, b) => a - b);
  return anyOf([
    sql<boolean>`(u.inbound_ids is null and ${memberOfAny(dialect, all)})`,
    ...[...groups.values()].map(
      ({ templateIds, ids }) => sql<boolean>`(${namesAnyOf(dialect, ids)} and ${memberOfAny(dialect, templateIds)})`,
    ),
  ]);
}

/**
 * Conditions of one request; 404 for a node that there is not. A reseller's list holds its own accounts whatever it
 * asks for.
 */
export async function userFilter(deps: FilterDeps, caller: Owning, filters: UserFilters): Promise<UserFilter> {
  const now = deps.now();
  const { reads } = deps;
  const { status, reason } = filters;
  const states = [...statesOf(status ?? []), ...offStates(reason ?? [])];
  const few = (status ?? reason) !== undefined && (await countOf(reads, states)) <= FEW;
  const online = filters.online === true ? await onlineIds(reads, now) : undefined;
  const plain: (Condition | undefined)[] = [
    visibleSql(caller, sql`u.admin_id`) ??
      (filters.admin_id === undefined ? undefined : sql<boolean>`u.admin_id = ${filters.admin_id}`),
    ...exactConditions(filters),
    filters.group === undefined ? undefined : sql<boolean>`u.group_label = ${filters.group}`,
    filters.expires_after === undefined
      ? undefined
      : sql<boolean>`(u.expiry > 0 and u.expiry >= ${filters.expires_after})`,
    filters.expires_before === undefined
      ? undefined
      : sql<boolean>`(u.expiry > 0 and u.expiry <= ${filters.expires_before})`,
    filters.expiry === undefined ? undefined : sql<boolean>`u.expiry = 0`,
    reason === undefined ? undefined : inStates(offStates(reason), reads.dialect, few),
    online && idAmong(reads.dialect, "u.id", online),
    flag(filters.pending, notStartedSql),
    flag(filters.auto_reset, sql<boolean>`u.auto_reset`),
    flag(filters.sub_fetched, sql<boolean>`u.sub_fetched_at > 0`),
    flag(filters.duplicate_credentials, SHARES_CREDENTIALS),
    ...(await contactConditions(deps, filters)),
    ...(await templateConditions(deps, filters)),
  ];
  const counters: (Condition | undefined)[] = [
    online ? undefined : flag(filters.online, sql<boolean>`g.online_at >= ${now - ONLINE_SECONDS}`),
    filters.used_min === undefined ? undefined : sql<boolean>`g.up + g.down >= ${filters.used_min}`,
    filters.used_max === undefined ? undefined : sql<boolean>`g.up + g.down <= ${filters.used_max}`,
  ];
  const given = (condition: Condition | undefined) => condition !== undefined;
  const ofStatus = status === undefined ? undefined : statusCondition(status, now, reads.dialect, few);
  const where = [...plain, ofStatus, ...counters].filter((condition) => condition !== undefined);
  const accounts = plain.some(given) || status !== undefined;
  const [picks, usage] = [plain.some(given), counters.some(given)];
  return { where, usage, accounts, picks: picks || few, statuses: picks || usage ? undefined : (status ?? STATUSES) };
}

/** How many accounts are in one of the states, as the commits keep it. */
async function countOf(reads: Reader, states: readonly string[]): Promise<number> {
  const counts = await stateCounts(reads, ["user"]);
  return counts.reduce((sum, { state, total }) => sum + (states.includes(state) ? total : 0), 0);
}

/** The one account of that name, link or reference: each is unique, so its index finds it. */
function exactConditions({ name, subId, externalId }: UserFilters): Condition[] {
  return [
    ...(name === undefined ? [] : [sql<boolean>`u.name = ${name}`]),
    ...(subId === undefined ? [] : [sql<boolean>`u.sub_id = ${subId}`]),
    ...(externalId === undefined ? [] : [sql<boolean>`u.external_id = ${externalId}`]),
  ];
}

function flag(wanted: boolean | undefined, condition: Condition): Condition | undefined {
  if (wanted === undefined) return undefined;
  return wanted ? condition : sql<boolean>`not (${condition})`;
}

/** Accounts that have a credential which another has too, since before that was refused. */
const SHARES_CREDENTIALS: Condition = sql<boolean>`u.id in (
  select user_id from user_credentials where sharers > 0
  union select s.user_id from shared_credentials s join user_credentials c on c.id = s.credential_id where c.user_id <> 0 or c.sharers > 1)`;

/**
 * Exact matches on standard contact keys, without regard to case; a phone number as it is stored. Those that have the
 * value in any of their texts are found by the index of `q`.
 */
async function contactConditions({ reads, search }: FilterDeps, filters: UserFilters): Promise<Condition[]> {
  const given: Readonly<Record<string, unknown>> = filters;
  const conditions = CONTACT_KEYS.map(async (key) => {
    const value = given[`contact_${key}`];
    if (typeof value !== "string") return [];
    // The key is one of six of ours, never input.
    const stored = sql.raw(`u.contact ->> '${key}'`);
    const same =
      key === "phone" ? sql<boolean>`${stored} = ${value}` : sql<boolean>`lower(${stored}) = lower(${value})`;
    const ids = await search.withPart(value);
    return ids ? [idAmong(reads.dialect, "u.id", ids), same] : [same];
  });
  return (await Promise.all(conditions)).flat();
}

async function templateConditions({ reads, nodeTemplate }: FilterDeps, filters: UserFilters): Promise<Condition[]> {
  const { dialect } = reads;
  const conditions: Condition[] = [];
  if (filters.template_id !== undefined) conditions.push(memberOfAny(dialect, [filters.template_id]));
  if (filters.inbound_id !== undefined)
    conditions.push(reachesAny(dialect, await carriedInbounds(reads, { id: filters.inbound_id })));
  if (filters.protocol !== undefined)
    conditions.push(reachesAny(dialect, await carriedInbounds(reads, { type: filters.protocol })));
  if (filters.node_id !== undefined) {
    const templateId = (await nodeTemplate(filters.node_id)) ?? notFound("node", filters.node_id);
    const template = templateId === 0 ? undefined : await reads.find(TemplateRows, templateId);
    conditions.push(servedOn(dialect, template));
  }
  return conditions;
}
