// What can be done to an operator, in the order of the menu, with the reason where it cannot.
import { IconCrown, IconKey, IconLogout, IconPencil, IconTrash, IconUsers } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { useVerbs, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useCan, useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { ADMINS, type Admin } from "./admin.ts";
import { PasswordDialog } from "./PasswordDialog.tsx";

const icon = { size: 15, "aria-hidden": true } as const;

/** `leave`: where the page of an operator leads when it is deleted. */
export function useAdminVerbs(leave?: string): Verbs<Admin> {
  const words = useWords("access");
  const { admins } = words;
  const format = useFormat();
  const can = useCan();
  const me = useMe();
  const verbs = (admin: Admin): readonly (Verb<Admin> | false)[] => {
    const own = admin.id === me.id;
    const path = `/admins/${admin.id}` as const;
    return [
      { id: "edit", label: words.edit, icon: <IconPencil {...icon} />, key: "e", to: `${path}?tab=edit` },
      can("users:read") && {
        id: "users",
        label: admins.hisUsers,
        icon: <IconUsers {...icon} />,
        to: `/users?admin_id=${admin.id}`,
      },
      {
        id: "password",
        label: admins.password,
        icon: <IconKey {...icon} />,
        button: true,
        dialog: (asked) => <PasswordDialog admin={admin} asked={asked} />,
      },
      {
        id: "sign-out",
        label: admins.signOut,
        icon: <IconLogout {...icon} />,
        button: true,
        confirm: { title: admins.signOutTitle(admin.username), text: own ? admins.signOutOwn : admins.signOutText },
        act: async () => {
          await call("DELETE", `${path}/sessions`);
          return { said: admins.signedOut(admin.username) };
        },
      },
      me.owner &&
        !own && {
          id: "hand-over",
          label: admins.handOver,
          icon: <IconCrown {...icon} />,
          ...(admin.base === "sudo" ? {} : { disabled: admins.handOverOnlyMain }),
          confirm: { title: admins.handOverTitle(admin.username), text: admins.handOverText },
          act: async () => ({
            record: await call<Admin>("POST", `${path}/owner`),
            said: admins.handedOver(admin.username),
          }),
        },
      {
        id: "remove",
        label: words.remove,
        icon: <IconTrash {...icon} />,
        danger: true,
        ...(own ? { disabled: words.needsOwn } : admin.owner ? { disabled: admins.ownerStays } : {}),
        confirm: {
          title: admins.removeTitle(admin.username),
          text: admins.removeText(admin.users, format.number(admin.users)),
        },
        act: async () => {
          await call("DELETE", path);
          return { gone: true, said: admins.removed(admin.username) };
        },
      },
    ];
  };
  return useVerbs(ADMINS, { verbs, leave });
}
