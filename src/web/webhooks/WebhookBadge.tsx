// How a webhook stands, and how a delivery does, as pills.
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import { DELIVERY_TONES, standingOf, WEBHOOK_TONES, type Delivery, type Webhook } from "./webhook.ts";

export function WebhookBadge({ hook, large }: { readonly hook: Webhook; readonly large?: boolean }) {
  const words = useWords("webhooks");
  const standing = standingOf(hook);
  return (
    <ToneBadge tone={WEBHOOK_TONES[standing]} {...(large ? { large } : {})}>
      {words.standing[standing]}
    </ToneBadge>
  );
}

export function DeliveryBadge({ state, large }: { readonly state: Delivery["state"]; readonly large?: boolean }) {
  const words = useWords("webhooks");
  return (
    <ToneBadge tone={DELIVERY_TONES[state]} tip={state} {...(large ? { large } : {})}>
      {words.states[state]}
    </ToneBadge>
  );
}
