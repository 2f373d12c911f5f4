// The deliveries of a webhook: how each went, when it is tried next, and sending one or many again.
import { Button, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMemo } from "react";
import { MOST_AT_ONCE, readAll } from "../api/all-rows.ts";
import { useApi, useApiMutation, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago, Countdown } from "../parts/Ago.tsx";
import { Empty } from "../parts/Answer.tsx";
import { Dim } from "../parts/Names.tsx";
import { refusalText } from "../parts/refusal.ts";
import type { Column } from "../parts/table/columns.ts";
import { DataTable } from "../parts/table/DataTable.tsx";
import { ListFilters } from "../parts/table/Filters.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useCan } from "../session/me.ts";
import { sayDone, sayFailed } from "../browser/toasts.tsx";
import { useRaised } from "../words/use-raised.ts";
import { translateFailure } from "../words/translate.ts";
import { useWords } from "../words/words.ts";
import { DeliveryBadge } from "./WebhookBadge.tsx";
import { DELIVERY_STATES, DELIVERY_TONES, type Delivery, type Webhook } from "./webhook.ts";

const DEFAULTS = { filters: ["state"] } as const;
const AGAIN_MS = 3000;
/** Deliveries of one request by id. */
const MOST = 1000;

type Which = { readonly ids: readonly number[] } | { readonly state: Delivery["state"] };

export function Deliveries({ hook }: { readonly hook: Webhook }) {
  const words = useWords("webhooks");
  const parts = useWords("parts");
  const writes = useCan()("webhooks:write") && hook.enabled;
  const query = useListQuery(DEFAULTS);
  const path = `/webhooks/${hook.id}/deliveries` as const;
  const answer = useApi<Listing<Delivery>>(path, query.api, { refetchInterval: AGAIN_MS });
  const resend = useApiMutation<{ readonly queued: number }, Which>(
    (body) => ({ method: "POST", path: `${path}/resend`, body }),
    {
      refreshes: [path, `/webhooks/${hook.id}`, "/webhooks"],
      onDone: ({ queued }) => sayDone(words.done.resent(queued)),
    },
  );
  const send = (which: Which, then: () => void = () => undefined) =>
    resend.mutate(which, {
      onSuccess: then,
      onError: (error) => {
        const { title, cause } = refusalText(error, parts);
        sayFailed(title, cause);
      },
    });
  const state = query.filters["state"];
  return (
    <DataTable<Delivery>
      id="deliveries"
      columns={useColumns()}
      query={query}
      answer={answer}
      rowKey={({ id }) => id}
      rowLabel={({ event, id }) => `${event} ${id}`}
      href={({ id }) => `/webhooks/${hook.id}/deliveries/${id}`}
      search={words.searchEvents}
      filters={
        <>
          <ListFilters
            query={query}
            filters={[
              {
                kind: "chips",
                name: "state",
                all: { value: "", label: words.anyState },
                options: DELIVERY_STATES.map((each) => ({
                  value: each,
                  label: words.states[each],
                  tone: DELIVERY_TONES[each],
                })),
              },
            ]}
          />
          {writes && state === "dead" && (answer.data?.total ?? 0) > 0 ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              loading={resend.isPending}
              onClick={() => send({ state: "dead" })}
            >
              {words.resendDead}
            </Button>
          ) : null}
        </>
      }
      {...(writes && {
        bulk: (rows: readonly Delivery[], keep: (left: readonly Delivery[]) => void) => (
          <Button
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={resend.isPending}
            disabled={rows.length > MOST}
            onClick={() => send({ ids: rows.map(({ id }) => id) }, () => keep([]))}
          >
            {words.resend}
          </Button>
        ),
      })}
      all={(most = MOST_AT_ONCE) => readAll<Delivery>(path, query.api, most)}
      empty={<Empty title={words.noDeliveries.title} text={words.noDeliveries.text} />}
    />
  );
}

function useColumns(): readonly Column<Delivery>[] {
  const words = useWords("webhooks");
  const format = useFormat();
  const raisedText = useRaised();
  return useMemo(
    () => [
      {
        id: "event",
        header: words.event,
        card: "title",
        cell: ({ event }) => <span title={event}>{raisedText(event)}</span>,
        text: ({ event }) => event,
      },
      {
        id: "state",
        header: words.state,
        card: "corner",
        width: 150,
        cell: ({ state }) => <DeliveryBadge state={state} />,
        text: ({ state }) => state,
      },
      {
        id: "answer",
        header: words.answer,
        cell: (delivery) => <AnswerText of={delivery} />,
        text: ({ lastStatus, lastError }) => `${lastStatus} ${lastError}`.trim(),
      },
      {
        id: "attempts",
        header: words.attempts,
        width: 110,
        align: "end",
        cell: ({ attempts }) => format.number(attempts),
        text: ({ attempts }) => attempts,
      },
      {
        id: "next",
        header: words.nextTry,
        width: 140,
        cell: ({ nextAttemptAt }) => (nextAttemptAt === 0 ? <Dim>–</Dim> : <Countdown to={nextAttemptAt} />),
        text: ({ nextAttemptAt }) => nextAttemptAt,
      },
      {
        id: "raised",
        header: words.raisedAt,
        width: 150,
        cell: ({ createdAt }) => <Ago at={createdAt} style="short" />,
        text: ({ createdAt }) => createdAt,
      },
    ],
    [words, format, raisedText],
  );
}

/** The status, or why there was no answer. */
export function AnswerText({
  of: { lastStatus, lastError, lastFailure },
}: {
  readonly of: Pick<Delivery, "lastStatus" | "lastError" | "lastFailure">;
}) {
  const { failures } = useWords("webhooks");
  if (lastStatus === 0 && lastError === "") return <Dim>–</Dim>;
  const failed = lastStatus < 200 || lastStatus >= 300;
  return (
    <Text span size="sm" c={failed ? "var(--tone-failed)" : ""}>
      {failed ? <bdi>{translateFailure(failures, lastFailure, lastError)}</bdi> : <bdi dir="ltr">{lastStatus}</bdi>}
    </Text>
  );
}
