// What can be done with a front: switched, copied, deleted.
import { IconCopyPlus, IconPencil, IconPower, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { useVerbs, type Outcome, type Verbs } from "../parts/use-verbs.tsx";
import { useCan, useMayLeadClients } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { FRONTS, type Front } from "./front.ts";

const icon = { size: 16, "aria-hidden": true } as const;

/** `leave`: where the page of a front leads when it is deleted. */
export function useFrontVerbs(leave?: string): Verbs<Front> {
  const words = useWords("fronts");
  const { verbs: common } = useWords("pool");
  const format = useFormat();
  const writes = useCan()("pool:write");
  const adds = useMayLeadClients();
  const enable = async (front: Front, enabled: boolean): Promise<Outcome<Front>> => {
    const record = await call<Front>("PUT", `/fronts/${front.id}`, { body: { enabled } });
    const said = (enabled ? words.switchedOn : words.switchedOff)(front.name);
    return { said, record: { ...front, ...record }, undo: () => enable(front, !enabled) };
  };
  return useVerbs(FRONTS, {
    leave,
    verbs: (front) => [
      writes &&
        leave === undefined && {
          id: "edit",
          label: common.edit,
          key: "e",
          icon: <IconPencil {...icon} />,
          to: `/fronts/${front.id}`,
        },
      writes && {
        id: "switch",
        label: front.enabled ? words.switchOff : words.switchOn,
        icon: <IconPower {...icon} />,
        button: true,
        act: () => enable(front, !front.enabled),
      },
      adds && {
        id: "clone",
        label: common.clone,
        icon: <IconCopyPlus {...icon} />,
        to: `/fronts/new?from=${front.id}`,
      },
      writes && {
        id: "remove",
        label: words.remove,
        icon: <IconTrash {...icon} />,
        danger: true,
        confirm: {
          title: words.removeTitle(front.name),
          text: words.removeText(front.inboundIds.length, format.number(front.inboundIds.length)),
        },
        act: async () => {
          await call("DELETE", `/fronts/${front.id}`);
          return { gone: true, said: words.removed(front.name) };
        },
      },
    ],
  });
}
