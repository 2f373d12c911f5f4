// What can be done with a template. One that a node runs is not deleted.
import { IconCopyPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import { call } from "../../api/call.ts";
import { useVerbs, type RecordKind, type Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import type { Template } from "../../fragments/records.ts";
import { useNodes } from "../../fragments/use-pool.ts";

export const TEMPLATES: RecordKind<Template> = {
  list: "/templates",
  name: ({ name }) => name,
  touches: () => ["/users"],
};

const icon = { size: 16, "aria-hidden": true } as const;

export function useTemplateVerbs(leave?: string): Verbs<Template> {
  const words = useWords("pool");
  const writes = useCan()("templates:write");
  const nodes = useNodes();
  return useVerbs(TEMPLATES, {
    leave,
    verbs: (template) => {
      const running = nodes?.filter(({ templateId }) => templateId === template.id).map(({ name }) => name) ?? [];
      return [
        writes &&
          leave === undefined && {
            id: "edit",
            label: words.verbs.edit,
            key: "e",
            icon: <IconPencil {...icon} />,
            to: `/templates/${template.id}`,
          },
        writes && {
          id: "clone",
          label: words.verbs.clone,
          icon: <IconCopyPlus {...icon} />,
          button: true,
          to: `/templates/new?from=${template.id}`,
        },
        writes && {
          id: "delete",
          label: `${words.verbs.delete}…`,
          icon: <IconTrash {...icon} />,
          danger: true,
          ...(running.length > 0 ? { disabled: words.templates.running(running.join(", ")) } : {}),
          confirm: {
            title: words.templates.deleteTitle(template.name),
            text: words.templates.deleteText,
            button: words.verbs.delete,
          },
          act: async () => {
            await call("DELETE", `/templates/${template.id}`);
            return { gone: true, said: words.deleted(template.name) };
          },
        },
      ];
    },
  });
}
