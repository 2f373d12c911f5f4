// What can be done with a role: copied, and deleted while nobody has it.
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { useVerbs, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { ROLES, type Role } from "./role.ts";

const icon = { size: 15, "aria-hidden": true } as const;

/** `leave`: where the page of a role leads when it is deleted. */
export function useRoleVerbs(leave?: string): Verbs<Role> {
  const words = useWords("access");
  const { roles } = words;
  const format = useFormat();
  const verbs = (role: Role): readonly Verb<Role>[] => [
    {
      id: "copy",
      label: roles.copy,
      icon: <IconCopy {...icon} />,
      button: true,
      to: `/roles/new?from=${role.id}`,
    },
    {
      id: "remove",
      label: words.remove,
      icon: <IconTrash {...icon} />,
      danger: true,
      ...(role.builtin
        ? { disabled: roles.builtin }
        : role.admins > 0
          ? { disabled: roles.held(role.admins, format.number(role.admins)) }
          : {}),
      confirm: { title: roles.removeTitle(role.name), text: roles.removeText },
      act: async () => {
        await call("DELETE", `/roles/${role.id}`);
        return { gone: true, said: roles.removed(role.name) };
      },
    },
  ];
  return useVerbs(ROLES, { verbs, leave });
}
