// One delivery: what was sent last, what came back, and when it is tried again.
import { Anchor, Button, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { Link, useParams } from "wouter";
import { useApi, useApiMutation } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Countdown, Moment } from "../parts/Ago.tsx";
import { Failure } from "../parts/Answer.tsx";
import { Facts, PageHead, Panel } from "../parts/Record.tsx";
import { RecordPage } from "../parts/RecordPage.tsx";
import { useCan } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useRaised } from "../words/use-raised.ts";
import { useWords } from "../words/words.ts";
import { AnswerText } from "./Deliveries.tsx";
import { DeliveryBadge } from "./WebhookBadge.tsx";
import type { DeliveryDetail, Webhook } from "./webhook.ts";
import classes from "./webhooks.module.css";

const AGAIN_MS = 3000;

export default function DeliveryPage() {
  const { id, delivery } = useParams<{ id: string; delivery: string }>();
  const words = useWords("webhooks");
  const hook = useApi<Webhook>(`/webhooks/${id}`);
  const detail = useApi<DeliveryDetail>(`/webhooks/${id}/deliveries/${delivery}`, {}, { refetchInterval: AGAIN_MS });
  const list = { id: "deliveries", href: `/webhooks/${id}`, title: hook.data?.name ?? words.deliveries };
  return (
    <RecordPage of={detail} list={list} missing={{ title: words.deliveryGone }}>
      {(shown) => (
        <DeliveryRecord detail={shown} hook={hook.data} id={id} back={{ href: list.href, label: list.title }} />
      )}
    </RecordPage>
  );
}

interface DeliveryRecordProps {
  readonly detail: DeliveryDetail;
  readonly hook: Webhook | undefined;
  readonly id: string;
  readonly back: { readonly href: string; readonly label: string };
}

function DeliveryRecord({ detail, hook, id, back }: DeliveryRecordProps) {
  const words = useWords("webhooks");
  const format = useFormat();
  const raisedText = useRaised();
  const writes = useCan()("webhooks:write") && hook?.enabled === true;
  const path = `/webhooks/${id}/deliveries` as const;
  const resend = useApiMutation(() => ({ method: "POST", path: `${path}/${detail.id}/resend` }), {
    refreshes: [`${path}/${detail.id}`, path],
    onDone: () => sayDone(words.done.resent(1)),
  });
  const title = raisedText(detail.event);
  usePageTitle(title);
  const { request, response } = detail;
  return (
    <>
      <PageHead
        title={title}
        beside={<DeliveryBadge state={detail.state} large />}
        back={back}
        actions={
          writes ? (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={resend.isPending}
              onClick={() => resend.mutate()}
            >
              {words.resend}
            </Button>
          ) : undefined
        }
      />
      {resend.error ? <Failure error={resend.error} /> : null}
      <div className={classes["delivery"]}>
        <Panel>
          <Facts
            items={[
              {
                label: words.event,
                value: (
                  <Anchor component={Link} href={`/events?event=${detail.event}`}>
                    <bdi dir="ltr">{detail.event}</bdi>
                  </Anchor>
                ),
              },
              { label: words.raisedAt, value: <Moment at={detail.createdAt} style="precise" /> },
              { label: words.attempts, value: format.number(detail.attempts) },
              { label: words.answer, value: <AnswerText of={detail} /> },
              {
                label: words.nextTry,
                value: detail.nextAttemptAt === 0 ? undefined : <Countdown to={detail.nextAttemptAt} />,
              },
              {
                label: words.lastDelivered,
                value: detail.deliveredAt === 0 ? undefined : <Moment at={detail.deliveredAt} style="precise" />,
              },
              { label: words.took, value: response ? <bdi dir="ltr">{format.number(response.ms)} ms</bdi> : undefined },
            ]}
          />
          {detail.withheld ? (
            <Text size="sm" c="dimmed" mt="sm">
              {words.withheld}
            </Text>
          ) : null}
        </Panel>
        {request ? <Message title={words.sent} headers={request.headers} body={request.body} /> : null}
        {response ? (
          <Message title={`${words.cameBack} · ${response.status}`} headers={response.headers} body={response.body} />
        ) : null}
      </div>
    </>
  );
}

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers and body as they were, as text. */
function Message({ title, headers, body }: MessageProps) {
  const words = useWords("webhooks");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Panel title={title}>
      {lines.length === 0 ? null : <Source label={words.headers} text={lines.join("\n")} />}
      {body === "" ? (
        <Text size="sm" c="dimmed">
          {words.noBody}
        </Text>
      ) : (
        <Source label={words.body} text={indented(body)} />
      )}
    </Panel>
  );
}

function Source({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre className={classes["source"]} dir="ltr" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
