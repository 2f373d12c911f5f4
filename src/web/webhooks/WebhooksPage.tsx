// All webhooks: each with how its deliveries go.
import { IconWebhook } from "@tabler/icons-react";
import { useMemo } from "react";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import type { Column } from "../parts/table/columns.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { WebhookBadge } from "./WebhookBadge.tsx";
import { useWebhookVerbs } from "./use-webhook-verbs.tsx";
import { standingOf, type Webhook } from "./webhook.ts";

const DEFAULTS = { sort: "name", order: "asc" } as const;
const AGAIN_MS = 5000;

export default function WebhooksPage() {
  const words = useWords("webhooks");
  const writes = useCan()("webhooks:write");
  const query = useListQuery(DEFAULTS);
  return (
    <ListPage<Webhook>
      id="webhooks"
      title={words.title}
      path="/webhooks"
      query={query}
      count={words.count}
      create={writes && { href: "/webhooks/new", label: words.add }}
      columns={useColumns()}
      rowLabel={({ name }) => name}
      href={({ id }) => `/webhooks/${id}`}
      verbs={useWebhookVerbs()}
      dimmed={({ enabled }) => !enabled}
      search={words.search}
      empty={{ ...words.empty, icon: <IconWebhook size={32} stroke={1.4} aria-hidden /> }}
      every={AGAIN_MS}
    />
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const words = useWords("webhooks");
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "name",
        header: words.fields.name,
        sort: "name",
        card: "title",
        cell: ({ name }) => <Name>{name}</Name>,
        text: ({ name }) => name,
      },
      {
        id: "state",
        header: words.state,
        card: "corner",
        width: 150,
        cell: (hook) => <WebhookBadge hook={hook} />,
        text: (hook) => standingOf(hook),
      },
      { id: "url", header: words.fields.url, cell: ({ url }) => <Code cut>{url}</Code>, text: ({ url }) => url },
      {
        id: "events",
        header: words.events,
        width: 150,
        above: 900,
        cell: ({ events }) => (events.length === 0 ? words.everything : words.eventCount(events.length)),
        text: ({ events }) => events.join(" "),
      },
      {
        id: "status",
        header: words.lastStatus,
        width: 110,
        align: "end",
        cell: ({ lastStatus }) => (lastStatus === 0 ? <Dim>–</Dim> : <bdi dir="ltr">{lastStatus}</bdi>),
        text: ({ lastStatus }) => lastStatus,
      },
      {
        id: "pending",
        header: words.states.pending,
        width: 110,
        align: "end",
        cell: ({ pending }) => (pending === 0 ? <Dim>–</Dim> : format.number(pending)),
        text: ({ pending }) => pending,
      },
      {
        id: "last",
        header: words.lastDelivered,
        width: 150,
        above: 900,
        cell: ({ lastDeliveredAt }) => <Ago at={lastDeliveredAt} style="short" />,
        text: ({ lastDeliveredAt }) => lastDeliveredAt,
      },
    ],
    [words, format],
  );
}
