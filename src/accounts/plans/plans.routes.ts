// Plans (rules users.plan): every operator and reseller reads them, operators write them.
import { lock, sql, type Reader } from "../../db/index.ts";
import { AdminRows } from "../../access/index.ts";
import {
  type Caller,
  type Condition,
  idParams,
  listRoute,
  notFound,
  okAnswer,
  ownsOnly,
  pageOf,
  type Route,
  route,
} from "../../http/index.ts";
import { PlanRows } from "../records/plan.entity.ts";
import { createPlan, deletePlan, orderPlans, planIds, replacePlan } from "./plans.commands.ts";
import { PlanFields, PlanOrder, PlanReplace, planView, PlanView } from "./plans.schema.ts";

const writes = { scope: "users:write", tiers: ["sudo", "admin"] } as const;

/** The plans that a caller may see, where not all: those granted to a reseller that sells plans alone. */
async function granted(reads: Reader, caller: Caller): Promise<readonly number[] | undefined> {
  if (!ownsOnly(caller)) return undefined;
  const admin = await reads.find(AdminRows, caller.adminId);
  return admin?.plansOnly ? admin.planIds : undefined;
}

export function planRoutes({ reads }: { readonly reads: Reader }): Route[] {
  return [
    listRoute({
      path: "/plans",
      scope: "users:read",
      summary: "Plans in their order",
      description: "A reseller that sells plans only sees those that were granted to it.",
      item: PlanView,
      list: {
        q: ["name", "description", "group_label"],
        updatedAt: "updated_at",
        order: "sort_order, id",
      },
      handle: async ({ list, caller }) => {
        const ids = await granted(reads, caller);
        const where: Condition[] = ids === undefined ? [] : [sql<boolean>`id in (${sql.join([0, ...ids])})`];
        const page = await pageOf(reads, PlanRows, list, { where });
        return { rows: page.rows.map(planView), total: page.total };
      },
    }),
    route({
      method: "GET",
      path: "/plans/{id}",
      scope: "users:read",
      summary: "One plan",
      params: idParams,
      answer: PlanView,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const ids = await granted(reads, caller);
        if (ids !== undefined && !ids.includes(id)) notFound("plan", id);
        return planView((await reads.find(PlanRows, id)) ?? notFound("plan", id));
      },
    }),
    route({
      ...writes,
      method: "POST",
      path: "/plans",
      summary: "Add a plan",
      body: PlanFields,
      answer: PlanView,
      audit: { key: "plans", action: "create" },
      statuses: [400],
      handle: ({ body, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const plan = createPlan(draft, body);
            return { answer: planView(plan), audit: { entityId: plan.id, after: planView(plan) } };
          },
        }),
    }),
    route({
      ...writes,
      method: "PUT",
      path: "/plans/order",
      summary: "Put plans into an order",
      description: "Those that are named come first, as they are named; the others follow as they stood.",
      body: PlanOrder,
      answer: okAnswer,
      audit: { key: "plans", action: "order" },
      statuses: [400],
      handle: async ({ body: { ids }, commit }) => {
        const stood = await planIds(reads);
        return commit({
          locks: stood.map((id) => lock(PlanRows, id)),
          decide(draft) {
            orderPlans(draft, stood, ids);
            return { answer: { ok: true }, audit: { entityId: "", obj: { ids: ids.join(", ") } } };
          },
        });
      },
    }),
    route({
      ...writes,
      method: "PUT",
      path: "/plans/{id}",
      summary: "Replace a plan; users that were made by it stay as they are",
      description: "What is left out takes its default.",
      params: idParams,
      body: PlanReplace,
      answer: PlanView,
      audit: { key: "plans", action: "update" },
      statuses: [400, 404, 409],
      handle: ({ params: { id }, body, commit }) =>
        commit({
          locks: [lock(PlanRows, id)],
          decide(draft) {
            const { before, after } = replacePlan(draft, id, body);
            return {
              answer: planView(after),
              audit: { entityId: id, before: planView(before), after: planView(after) },
            };
          },
        }),
    }),
    route({
      ...writes,
      method: "DELETE",
      path: "/plans/{id}",
      summary: "Delete a plan; users that were made by it stay as they are",
      params: idParams,
      answer: okAnswer,
      audit: { key: "plans", action: "delete" },
      statuses: [404],
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(PlanRows, id)],
          decide: (draft) => ({
            answer: { ok: true },
            audit: { entityId: id, before: planView(deletePlan(draft, id)) },
          }),
        }),
    }),
  ];
}
