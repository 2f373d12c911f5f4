// What can be done to a reseller, in the order of the menu.
import { IconArrowsExchange, IconPencil, IconSitemap, IconUsers, IconUserShield } from "@tabler/icons-react";
import { lazy } from "react";
import { ADMINS, type Admin } from "../admins/admin.ts";
import { actorPath } from "../inspect/addresses.ts";
import { useVerbs, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";

const MoveDialog = lazy(() => import("../users/MoveDialog.tsx"));
const icon = { size: 15, "aria-hidden": true } as const;

export function useResellerVerbs(): Verbs<Admin> {
  const words = useWords("resellers");
  const can = useCan();
  const verbs = (admin: Admin): readonly (Verb<Admin> | false)[] => [
    { id: "edit", label: words.edit, icon: <IconPencil {...icon} />, key: "e", to: `/admins/${admin.id}?tab=edit` },
    can("users:write") && {
      id: "move",
      label: words.moveAll,
      icon: <IconArrowsExchange {...icon} />,
      button: true,
      ...(admin.users === 0 ? { disabled: words.moveAllNone } : {}),
      dialog: (asked) => (
        <MoveDialog
          title={words.moveAllTitle(admin.username)}
          users={{ query: { admin_id: admin.id }, ids: {} }}
          of={admin.id}
          onClose={asked.close}
          onDone={() => asked.settle({})}
        />
      ),
    },
    can("users:read") && {
      id: "users",
      label: words.hisUsers,
      icon: <IconUsers {...icon} />,
      to: `/users?admin_id=${admin.id}`,
    },
    { id: "operator", label: words.operator, icon: <IconUserShield {...icon} />, to: `/admins/${admin.id}` },
    can("stats:read") && {
      id: "chart",
      label: words.chart,
      icon: <IconSitemap {...icon} />,
      to: actorPath("reseller", String(admin.id)),
    },
  ];
  return useVerbs(ADMINS, { verbs });
}
