// What changes webhooks.
import { sealPlace, sql, type Draft, type Reader } from "../db/index.ts";
import { type Caller, invalid, notFound, Refusal, refuseOutdated, rule, targetRule } from "../http/index.ts";
import { checkTarget, OutgoingError } from "../outgoing/index.ts";
import { sealSecret, type Sealed } from "../lib/seal.ts";
import type { ListenerOf } from "./audience.ts";
import { DeliveryQueueRows, emptyQueue } from "./delivery-queue.entity.ts";
import { DeliveryRows, type DeliveryRow } from "./delivery.entity.ts";
import { reachAfter, refuseUncoveredWebhook } from "./webhook-reach.ts";
import { WebhookRows, type WebhookRow } from "./webhook.entity.ts";
import type { WebhookCreateBody, WebhookUpdateBody } from "./webhooks.schema.ts";

/** The fields of a webhook that the audit log may show. */
export function auditedWebhook({ secret, ...shown }: Readonly<WebhookRow>): object {
  return { ...shown, secretSet: secret !== "" };
}

/** Throws 400 `field: "url"` for an address that webhooks may not have. */
export async function checkWebhookUrl(url: string, allowPrivate: boolean): Promise<void> {
  try {
    await checkTarget(url, allowPrivate);
  } catch (error) {
    if (error instanceof OutgoingError) invalid("url", targetRule(error));
    throw error;
  }
}

type AudienceFields = Pick<WebhookRow, "ownOnly" | "adminId">;

/**
 * Which account a webhook may be about. A reseller's webhook is always about the reseller, whatever the body says;
 * other callers may name any existing account.
 */
function audienceFor(caller: Caller, wanted: AudienceFields, listenerOf: ListenerOf): AudienceFields {
  if (caller.base === "resale") return { ownOnly: true, adminId: caller.adminId };
  if (wanted.adminId > 0 && !listenerOf(wanted.adminId)) invalid("adminId", rule("absent", "account", wanted.adminId));
  return { ownOnly: wanted.ownOnly, adminId: wanted.ownOnly && wanted.adminId === 0 ? caller.adminId : wanted.adminId };
}

export interface WebhookWriter {
  readonly caller: Caller;
  readonly key: Uint8Array;
  readonly listenerOf: ListenerOf;
}

/** Inserts a webhook with its empty queue. The URL was checked before. */
export function createWebhook(
  draft: Draft,
  { caller, key, listenerOf }: WebhookWriter,
  body: WebhookCreateBody,
): WebhookRow {
  const id = draft.nextId(WebhookRows.name);
  const row: WebhookRow = {
    id,
    name: body.name,
    url: body.url,
    secret: sealed(key, body.secret, id),
    events: [...new Set(body.events)],
    ...audienceFor(caller, { ownOnly: body.ownOnly ?? false, adminId: body.adminId ?? 0 }, listenerOf),
    creatorId: caller.adminId,
    editorId: 0,
    reach: reachAfter(null, caller, listenerOf),
    enabled: body.enabled ?? true,
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  draft.insert(WebhookRows, row);
  draft.insert(DeliveryQueueRows, emptyQueue(id));
  return row;
}

/**
 * Changes a webhook; absent fields and an empty secret stay as they are. Its owner does not change, and it receives
 * only events that the caller may read. `view`: as the caller sees it.
 */
export function updateWebhook(
  draft: Draft,
  { caller, key, listenerOf }: WebhookWriter,
  id: number,
  body: WebhookUpdateBody,
  view: (row: Readonly<WebhookRow>) => object,
): { before: Readonly<WebhookRow>; after: WebhookRow } {
  const before = draft.find(WebhookRows, id) ?? notFound("webhook", id);
  refuseUncoveredWebhook(caller, before, listenerOf);
  refuseOutdated(body.version, before, () => view(before));
  const patch: Partial<WebhookRow> = {
    name: body.name ?? before.name,
    url: body.url ?? before.url,
    secret: body.secret === undefined || body.secret === "" ? before.secret : sealed(key, body.secret, id),
    events: body.events === undefined ? before.events : [...new Set(body.events)],
    ...audienceFor(
      caller,
      { ownOnly: body.ownOnly ?? before.ownOnly, adminId: body.adminId ?? before.adminId },
      listenerOf,
    ),
    editorId: caller.adminId === before.creatorId ? 0 : caller.adminId,
    reach: reachAfter(before.reach, caller, listenerOf),
    enabled: body.enabled ?? before.enabled,
  };
  return { before, after: { ...draft.touch(WebhookRows, id, patch) } };
}

/** A webhook that is locked and that the caller may write; 404, or 403. */
export function ownWebhook(
  draft: Draft,
  { caller, listenerOf }: Omit<WebhookWriter, "key">,
  id: number,
): Readonly<WebhookRow> {
  const row = draft.find(WebhookRows, id, "read") ?? notFound("webhook", id);
  refuseUncoveredWebhook(caller, row, listenerOf);
  return row;
}

/** Deletes a webhook with its queue and its deliveries. */
export function deleteWebhook(draft: Draft, id: number): Readonly<WebhookRow> {
  const row = draft.find(WebhookRows, id) ?? notFound("webhook", id);
  draft.delete(WebhookRows, id);
  draft.delete(DeliveryQueueRows, id);
  draft.purge(DeliveryRows, { subscriberId: id });
  return row;
}

/**
 * Handles the webhooks of an account that is being deleted. Its own webhooks are deleted. Webhooks of other accounts
 * that it changed last are switched off until somebody checks them, because it chose their address. The returned
 * changes are committed with the deletion of the account.
 */
export async function departingWebhooks(reads: Reader, adminId: number): Promise<(draft: Draft) => void> {
  const rows = await reads.rows(
    WebhookRows,
    sql`select * from webhooks where creator_id = ${adminId} or editor_id = ${adminId}`,
  );
  const ids = rows.map(({ id }) => id);
  return (draft) => {
    // One that was deleted or changed by somebody else meanwhile is not this account's.
    for (const row of draft.findAll(WebhookRows, ids)) {
      if (row.creatorId === adminId) deleteWebhook(draft, row.id);
      else if (row.editorId === adminId) draft.touch(WebhookRows, row.id, { enabled: false });
    }
  };
}

/** A webhook that the caller can have sent to now; 404, 403, or 409 while it is switched off. */
export function sendableWebhook(draft: Draft, writer: Omit<WebhookWriter, "key">, id: number): Readonly<WebhookRow> {
  const row = ownWebhook(draft, writer, id);
  if (!row.enabled) throw new Refusal("conflict", { code: "webhook_off", message: `webhook ${id} is switched off` });
  return row;
}

/** A webhook's own delivery, or 404. */
export function deliveryOf(draft: Draft, webhookId: number, deliveryId: number): Readonly<DeliveryRow> {
  const row = draft.find(DeliveryRows, deliveryId);
  return row?.subscriberId === webhookId ? row : notFound("delivery", deliveryId);
}

function sealed(key: Uint8Array, secret: string | undefined, id: number): Sealed {
  return secret === undefined || secret === "" ? "" : sealSecret(key, secret, sealPlace(WebhookRows, "secret", id));
}
