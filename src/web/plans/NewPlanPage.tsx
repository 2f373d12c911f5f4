// A new plan: empty, or a copy of another. It comes last among the plans.
import { useLocation, useSearchParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { nested, type Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { PageHead } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { usePageTitle } from "../browser/title.ts";
import classes from "../parts/record-page.module.css";
import { useWords } from "../words/words.ts";
import { PLANS, type Plan, type PlanBody } from "./plan.ts";
import { NEW_PLAN, PlanForm, valuesOf } from "./PlanForm.tsx";

export default function NewPlanPage() {
  const words = useWords("plans");
  const [search] = useSearchParams();
  const from = Number(search.get("from"));
  const plans = useApi<Listing<Plan>>("/plans", { limit: 1000 });
  usePageTitle(words.add);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.add} back={{ href: "/plans", label: words.title }} />
      <Answer of={plans}>
        {({ items }) => {
          const sortOrder = Math.max(0, ...items.map((plan) => plan.sortOrder + 1));
          const copied = items.find(({ id }) => id === from);
          const initial = copied ? { ...valuesOf(copied), name: words.copyOf(copied.name) } : NEW_PLAN;
          return <Form draft={copied ? `plans/copy/${from}` : "plans/new"} initial={{ ...initial, sortOrder }} />;
        }}
      </Answer>
    </div>
  );
}

function Form({ draft, initial }: { readonly draft: string; readonly initial: Values }) {
  const words = useWords("plans");
  const [, navigate] = useLocation();
  const settle = useSettle(PLANS);
  const form = useRecordForm<PlanBody, Plan>({
    draft,
    initial,
    save: (changed) => call("POST", "/plans", { body: { ...nested(initial), ...changed } }),
    onDone(plan) {
      settle(plan, { record: plan, said: words.made(plan.name) });
      navigate("/plans");
    },
  });
  return <PlanForm form={form} fresh />;
}
