// One reseller: whether its users are served and why, its allowance, its limits, and its users.
import { Alert } from "@mantine/core";
import { useParams } from "wouter";
import type { Admin } from "../admins/admin.ts";
import classes from "../parts/record-page.module.css";
import { periodOf } from "../admins/allowance.ts";
import { useRefreshed } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { CountBar, QuotaBar } from "../parts/Quantities.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { usePlans } from "../plans/plan.ts";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { ResellerAccounts } from "./ResellerAccounts.tsx";
import { explained, ResellerState } from "./ResellerState.tsx";
import { useResellerVerbs } from "./use-reseller-verbs.tsx";

const REFRESH_MS = 10_000;

export default function ResellerPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("resellers");
  const admin = useApi<Admin>(`/admins/${id}`, {}, { refetchInterval: REFRESH_MS });
  useRefreshed("reseller", [`/admins/${id}`]);
  const list = { id: "resellers", href: "/resellers", title: words.title };
  return (
    <RecordPage of={admin} list={list} missing={{ title: words.missing, text: words.missingText }}>
      {(record) => <ResellerRecord key={record.id} admin={record} list={list} />}
    </RecordPage>
  );
}

function ResellerRecord({ admin, list }: { readonly admin: Admin; readonly list: RecordList }) {
  const words = useWords("resellers");
  const can = useCan();
  const overview = (
    <div className={classes["record"]}>
      <AllowanceOf admin={admin} />
      <LimitsOf admin={admin} />
    </div>
  );
  return (
    <RecordFrame
      record={admin}
      name={admin.username}
      list={list}
      href={`/resellers/${admin.id}`}
      verbs={useResellerVerbs()}
      beside={<ResellerState admin={admin} />}
      tabs={[
        { id: "overview", label: words.tabs.overview, content: overview },
        can("users:read") && {
          id: "accounts",
          label: words.tabs.accounts,
          content: <ResellerAccounts admin={admin} />,
        },
      ]}
    />
  );
}

function AllowanceOf({ admin }: { readonly admin: Admin }) {
  const words = useWords("resellers");
  const { admins, never } = useWords("access");
  const { used, volume, period, periodStart, nextReset, expiry, closedBy } = admin;
  return (
    <Panel title={words.columns.allowance}>
      <Alert
        color={closedBy === "" ? "gray" : closedBy === "expiry" ? "red" : "yellow"}
        variant="light"
        mb="sm"
        role={closedBy === "" ? "status" : "alert"}
      >
        {explained(admin, words)}
      </Alert>
      <Facts
        items={[
          { label: words.columns.allowance, value: <QuotaBar used={used} limit={volume} /> },
          { label: words.columns.period, value: admins.periods[periodOf(period)] },
          { label: words.since, value: periodStart > 0 ? <Moment at={periodStart} /> : undefined },
          { label: words.columns.nextReset, value: nextReset > 0 ? <Moment at={nextReset} /> : undefined },
          { label: words.columns.ends, value: <Ago at={expiry} none={never} /> },
        ]}
      />
    </Panel>
  );
}

function LimitsOf({ admin }: { readonly admin: Admin }) {
  const words = useWords("resellers");
  const access = useWords("access");
  const format = useFormat();
  const plans = usePlans(admin.plansOnly);
  const { users, userLimit, plansOnly, planIds, usersReadOnly, lastLoginAt } = admin;
  const names = plans.filter(({ id }) => planIds.includes(id)).map(({ name }) => name);
  const sells = !plansOnly
    ? words.sellsAll
    : planIds.length === 0
      ? words.sellsNothing
      : words.sellsPlans(names.join(", "));
  return (
    <Panel title={words.limits}>
      <Facts
        items={[
          {
            label: words.columns.users,
            value: <CountBar label={words.columns.users} used={users} limit={userLimit} />,
          },
          { label: words.userLimit, value: userLimit > 0 ? format.number(userLimit) : access.noLimit },
          { label: words.sells, value: usersReadOnly ? words.readOnly : <bdi>{sells}</bdi> },
          { label: words.columns.lastLogin, value: <Ago at={lastLoginAt} none={access.never} /> },
        ]}
      />
    </Panel>
  );
}
