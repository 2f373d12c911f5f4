// One webhook: its deliveries, and its settings.
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import type { Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { Ago } from "../parts/Ago.tsx";
import { Code } from "../parts/Names.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { Deliveries } from "./Deliveries.tsx";
import { useWebhookGroups } from "./use-webhook-groups.tsx";
import { useWebhookVerbs } from "./use-webhook-verbs.tsx";
import { WebhookBadge } from "./WebhookBadge.tsx";
import { WEBHOOKS, type Webhook, type WebhookBody } from "./webhook.ts";
import classes from "./webhooks.module.css";

const AGAIN_MS = 3000;

export default function WebhookPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("webhooks");
  const hook = useApi<Webhook>(`/webhooks/${id}`, {}, { refetchInterval: AGAIN_MS });
  const list = { id: "webhooks", href: "/webhooks", title: words.title };
  return (
    <RecordPage of={hook} list={list} missing={{ title: words.gone }}>
      {(shown) => <WebhookRecord key={shown.id} hook={shown} list={list} />}
    </RecordPage>
  );
}

function WebhookRecord({ hook, list }: { readonly hook: Webhook; readonly list: RecordList }) {
  const words = useWords("webhooks");
  const writes = useCan()("webhooks:write");
  return (
    <RecordFrame
      record={hook}
      name={hook.name}
      list={list}
      href={`/webhooks/${hook.id}`}
      verbs={useWebhookVerbs(list.href)}
      beside={<WebhookBadge hook={hook} large />}
      under={
        <span className={classes["under"]}>
          <Code cut>{hook.url}</Code>
          <span>{hook.secretSet ? words.signed : words.unsigned}</span>
          {hook.lastDeliveredAt === 0 ? null : (
            <span>
              {words.lastDelivered}: <Ago at={hook.lastDeliveredAt} />
            </span>
          )}
        </span>
      }
      tabs={[
        { id: "deliveries", label: words.deliveries, content: <Deliveries hook={hook} /> },
        writes && { id: "settings", label: words.settings, content: <Settings hook={hook} /> },
      ]}
    />
  );
}

function valuesOf({ name, url, events, ownOnly, adminId, enabled }: Webhook): Values {
  return { name, url, events, ownOnly, adminId, enabled };
}

function Settings({ hook }: { readonly hook: Webhook }) {
  const words = useWords("webhooks");
  const settle = useSettle(WEBHOOKS);
  const form = useRecordForm<WebhookBody, Webhook>({
    draft: `webhooks/${hook.id}`,
    initial: valuesOf(hook),
    version: { read: hook.updatedAt, valuesOf },
    save: (changed) => call("PUT", `/webhooks/${hook.id}`, { body: changed }),
    onDone: (record) => settle(hook, { record, said: words.done.saved(record.name) }),
  });
  return (
    <div className={classes["narrow"]}>
      <SchemaForm
        form={form}
        groups={useWebhookGroups(form)}
        rest={{ show: () => null, label: (name) => (name === "events" ? words.events : undefined) }}
      />
    </div>
  );
}
