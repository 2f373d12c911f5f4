// What can be done with an outbound. One that a template carries or a route names is not deleted: the panel says which.
import { IconCopyPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import { call } from "../../api/call.ts";
import { useVerbs, type RecordKind, type Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import type { Outbound } from "../../fragments/records.ts";

export const OUTBOUNDS: RecordKind<Outbound> = {
  list: "/outbounds",
  name: ({ tag }) => tag,
  touches: () => ["/templates"],
};

const icon = { size: 16, "aria-hidden": true } as const;

export function useOutboundVerbs(leave?: string): Verbs<Outbound> {
  const words = useWords("pool");
  const writes = useCan()("pool:write");
  return useVerbs(OUTBOUNDS, {
    leave,
    verbs: (outbound) => [
      writes &&
        leave === undefined && {
          id: "edit",
          label: words.verbs.edit,
          key: "e",
          icon: <IconPencil {...icon} />,
          to: `/outbounds/${outbound.id}`,
        },
      writes && {
        id: "clone",
        label: words.verbs.clone,
        icon: <IconCopyPlus {...icon} />,
        button: true,
        to: `/outbounds/new?from=${outbound.id}`,
      },
      writes && {
        id: "delete",
        label: `${words.verbs.delete}…`,
        icon: <IconTrash {...icon} />,
        danger: true,
        confirm: {
          title: words.outbounds.deleteTitle(outbound.tag),
          text: words.outbounds.deleteText,
          button: words.verbs.delete,
        },
        act: async () => {
          await call("DELETE", `/outbounds/${outbound.id}`);
          return { gone: true, said: words.deleted(outbound.tag) };
        },
      },
    ],
  });
}
