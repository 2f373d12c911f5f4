// What can be done with an inbound.
import { IconCopyPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import { lazy } from "react";
import { useVerbs, type RecordKind, type Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import type { Inbound } from "../../fragments/records.ts";

const DeleteInbound = lazy(() => import("./DeleteInbound.tsx"));

export const INBOUNDS: RecordKind<Inbound> = {
  list: "/inbounds",
  name: ({ tag }) => tag,
  touches: (id) => ["/templates", "/fronts", `/inbounds/${id}/fronts`],
};

const icon = { size: 16, "aria-hidden": true } as const;

/** `leave`: where the page of an inbound leads when it is deleted. */
export function useInboundVerbs(leave?: string): Verbs<Inbound> {
  const words = useWords("pool");
  const writes = useCan()("pool:write");
  return useVerbs(INBOUNDS, {
    leave,
    verbs: (inbound) => [
      writes &&
        leave === undefined && {
          id: "edit",
          label: words.verbs.edit,
          key: "e",
          icon: <IconPencil {...icon} />,
          to: `/inbounds/${inbound.id}`,
        },
      writes && {
        id: "clone",
        label: words.verbs.clone,
        icon: <IconCopyPlus {...icon} />,
        button: true,
        to: `/inbounds/new?from=${inbound.id}`,
      },
      writes && {
        id: "delete",
        label: `${words.verbs.delete}…`,
        icon: <IconTrash {...icon} />,
        danger: true,
        dialog: (asked) => <DeleteInbound inbound={inbound} asked={asked} />,
      },
    ],
  });
}
