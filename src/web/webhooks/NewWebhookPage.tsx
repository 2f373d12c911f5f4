// A new webhook: where to, and which events. Its key is made here and shown once.
import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead } from "../parts/Record.tsx";
import { showOnce } from "../parts/secrets.ts";
import { useSettle } from "../parts/use-verbs.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { useWebhookGroups } from "./use-webhook-groups.tsx";
import { newSecret, WEBHOOKS, type Webhook, type WebhookBody } from "./webhook.ts";
import classes from "./webhooks.module.css";

const NEW = { name: "", url: "", events: [], ownOnly: false, adminId: 0, enabled: true } as const;

export default function NewWebhookPage() {
  const words = useWords("webhooks");
  const parts = useWords("parts");
  const settle = useSettle(WEBHOOKS);
  const [, navigate] = useLocation();
  const [signed, setSigned] = useState(true);
  const form = useRecordForm<WebhookBody, Webhook>({
    draft: "webhooks/new",
    initial: NEW,
    async save(changed) {
      const secret = signed ? newSecret() : "";
      const body = { ...NEW, ...changed, ...(signed ? { secret } : {}) };
      const hook = await call<Webhook>("POST", "/webhooks", { body });
      if (signed) void showOnce({ title: words.secretOf(hook.name), text: words.secretText, values: [secret] });
      return hook;
    },
    onDone(hook) {
      settle(hook, { record: hook, said: words.done.created(hook.name) });
      navigate(`/webhooks/${hook.id}`);
    },
  });
  usePageTitle(words.newTitle);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.newTitle} back={{ href: "/webhooks", label: words.title }} />
      <SchemaForm
        form={form}
        groups={useWebhookGroups(form)}
        fresh
        submit={words.create}
        focus="name"
        more={
          <>
            <Checkbox
              label={words.signIt}
              checked={signed}
              onChange={(event) => setSigned(event.currentTarget.checked)}
            />
            <Button variant="default" component={Link} href="/webhooks">
              {parts.cancel}
            </Button>
          </>
        }
      />
    </div>
  );
}
