// What changes plans. An account that was made by a plan is never touched: a plan is where it started, not a link.
import { type Draft, sql, type Reader } from "../../db/index.ts";
import { invalid, notFound, refuseOutdated, rule } from "../../http/index.ts";
import { requireInbounds, requireTemplates } from "../../pool/index.ts";
import { checkedCycle, defaultAnchor } from "./reset-cycle.ts";
import { PlanRows, type PlanRow } from "../records/plan.entity.ts";
import { planView, type PlanBody, type PlanReplaceBody } from "./plans.schema.ts";

type Written = Omit<PlanRow, "id" | "createdAt" | "updatedAt">;

const BLANK: Omit<
  Written,
  "name" | "groupLabel" | "description" | "allTemplates" | "resetStartDay" | "resetStartMonth"
> = {
  sortOrder: 0,
  volume: 0,
  days: 0,
  onFirstUse: false,
  speedLimit: 0,
  ipLimit: 0,
  deviceLimit: 0,
  autoReset: false,
  resetDays: 0,
  resetPeriod: "",
  resetCalendar: "",
  templateIds: [],
  inboundIds: null,
  namePrefix: "",
  nameSuffix: "",
};

/** The columns of a whole plan. Naming templates is choosing them, as in an account. */
function written({ desc, group, ...body }: PlanBody): Written {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return checkedCycle({
    ...BLANK,
    ...defaultAnchor(body.resetPeriod ?? ""),
    name: body.name,
    allTemplates: body.templateIds === undefined,
    ...given,
    description: desc ?? "",
    groupLabel: group ?? "",
  });
}

/** The plan of a body's `planId`, held as it is until the commit. Throws 400 for an id that names none. */
export function planOf(draft: Draft, id: number): Readonly<PlanRow> {
  return draft.find(PlanRows, id, "read") ?? invalid("planId", rule("absent", "plan", id));
}

/** Throws 400 naming the field for a template that there is not and for a reset that does not fit its period. */
export function createPlan(draft: Draft, body: PlanBody): Readonly<PlanRow> {
  const fields = written(body);
  requireTemplates(draft, fields.templateIds, "templateIds");
  requireInbounds(draft, fields.inboundIds ?? [], "inboundIds");
  const row: PlanRow = { id: draft.nextId(PlanRows.name), ...fields, createdAt: draft.time, updatedAt: draft.time };
  draft.insert(PlanRows, row);
  return row;
}

/**
 * A full replace: what the body leaves out takes its default. 409 `version_conflict` when the plan moved on from the
 * version that the caller read.
 */
export function replacePlan(
  draft: Draft,
  id: number,
  { version, ...body }: PlanReplaceBody,
): { readonly before: Readonly<PlanRow>; readonly after: Readonly<PlanRow> } {
  const before = draft.find(PlanRows, id) ?? notFound("plan", id);
  refuseOutdated(version, before, () => planView(before));
  const fields = written(body);
  requireTemplates(draft, fields.templateIds, "templateIds");
  requireInbounds(draft, fields.inboundIds ?? [], "inboundIds");
  return { before, after: { ...draft.touch(PlanRows, id, fields) } };
}

export function deletePlan(draft: Draft, id: number): Readonly<PlanRow> {
  const row = draft.find(PlanRows, id) ?? notFound("plan", id);
  draft.delete(PlanRows, id);
  return row;
}

/** Every plan's place as the list shows it, so that an order can name the plans by theirs. */
export async function planIds(reads: Reader): Promise<number[]> {
  const rows = await reads.query<{ id: number | string }>(sql`select id from plans order by sort_order, id`);
  return rows.map(({ id }) => Number(id));
}

/**
 * Puts plans into an order: those that are named come first, as they are named, then the others as they stood.
 * `stood`: the ids of all plans in their order; the caller locked them. Throws 400 for an id that names none.
 */
export function orderPlans(draft: Draft, stood: readonly number[], wanted: readonly number[]): void {
  const rows = new Map(draft.findAll(PlanRows, stood).map((row) => [row.id, row]));
  const unknown = wanted.find((id) => !rows.has(id));
  if (unknown !== undefined) invalid("ids", rule("absent", "plan", unknown));
  const order = [...new Set([...wanted, ...stood.filter((id) => rows.has(id))])];
  for (const [place, id] of order.entries()) {
    if (rows.get(id)?.sortOrder !== place) draft.touch(PlanRows, id, { sortOrder: place });
  }
}
