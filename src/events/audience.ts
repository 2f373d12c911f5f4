// Decides who may hear an event (rules events.audience).
import type { Scope, Tier } from "../http/index.ts";
import type { CatalogueEvent } from "../feature/index.ts";
import { type Catalogue, PING } from "./catalogue.ts";
import type { WebhookRow } from "./webhook.entity.ts";

/** An account or a credential as far as hearing goes. */
export interface Listener {
  readonly base: Tier;
  readonly scopes: ReadonlySet<Scope>;
}

/** The account of an admin id as it is now, from memory; undefined when there is none. Implemented by `access`. */
export type ListenerOf = (adminId: number) => Listener | undefined;

/** The fields of an event that decide who hears it. */
export interface HeardEvent {
  readonly event: string;
  /** The account it names: 0 for the panel itself, null for none. */
  readonly adminId: number | null;
}

/** Whether a listener's scopes cover an event. A reseller (`adminId`) also needs to be named by it. */
export function mayHear(
  catalogue: Catalogue,
  listener: Listener,
  adminId: number,
  { event, adminId: named }: HeardEvent,
): boolean {
  const entry = catalogue.get(event);
  if (!entry) return false;
  if (listener.base === "resale" && (named !== adminId || isUnnamed(entry))) return false;
  return entry.scope === "" || listener.scopes.has(entry.scope);
}

function isUnnamed({ family }: CatalogueEvent): boolean {
  return family === "node" || family === "panel";
}

/**
 * Whether a webhook receives an event: it is enabled, its filter names the event, and both the caller who created it
 * and the caller who last changed it may read the event. Their present account rights count, and the rights of the
 * session or token that they used. Pings are not decided here.
 */
export function hears(catalogue: Catalogue, webhook: WebhookRow, heard: HeardEvent, listenerOf: ListenerOf): boolean {
  if (!webhook.enabled || heard.event === PING || !names(webhook.events, heard.event)) return false;
  if (webhook.ownOnly && heard.adminId !== webhook.adminId) return false;
  const scope = catalogue.get(heard.event)?.scope ?? "";
  if (webhook.reach !== null && scope !== "" && !webhook.reach.includes(scope)) return false;
  return writersOf(webhook).every((adminId) => {
    const listener = listenerOf(adminId);
    return listener !== undefined && mayHear(catalogue, listener, adminId, heard);
  });
}

/** The accounts that a webhook speaks for. */
function writersOf({ creatorId, editorId }: WebhookRow): number[] {
  return editorId === 0 ? [creatorId] : [creatorId, editorId];
}

function names(filter: readonly string[], event: string): boolean {
  if (filter.length === 0) return true;
  const family = `${event.slice(0, event.indexOf("."))}.*`;
  return filter.includes(event) || filter.includes(family);
}
