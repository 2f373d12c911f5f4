// Deliveries of webhooks: how they went, and sending them again (rules events.delivery, events.resend).
import { z } from "zod";
import { lock, type Committer } from "../db/index.ts";
import { idParams, listRoute, okAnswer, pathId, type Route, route } from "../http/index.ts";
import type { ListenerOf } from "./audience.ts";
import { resendDeliveries } from "./deliveries.commands.ts";
import { deliveryDetail, deliveryPage, type Viewing } from "./deliveries.queries.ts";
import { DELIVERY_STATES, DeliveryDetail, DeliveryView, ResendBody } from "./deliveries.schema.ts";
import { sendAgain } from "./delivery.commands.ts";
import { DeliveryRows } from "./delivery.entity.ts";
import { WebhookRows } from "./webhook.entity.ts";
import { deliveryOf, sendableWebhook } from "./webhooks.commands.ts";
import { admitWebhook } from "./webhooks.queries.ts";

export interface DeliveryRoutesDeps extends Viewing {
  readonly commits: Committer;
  readonly listenerOf: ListenerOf;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const read = "webhooks:read";
const write = "webhooks:write";
const deliveryParams = z.object({ id: pathId, delivery: pathId });

export function deliveryRoutes(deps: DeliveryRoutesDeps): Route[] {
  const { reads, listenerOf, now } = deps;
  const admit = admitWebhook(reads);

  return [
    listRoute({
      path: "/webhooks/{id}/deliveries",
      scope: read,
      summary: "Deliveries of a webhook, newest first",
      params: idParams,
      query: z.object({ state: z.enum(DELIVERY_STATES).optional() }),
      item: DeliveryView,
      list: { q: ["event"], order: "raised_at desc, id desc" },
      admit,
      handle: ({ params: { id }, query, list }) => deliveryPage(reads, list, id, query.state),
    }),
    route({
      method: "GET",
      path: "/webhooks/{id}/deliveries/{delivery}",
      scope: read,
      summary: "One delivery, with what was sent last and what came back",
      description:
        "The signature is not shown. What the caller may not hear of is withheld; so are answers, to all but main admins, while `webhook_allow_private` is on.",
      params: deliveryParams,
      answer: DeliveryDetail,
      statuses: [404],
      admit,
      handle: ({ params, caller }) => deliveryDetail(deps, caller, params),
    }),
    route({
      method: "POST",
      path: "/webhooks/{id}/deliveries/resend",
      scope: write,
      summary: "Send many deliveries again, each under the same id",
      description:
        "By `ids`, or all in a `state` (`pending`: without waiting for their next attempt). At most 20,000 of a state at a time: `more` says that there are others.",
      params: idParams,
      body: ResendBody,
      answer: z.object({ queued: z.int(), more: z.boolean() }),
      audit: { key: "webhooks", action: "resend" },
      statuses: [404],
      codes: ["webhook_off"],
      admit,
      handle: async ({ params: { id }, body, caller, submit, commit }) => {
        const mayBeSent = {
          name: "webhooks.resend",
          locks: [lock(WebhookRows, id, "read")],
          decide: (draft: Parameters<typeof sendableWebhook>[0]) => {
            sendableWebhook(draft, { caller, listenerOf }, id);
          },
        };
        await submit(mayBeSent);
        const resent = await resendDeliveries(deps, id, body, now());
        return commit({
          locks: [],
          decide: () => ({ answer: resent, audit: { entityId: id, obj: { ...body, queued: resent.queued } } }),
        });
      },
    }),
    route({
      method: "POST",
      path: "/webhooks/{id}/deliveries/{delivery}/resend",
      scope: write,
      summary: "Send a delivery again, under the same id",
      params: deliveryParams,
      answer: okAnswer,
      audit: { key: "webhooks", action: "resend" },
      statuses: [404],
      codes: ["webhook_off"],
      admit,
      handle: ({ params: { id, delivery }, caller, commit }) =>
        commit({
          locks: [lock(WebhookRows, id, "read"), lock(DeliveryRows, delivery)],
          decide(draft) {
            const row = deliveryOf(draft, id, delivery);
            sendableWebhook(draft, { caller, listenerOf }, id);
            sendAgain(draft, row);
            return { answer: { ok: true }, audit: { entityId: id, obj: { delivery } } };
          },
        }),
    }),
  ];
}
