// A new role: empty, or a copy of another.
import { useLocation, useSearchParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { nested, type Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { Answer } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import classes from "../parts/record-page.module.css";
import { useMe } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { ROLES, type Role, type RoleBody } from "./role.ts";
import { NEW_ROLE, RoleForm, valuesOf } from "./RoleForm.tsx";
import { holds } from "./scopes.ts";

export default function NewRolePage() {
  const { roles: words } = useWords("access");
  const [search] = useSearchParams();
  const from = search.get("from");
  usePageTitle(words.add);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.add} back={{ href: "/roles", label: words.title }} />
      {from === null ? <Form draft="roles/new" initial={NEW_ROLE} /> : <Copy id={from} />}
    </div>
  );
}

function Copy({ id }: { readonly id: string }) {
  const { roles: words } = useWords("access");
  const { scopes } = useMe();
  const original = useApi<Role>(`/roles/${id}`);
  return (
    <Answer of={original}>
      {(role) => {
        const granted = role.scopes.filter((scope) => holds(scopes, scope));
        const initial = { ...valuesOf(role), name: words.copyOf(role.name), scopes: granted };
        return <Form draft={`roles/copy/${id}`} initial={initial} />;
      }}
    </Answer>
  );
}

function Form({ draft, initial }: { readonly draft: string; readonly initial: Values }) {
  const { roles: words } = useWords("access");
  const [, navigate] = useLocation();
  const settle = useSettle(ROLES);
  const form = useRecordForm<RoleBody, Role>({
    draft,
    initial,
    save: (changed) => call("POST", "/roles", { body: { ...nested(initial), ...changed } }),
    onDone(role) {
      settle(role, { record: role, said: words.made(role.name) });
      navigate(`/roles/${role.id}`);
    },
  });
  return <RoleForm form={form} holders={0} fresh />;
}
