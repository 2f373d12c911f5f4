// Webhooks: who is told of events (rules events.webhook, events.audience).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, type Route, route } from "../http/index.ts";
import type { Outbox } from "../runtime/index.ts";
import type { ListenerOf } from "./audience.ts";
import { type Catalogue, PING } from "./catalogue.ts";
import { emptyQueue } from "./delivery-queue.entity.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";
import {
  auditedWebhook,
  checkWebhookUrl,
  createWebhook,
  deleteWebhook,
  ownWebhook,
  sendableWebhook,
  updateWebhook,
} from "./webhooks.commands.ts";
import { admitWebhook, healthOf, webhookPage, webhookView } from "./webhooks.queries.ts";
import { webhookBodies, WebhookView } from "./webhooks.schema.ts";

export interface WebhookRoutesDeps {
  readonly reads: Reader;
  readonly outbox: Outbox<typeof PING>;
  readonly catalogue: Catalogue;
  /** The panel's key, under which secrets are sealed. */
  readonly key: Uint8Array;
  /** The setting `webhook_allow_private`, as it is now. */
  readonly allowPrivate: () => boolean;
  readonly listenerOf: ListenerOf;
}

const read = "webhooks:read";
const write = "webhooks:write";

export function webhookRoutes(deps: WebhookRoutesDeps): Route[] {
  const { reads, outbox, key, allowPrivate, listenerOf } = deps;
  const { WebhookCreate, WebhookUpdate } = webhookBodies(deps.catalogue);
  const admit = admitWebhook(reads);

  return [
    listRoute({
      path: "/webhooks",
      scope: read,
      summary: "Webhooks",
      item: WebhookView,
      list: { q: ["name", "url"], updatedAt: "updated_at", order: "id", sorts: { id: "id", name: "name" } },
      handle: ({ list, caller }) => webhookPage(reads, list, caller),
    }),
    route({
      method: "GET",
      path: "/webhooks/{id}",
      scope: read,
      summary: "One webhook, without its secret",
      params: idParams,
      answer: WebhookView,
      statuses: [404],
      admit,
      handle: async ({ params: { id } }) => {
        const row = (await reads.find(WebhookRows, id)) ?? notFound("webhook", id);
        const { queue, pending } = (await healthOf(reads, [id]))(id);
        return webhookView(row, queue, pending);
      },
    }),
    route({
      method: "POST",
      path: "/webhooks",
      scope: write,
      summary: "Add a webhook",
      body: WebhookCreate,
      answer: WebhookView,
      audit: { key: "webhooks", action: "create" },
      statuses: [400],
      handle: async ({ body, caller, commit }) => {
        await checkWebhookUrl(body.url, allowPrivate());
        return commit({
          locks: [],
          decide(draft) {
            const row = createWebhook(draft, { caller, key, listenerOf }, body);
            return {
              answer: webhookView(row, emptyQueue(row.id), 0),
              audit: { entityId: row.id, after: auditedWebhook(row) },
            };
          },
        });
      },
    }),
    route({
      method: "PUT",
      path: "/webhooks/{id}",
      scope: write,
      summary: "Change a webhook",
      description:
        "Absent fields keep their value, and so does an empty `secret`. One of another account needs every scope of that account's role.",
      params: idParams,
      body: WebhookUpdate,
      answer: WebhookView,
      audit: { key: "webhooks", action: "update" },
      statuses: [400, 404],
      admit,
      handle: async ({ params: { id }, body, caller, commit }) => {
        const stored = (await reads.find(WebhookRows, id)) ?? notFound("webhook", id);
        // An address that was permitted once may be kept, so that a webhook can be switched off after the setting was.
        if (body.url !== undefined && body.url !== stored.url) await checkWebhookUrl(body.url, allowPrivate());
        const { queue, pending } = (await healthOf(reads, [id]))(id);
        return commit({
          locks: [lock(WebhookRows, id)],
          decide(draft) {
            const view = (row: Readonly<WebhookRow>) => webhookView(row, queue, pending);
            const { before, after } = updateWebhook(draft, { caller, key, listenerOf }, id, body, view);
            const audit = { entityId: id, before: auditedWebhook(before), after: auditedWebhook(after) };
            return { answer: view(after), audit };
          },
        });
      },
    }),
    route({
      method: "DELETE",
      path: "/webhooks/{id}",
      scope: write,
      summary: "Delete a webhook and its deliveries",
      params: idParams,
      answer: okAnswer,
      audit: { key: "webhooks", action: "delete" },
      statuses: [404],
      admit,
      handle: ({ params: { id }, caller, commit }) =>
        commit({
          locks: [lock(WebhookRows, id)],
          decide(draft) {
            ownWebhook(draft, { caller, listenerOf }, id);
            const row = deleteWebhook(draft, id);
            return { answer: { ok: true }, audit: { entityId: id, before: auditedWebhook(row) } };
          },
        }),
    }),
    route({
      method: "POST",
      path: "/webhooks/{id}/ping",
      scope: write,
      summary: "Send a test event to a webhook, whatever its filter",
      params: idParams,
      answer: okAnswer,
      audit: { key: "webhooks", action: "ping" },
      statuses: [404],
      codes: ["webhook_off"],
      admit,
      handle: ({ params: { id }, caller, commit }) =>
        commit({
          // Not a read lock: pings of one webhook are one subject, whose events are committed in the order in which
          // they are raised.
          locks: [lock(WebhookRows, id)],
          decide(draft) {
            const { name } = sendableWebhook(draft, { caller, listenerOf }, id);
            outbox.raise(draft, {
              event: PING,
              subject: `webhook:${id}`,
              data: { subscriberId: id, name, by: caller.username },
            });
            return { answer: { ok: true }, audit: { entityId: id, obj: {} } };
          },
        }),
    }),
  ];
}
