// One plan. Accounts that were made by it stay as they are, whatever is saved here.
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { nested } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { PLANS, type Plan, type PlanBody } from "./plan.ts";
import classes from "./plans.module.css";
import { PlanForm, valuesOf } from "./PlanForm.tsx";
import { usePlanVerbs, useWritesPlans } from "./use-plan-verbs.tsx";

export default function PlanPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("plans");
  const plan = useApi<Plan>(`/plans/${id}`);
  const list = { id: "plans", href: "/plans", title: words.title };
  return (
    <RecordPage of={plan} list={list} missing={{ title: words.missing }}>
      {(record) => <PlanRecord key={record.id} plan={record} list={list} />}
    </RecordPage>
  );
}

function PlanRecord({ plan, list }: { readonly plan: Plan; readonly list: RecordList }) {
  const words = useWords("plans");
  const settle = useSettle(PLANS);
  const writes = useWritesPlans();
  const form = useRecordForm<PlanBody, Plan>({
    draft: `plans/${plan.id}`,
    initial: valuesOf(plan),
    version: { read: plan.updatedAt, valuesOf },
    save: (changed, now) => call("PUT", `/plans/${plan.id}`, { body: { ...nested(now), ...changed } }),
    onDone: (saved) => settle(plan, { record: saved, said: words.saved(saved.name) }),
  });
  const content = (
    <fieldset className={classes["fields"]} disabled={!writes} aria-label={plan.name}>
      <PlanForm form={form} />
    </fieldset>
  );
  return (
    <RecordFrame
      record={plan}
      name={plan.name}
      list={list}
      href={`/plans/${plan.id}`}
      verbs={usePlanVerbs(list.href)}
      under={words.untouched}
      tabs={[{ id: "plan", label: words.groups.plan, content }]}
    />
  );
}
