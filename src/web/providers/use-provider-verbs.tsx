// What can be done with a sign-in provider.
import { IconPlugConnected, IconPower, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useVerbs, type Outcome, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { PROVIDERS, type Provider } from "./provider.ts";
import { TestDialog } from "./TestDialog.tsx";

const icon = { size: 15, "aria-hidden": true } as const;

/** `leave`: where the page of a provider leads when it is deleted. */
export function useProviderVerbs(leave?: string): Verbs<Provider> {
  const { providers: words, remove } = useWords("access");
  const switchTo = async ({ id, name }: Provider, enabled: boolean): Promise<Outcome<Provider>> => {
    const record = await call<Provider>("PUT", `/oidc-providers/${id}`, { body: { enabled } });
    const said = (enabled ? words.switchedOn : words.switchedOff)(name);
    return { record, said, undo: () => switchTo(record, !enabled) };
  };
  const verbs = (provider: Provider): readonly Verb<Provider>[] => [
    {
      id: "test",
      label: words.test,
      key: "t",
      icon: <IconPlugConnected {...icon} />,
      button: true,
      dialog: ({ close }) => <TestDialog provider={provider} onClose={close} />,
    },
    {
      id: "switch",
      label: provider.enabled ? words.switchOff : words.switchOn,
      icon: <IconPower {...icon} />,
      act: () => switchTo(provider, !provider.enabled),
    },
    {
      id: "remove",
      label: remove,
      icon: <IconTrash {...icon} />,
      danger: true,
      confirm: { title: words.removeTitle(provider.name), text: words.removeText },
      act: async () => {
        await call("DELETE", `/oidc-providers/${provider.id}`);
        return { gone: true, said: words.removed(provider.name) };
      },
    },
  ];
  return useVerbs(PROVIDERS, { verbs, leave });
}
