// An operator's fields: only what was changed is sent, beside the name and role that the route always wants.
import { call } from "../api/call.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { ADMINS, type Admin, type AdminBody } from "./admin.ts";
import { useAdminGroups, valuesOf } from "./admin-fields.ts";
import classes from "../parts/record-page.module.css";

export function AdminForm({ admin }: { readonly admin: Admin }) {
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
