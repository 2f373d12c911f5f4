// A new account: the name is all that must be said; then the link, its code, and Copy.
import { Alert, Button } from "@mantine/core";
import { useSearchParams, Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useSolePlan } from "../plans/plan.ts";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { Handover } from "./Handover.tsx";
import { LostChoices } from "./LostChoices.tsx";
import type { User } from "./user.ts";
import { RESETS } from "../plans/limit-fields.ts";
import { NEW_USER, useUserGroups, type NewUserBody } from "./user-fields.ts";
import classes from "./users.module.css";
import { useTemplates } from "../plans/use-templates.ts";
import { USERS } from "./use-user-verbs.tsx";

export default function NewUserPage() {
  const words = useWords("users");
  const [search] = useSearchParams();
  const made = search.get("made");
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.newTitle} back={{ href: "/users", label: words.title }} />
      {made === null ? <NewUserForm /> : <Handover id={made} />}
    </div>
  );
}

function NewUserForm() {
  const words = useWords("users");
  const parts = useWords("parts");
  const settle = useSettle(USERS);
  const [, navigate] = useLocation();
  const groups = useUserGroups(true);
  const { all: templates } = useTemplates();
  const { base } = useMe();
  const [search] = useSearchParams();
  const sole = useSolePlan();
  const named = Number(search.get("plan"));
  const planId = named > 0 ? named : sole;
  const form = useRecordForm<NewUserBody, User>({
    draft: named > 0 ? `users/new/${named}` : "users/new",
    initial: { ...NEW_USER, planId },
    save: async (changed) => {
      const { allTemplates = true, ...rest } = { ...(planId > 0 && { planId }), ...changed };
      const body: Record<string, unknown> = { ...rest, allTemplates };
      if (changed.autoReset === true) for (const field of RESETS) body[field] ??= NEW_USER[field];
      return await call<User>("POST", "/users", { body });
    },
    onDone(user) {
      settle(user, { record: user });
      navigate(`/users/new?made=${user.id}`);
    },
  });
  return (
    <>
      {templates?.length === 0 ? (
        <Alert color="orange" variant="light" mb="md">
          {words.noTemplates} {base === "resale" ? null : <Link href="/nodes/start">{words.noTemplatesLink}</Link>}
        </Alert>
      ) : null}
      <LostChoices />
      <SchemaForm
        form={form}
        groups={groups}
        fresh
        submit={words.create}
        focus="name"
        more={
          <Button variant="default" component={Link} href="/users">
            {parts.cancel}
          </Button>
        }
      />
    </>
  );
}
