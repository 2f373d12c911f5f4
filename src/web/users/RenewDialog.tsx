// The question before a renewal: until when, by the account's own term, by a plan, or to a date that is chosen. Also
// where somebody switched on what its limits keep off.
import { Alert, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { usePlans, type Plan } from "../plans/plan.ts";
import { useWords } from "../words/words.ts";
import { endOf, mayBeRenewed, renewalByPlan, renewalOf, takesDate } from "./renewal.ts";
import { RenewEnd, useChosenEnd } from "./RenewEnd.tsx";
import { useStandingText } from "./StandingText.tsx";
import { standingOf, type User } from "./user.ts";

interface RenewDialogProps {
  readonly user: User;
  /** It was switched on and its limits keep it off. */
  readonly stays?: boolean;
  readonly asked: Asked<User>;
}

export default function RenewDialog({ user, stays = false, asked }: RenewDialogProps) {
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  const standing = useStandingText();
  // The account as it was when it was asked: the answer must not move under the pointer.
  const [now] = useState(panelNow);
  const renewal = renewalOf(user, now);
  const choosable = takesDate(renewal);
  const end = useChosenEnd(now, { own: renewal.kind !== "dateless", at: renewal.kind === "until" ? renewal.at : 0 });
  const plans = usePlans();
  const [planId, setPlanId] = useState(0);
  const plan = plans.find(({ id }) => id === planId);
  const byDate = !plan && choosable;
  const offered = !stays || mayBeRenewed(standingOf(user, now).kind);
  const consequence = (
    <Stack gap="sm">
      {stays ? (
        <Alert color="yellow" variant="light" role="alert">
          {standing(user)}
        </Alert>
      ) : null}
      {offered ? (
        <>
          {plans.length === 0 ? null : (
            <NativeSelect
              label={words.renewBy}
              value={planId}
              onChange={(event) => setPlanId(Number(event.currentTarget.value))}
              data={[
                { value: "0", label: words.renewOwnLimits },
                ...plans.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          )}
          {plan ? <PlanText user={user} plan={plan} now={now} /> : null}
          {!plan && renewal.kind === "term" ? <div>{words.renewTerm(format.duration(renewal.seconds))}</div> : null}
          {!plan && renewal.kind === "counters" ? <div>{words.renewCounters}</div> : null}
          {byDate ? (
            <RenewEnd
              end={end}
              ownLabel={
                renewal.kind === "until"
                  ? words.renewOwn(format.duration(renewal.term), format.date(renewal.at))
                  : undefined
              }
            />
          ) : null}
          <div>{words.renewText}</div>
        </>
      ) : (
        <div>{words.next.reseller}</div>
      )}
    </Stack>
  );
  return (
    <ConfirmDialog
      opened
      onClose={asked.close}
      title={stays ? words.staysOff(user.name) : words.renewTitle(user.name)}
      consequence={consequence}
      confirm={offered ? words.renew : parts.close}
      disabled={offered && byDate && end.missing}
      run={async () => {
        if (!offered) return;
        const body = plan ? { planId: plan.id } : end.own ? {} : { expiry: end.at };
        const renewed = await call<User>("POST", `/users/${user.id}/renew`, { body });
        const until = endOf(renewed);
        const said = until === undefined ? words.renewed(user.name) : words.renewedUntil(user.name, format.date(until));
        asked.settle({ record: renewed, said });
      }}
    />
  );
}

/** What renewing by a plan leads to. */
function PlanText({ user, plan, now }: { readonly user: User; readonly plan: Plan; readonly now: number }) {
  const words = useWords("users");
  const format = useFormat();
  const renewal = renewalByPlan(user, plan, now);
  if (renewal.kind === "endless") return <div>{words.renewPlanEndless}</div>;
  if (renewal.kind === "term") return <div>{words.renewPlanTerm(format.duration(renewal.seconds))}</div>;
  return <div>{words.renewPlan(format.date(renewal.at))}</div>;
}
