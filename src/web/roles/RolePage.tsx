// One role: its form, or what a built-in one allows.
import { Alert } from "@mantine/core";
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { nested, type Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import classes from "../parts/record-page.module.css";
import { useWords } from "../words/words.ts";
import { ROLES, type Role, type RoleBody } from "./role.ts";
import { RoleForm, valuesOf } from "./RoleForm.tsx";
import { ScopeMatrix } from "./ScopeMatrix.tsx";
import { useRoleVerbs } from "./use-role-verbs.tsx";

export default function RolePage() {
  const { id } = useParams<{ id: string }>();
  const { roles: words } = useWords("access");
  const role = useApi<Role>(`/roles/${id}`);
  const list = { id: "roles", href: "/roles", title: words.title };
  return (
    <RecordPage of={role} list={list} missing={{ title: words.missing }}>
      {(record) => <RoleRecord key={record.id} role={record} list={list} />}
    </RecordPage>
  );
}

function RoleRecord({ role, list }: { readonly role: Role; readonly list: RecordList }) {
  const { roles: words, tiers, scopes } = useWords("access");
  const format = useFormat();
  const content = (
    <div className={classes["narrow"]}>
      {role.builtin ? (
        <>
          <Alert variant="light" p="xs" mb="md">
            {words.builtinText}
          </Alert>
          <Panel title={scopes.title}>
            <ScopeMatrix granted={role.scopes} />
          </Panel>
        </>
      ) : (
        <OwnRole role={role} />
      )}
    </div>
  );
  return (
    <RecordFrame
      record={role}
      name={role.builtin ? tiers[role.base] : role.name}
      list={list}
      href={`/roles/${role.id}`}
      verbs={useRoleVerbs(list.href)}
      under={`${tiers[role.base]} · ${words.held(role.admins, format.number(role.admins))}`}
      tabs={[{ id: "role", label: list.title, content }]}
    />
  );
}

function OwnRole({ role }: { readonly role: Role }) {
  const { roles: words } = useWords("access");
  const settle = useSettle(ROLES);
  const initial: Values = valuesOf(role);
  const form = useRecordForm<RoleBody, Role>({
    draft: `roles/${role.id}`,
    initial,
    version: { read: role.updatedAt, valuesOf },
    save: (changed, now) => call("PUT", `/roles/${role.id}`, { body: { ...nested(now), ...changed } }),
    onDone: (saved) => settle(role, { record: saved, said: words.saved(saved.name) }),
  });
  return <RoleForm form={form} holders={role.admins} />;
}
