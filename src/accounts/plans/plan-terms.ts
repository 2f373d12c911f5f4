// What a plan says of an account that is made or renewed by it (rules users.plan, users.renew). Pure.
import { invalid, rule } from "../../http/index.ts";
import { UserName } from "../records/limits.schema.ts";
import type { PlanRow } from "../records/plan.entity.ts";

const DAY = 86_400;

/** Seconds of the plan's term; 0 = without end. */
export const termOfPlan = ({ days }: Pick<PlanRow, "days">): number => days * DAY;

/** What a plan says of the limits of every account, new or renewed. */
function limitsOf(plan: Readonly<PlanRow>) {
  const { volume, speedLimit, ipLimit, deviceLimit, allTemplates, inboundIds } = plan;
  const { autoReset, resetDays, resetPeriod, resetStartDay, resetStartMonth, resetCalendar } = plan;
  const cycle = { autoReset, resetDays, resetPeriod, resetStartDay, resetStartMonth, resetCalendar };
  const places = { allTemplates, templateIds: [...plan.templateIds], inboundIds: inboundIds && [...inboundIds] };
  return { volume, speedLimit, ipLimit, deviceLimit, ...cycle, ...places };
}

/**
 * The body of a create with the plan over it: limits, zeros too, length, reset, templates, group; the name between
 * prefix and suffix. Throws 400 `field: "name"` where that is too long. `now`: Unix seconds.
 */
export function bodyByPlan<B extends { readonly name: string }>(body: B, plan: Readonly<PlanRow>, now: number) {
  const term = termOfPlan(plan);
  const name = UserName.safeParse(`${plan.namePrefix}${body.name}${plan.nameSuffix}`);
  if (!name.success) invalid("name", rule("too_long", 128 - plan.namePrefix.length - plan.nameSuffix.length));
  return {
    ...body,
    ...limitsOf(plan),
    name: name.data,
    group: plan.groupLabel,
    termDays: plan.days,
    duration: plan.onFirstUse ? term : 0,
    expiry: plan.onFirstUse || term === 0 ? 0 : now + term,
  };
}

/** Fields of a renewal by a plan, its length apart. A plan without a group leaves the account's. */
export function limitsOfRenewal(plan: Readonly<PlanRow>) {
  return { ...limitsOf(plan), ...(plan.groupLabel === "" ? {} : { group: plan.groupLabel }) };
}
