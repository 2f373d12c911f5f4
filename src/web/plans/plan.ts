// A plan as the API answers it, and what it says in words.
import type { z } from "zod";
import type { PlanFields, PlanView } from "../../accounts/plans/plans.schema.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useMe } from "../session/me.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

export type Plan = z.output<typeof PlanView>;
export type PlanBody = z.input<typeof PlanFields>;

export const PLANS: RecordKind<Plan> = { list: "/plans", name: ({ name }) => name };

const MOST = { limit: 1000 };
const NONE: readonly Plan[] = [];

/** In their order; a reseller that sells plans only gets its own. */
export function usePlans(enabled = true): readonly Plan[] {
  const { data } = useApi<Listing<Plan>>("/plans", MOST, { enabled });
  return data?.items ?? NONE;
}

/** The plan of somebody who sells only one, 0 = there is a choice: it is chosen already. */
export function useSolePlan(): number {
  const { plansOnly } = useMe();
  const [first, second] = usePlans(plansOnly);
  return plansOnly && first && !second ? first.id : 0;
}
