// The account's fields: only what was changed is sent, with the version that was read.
import { call } from "../api/call.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { useUserGroups, valuesOf, type UserBody } from "./user-fields.ts";
import classes from "./users.module.css";
import { USERS } from "./use-user-verbs.tsx";

export default function EditTab({ user }: { readonly user: User }) {
  const words = useWords("users");
  const settle = useSettle(USERS);
  const groups = useUserGroups(false);
  const form = useRecordForm<UserBody, User>({
    draft: `users/${user.id}`,
    initial: valuesOf(user),
    version: { read: user.updatedAt, valuesOf },
    save: (changed) => call("PATCH", `/users/${user.id}`, { body: changed }),
    onDone: (saved) => settle(user, { record: saved, said: words.saved(saved.name) }),
  });
  return (
    <div className={classes["narrow"]}>
      <SchemaForm form={form} groups={groups} />
    </div>
  );
}
