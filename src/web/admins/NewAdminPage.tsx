// A new operator: a name and a role; a password that was not typed is shown once.
import { Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { call } from "../api/call.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead } from "../parts/Record.tsx";
import { showOnce } from "../parts/secrets.ts";
import { useSettle } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { ADMINS, type Admin, type AdminBody } from "./admin.ts";
import { NEW_ADMIN, useAdminGroups } from "./admin-fields.ts";
import classes from "../parts/record-page.module.css";
import { makePassword } from "./PasswordDialog.tsx";

const RESALE = "resale";

export default function NewAdminPage() {
  const { admins: words } = useWords("access");
  const parts = useWords("parts");
  const makes = useCan()("tools:write");
  const [, navigate] = useLocation();
  const settle = useSettle(ADMINS);
  usePageTitle(words.add);
  // The resellers' page asks for one of its own.
  const [resells] = useSearchParams();
  const [initial] = useState(() => (resells.get("role") === RESALE ? { ...NEW_ADMIN, role: RESALE } : NEW_ADMIN));
  const list = initial["role"] === RESALE ? "/resellers" : "/admins";
  const form = useRecordForm<AdminBody & { password?: string }, { readonly admin: Admin; readonly made: string }>({
    draft: `${list}/new`.slice(1),
    initial,
    secrets: ["password"],
    save: async (changed) => {
      const { password = "", ...rest } = changed;
      const made = password === "" && makes ? await makePassword() : "";
      const body = { role: initial["role"], username: "", ...rest, password: password === "" ? made : password };
      return { admin: await call<Admin>("POST", "/admins", { body }), made };
    },
    onDone({ admin, made }) {
      settle(admin, { record: admin, said: words.made(admin.username) });
      navigate(`${admin.base === RESALE ? "/resellers" : "/admins"}/${admin.id}`);
      if (made !== "") void showOnce({ title: words.passwordOf(admin.username), values: [made] });
    },
  });
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.add} back={{ href: "/admins", label: words.title }} />
      <SchemaForm
        form={form}
        groups={useAdminGroups(true, makes)}
        fresh
        submit={words.submit}
        focus="username"
        more={
          <Button variant="default" component={Link} href={list}>
            {parts.cancel}
          </Button>
        }
      />
    </div>
  );
}
