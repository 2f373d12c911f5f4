// One operator: its sign-in, its users and allowance, and its fields.
import { Alert } from "@mantine/core";
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { useNow } from "../parts/now.ts";
import { Code, Dim } from "../parts/Names.tsx";
import { CountBar, QuotaBar } from "../parts/Quantities.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { ADMINS, type Admin, type AdminBody } from "./admin.ts";
import { useAdminGroups, valuesOf } from "./admin-fields.ts";
import { closedBy, periodOf } from "./allowance.ts";
import { RoleOf, SecondFactor } from "./admin-columns.tsx";
import classes from "../parts/record-page.module.css";
import { useAdminVerbs } from "./use-admin-verbs.tsx";

export default function AdminPage() {
  const { id } = useParams<{ id: string }>();
  const { admins: words } = useWords("access");
  const admin = useApi<Admin>(`/admins/${id}`);
  const list = { id: "admins", href: "/admins", title: words.title };
  return (
    <RecordPage of={admin} list={list} missing={{ title: words.missing, text: words.missingText }}>
      {(record) => <AdminRecord key={record.id} admin={record} list={list} />}
    </RecordPage>
  );
}

function AdminRecord({ admin, list }: { readonly admin: Admin; readonly list: RecordList }) {
  const { admins: words } = useWords("access");
  const verbs = useAdminVerbs(list.href);
  const overview = (
    <div className={classes["record"]}>
      <SignIn admin={admin} />
      <Allowance admin={admin} />
    </div>
  );
  return (
    <RecordFrame
      record={admin}
      name={admin.username}
      list={list}
      href={`/admins/${admin.id}`}
      verbs={verbs}
      under={<RoleOf admin={admin} />}
      tabs={[
        { id: "overview", label: words.tabs.overview, content: overview },
        { id: "edit", label: words.tabs.edit, content: <AdminForm admin={admin} /> },
      ]}
    />
  );
}

function SignIn({ admin }: { readonly admin: Admin }) {
  const words = useWords("access");
  const { admins } = words;
  return (
    <Panel title={admins.signIn}>
      <Facts
        items={[
          { label: admins.twoFactor, value: <SecondFactor on={admin.twoFactor} /> },
          {
            label: admins.lastLogin,
            value:
              admin.lastLoginAt === 0 ? (
                <Dim>{words.never}</Dim>
              ) : (
                <>
                  <Ago at={admin.lastLoginAt} /> · <Code>{admin.lastLoginIp}</Code>
                </>
              ),
          },
          { label: words.created, value: <Moment at={admin.createdAt} /> },
          { label: admins.changed, value: <Moment at={admin.updatedAt} /> },
        ]}
      />
    </Panel>
  );
}

function Allowance({ admin }: { readonly admin: Admin }) {
  const words = useWords("access");
  const { admins } = words;
  const resale = admin.base === "resale";
  const { users, userLimit } = admin;
  const ended = closedBy(admin, useNow(60));
  const closed = resale && ended !== undefined ? admins.closed[ended] : undefined;
  return (
    <Panel title={resale ? admins.resale : admins.users}>
      {closed === undefined ? null : (
        <Alert color={ended === "expiry" ? "red" : "yellow"} variant="light" mb="sm" role="alert">
          {closed}
        </Alert>
      )}
      <Facts
        items={[
          { label: admins.users, value: <CountBar label={admins.users} used={users} limit={userLimit} /> },
          { label: admins.allowance, value: resale ? <QuotaBar used={admin.used} limit={admin.volume} /> : undefined },
          {
            label: admins.period,
            value: resale ? admins.periods[periodOf(admin.period)] : undefined,
          },
          { label: admins.nextReset, value: admin.nextReset > 0 ? <Moment at={admin.nextReset} /> : undefined },
          { label: admins.expires, value: resale ? <Ago at={admin.expiry} none={words.never} /> : undefined },
          { label: admins.groups.may, value: mayOf(admin, admins) },
        ]}
      />
    </Panel>
  );
}

function mayOf(
  { base, plansOnly, usersReadOnly }: Admin,
  words: { readonly plansOnly: string; readonly usersReadOnly: string },
): string | undefined {
  if (base !== "resale") return undefined;
  const said = [...(plansOnly ? [words.plansOnly] : []), ...(usersReadOnly ? [words.usersReadOnly] : [])];
  return said.length === 0 ? undefined : said.join(", ");
}

/** Only what was changed is sent, beside the name and role that the route always wants. */
function AdminForm({ admin }: { readonly admin: Admin }) {
  const { admins: words } = useWords("access");
  const settle = useSettle(ADMINS);
  const form = useRecordForm<AdminBody, Admin>({
    draft: `admins/${admin.id}`,
    initial: valuesOf(admin),
    version: { read: admin.updatedAt, valuesOf },
    save: (changed, { username, role }) => call("PUT", `/admins/${admin.id}`, { body: { username, role, ...changed } }),
    onDone: (saved) => settle(admin, { record: saved, said: words.saved(saved.username) }),
  });
  return (
    <div className={classes["narrow"]}>
      <SchemaForm form={form} groups={useAdminGroups(false, false)} />
    </div>
  );
}
