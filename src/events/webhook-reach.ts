// Decides who may write a webhook, and which scopes it is kept to. Nobody ends or redirects a webhook that hears more
// than the caller may: else its next event would come to an address of the caller's choice.
import { coversScopes, Refusal, type Caller } from "../http/index.ts";
import type { ListenerOf } from "./audience.ts";
import type { WebhookRow } from "./webhook.entity.ts";

/**
 * Throws 403 where a caller may not write a webhook: one of another account needs every scope of that account's role,
 * an own one every scope that it was made with. One whose account is gone hears nothing, and is anybody's.
 */
export function refuseUncoveredWebhook(
  caller: Caller,
  { creatorId, reach }: Readonly<WebhookRow>,
  listenerOf: ListenerOf,
): void {
  const maker = listenerOf(creatorId);
  if (!maker) return;
  const own = creatorId === caller.adminId && reach !== null;
  const needed = [...maker.scopes].filter((scope) => !own || reach.includes(scope));
  if (!coversScopes(caller.scopes, needed))
    throw new Refusal("forbidden", { message: "the webhook hears more than the caller may" });
}

/**
 * What a webhook is kept to once a caller wrote it: what it was kept to before, less what this session or token does
 * not reach.
 */
export function reachAfter(
  before: readonly string[] | null,
  { adminId, scopes }: Caller,
  listenerOf: ListenerOf,
): string[] | null {
  const account = listenerOf(adminId);
  const whole = account !== undefined && coversScopes(scopes, [...account.scopes]);
  const own = whole ? null : [...scopes].toSorted();
  if (before === null || own === null) return before === null ? own : [...before];
  return before.filter((scope) => own.some((each) => each === scope));
}
