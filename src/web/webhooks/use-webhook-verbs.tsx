// What can be done with a webhook: a test, switching it, another secret, and removing it.
import { IconKey, IconPower, IconSend, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { showOnce } from "../parts/secrets.ts";
import { useVerbs, type Outcome, type Verbs } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { newSecret, WEBHOOKS, type Webhook } from "./webhook.ts";

const icon = { size: 16, "aria-hidden": true } as const;

/** `leave`: where the page of a webhook leads when it is deleted. */
export function useWebhookVerbs(leave?: string): Verbs<Webhook> {
  const words = useWords("webhooks");
  const writes = useCan()("webhooks:write");
  const enable = async (hook: Webhook, enabled: boolean): Promise<Outcome<Webhook>> => {
    const record = await call<Webhook>("PUT", `/webhooks/${hook.id}`, { body: { enabled } });
    const said = (enabled ? words.done.enabled : words.done.disabled)(hook.name);
    return { said, record, undo: () => enable(hook, !enabled) };
  };
  return useVerbs<Webhook>(WEBHOOKS, {
    leave,
    verbs: (hook) => [
      writes && {
        id: "test",
        label: words.test,
        icon: <IconSend {...icon} />,
        key: "t",
        button: true,
        ...(hook.enabled ? {} : { disabled: words.isOff }),
        act: async () => {
          await call("POST", `/webhooks/${hook.id}/ping`);
          return { said: words.done.tested(hook.name) };
        },
      },
      writes && {
        id: "switch",
        label: hook.enabled ? words.disable : words.enable,
        icon: <IconPower {...icon} />,
        act: () => enable(hook, !hook.enabled),
      },
      writes && {
        id: "secret",
        label: hook.secretSet ? words.rotate : words.sign,
        icon: <IconKey {...icon} />,
        confirm: {
          title: words.rotateTitle(hook.name),
          text: hook.secretSet ? words.rotateText : words.signText,
        },
        act: async () => {
          const secret = newSecret();
          const record = await call<Webhook>("PUT", `/webhooks/${hook.id}`, { body: { secret } });
          void showOnce({ title: words.secretOf(hook.name), text: words.secretText, values: [secret] });
          return { record };
        },
      },
      writes && {
        id: "remove",
        label: words.remove,
        icon: <IconTrash {...icon} />,
        danger: true,
        confirm: { title: words.removeTitle(hook.name), text: words.removeText },
        act: async () => {
          await call("DELETE", `/webhooks/${hook.id}`);
          return { gone: true, said: words.done.removed(hook.name) };
        },
      },
    ],
  });
}
