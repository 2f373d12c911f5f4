// The verbs that every kind of fragment has: edit, copy, delete.
import { IconCopyPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useVerbs, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { FragmentRecord, Kind } from "./kind.ts";

const icon = { size: 16, "aria-hidden": true } as const;

interface FragmentVerbs<T> {
  /** Where the page of a record leads when it is deleted. */
  readonly leave: string | undefined;
  /** Verbs of this kind alone, one of them its button; without any the copy is the button. */
  readonly own?: (record: T) => readonly (Verb<T> | false)[];
  /** What a deletion asks, and why it cannot be. */
  readonly remove: (record: T) => Partial<Verb<T>> & { readonly text?: string };
}

export function useFragmentVerbs<T extends FragmentRecord>(
  kind: Kind<T>,
  { leave, own, remove }: FragmentVerbs<T>,
): Verbs<T> {
  const words = kind.useKindWords();
  const { verbs: common } = useWords("pool");
  const { writes, adds } = kind.useRights();
  return useVerbs(kind, {
    leave,
    verbs: (record) => {
      const name = kind.name(record);
      const { text, ...special } = remove(record);
      return [
        writes &&
          leave === undefined && {
            id: "edit",
            label: common.edit,
            key: "e",
            icon: <IconPencil {...icon} />,
            to: `${kind.list}/${record.id}`,
          },
        ...(own?.(record) ?? []),
        adds && {
          id: "clone",
          label: common.clone,
          icon: <IconCopyPlus {...icon} />,
          ...(own === undefined && { button: true }),
          to: `${kind.list}/new?from=${record.id}`,
        },
        writes && {
          id: "delete",
          label: `${common.delete}…`,
          icon: <IconTrash {...icon} />,
          danger: true,
          ...(text !== undefined && { confirm: { title: words.deleteTitle(name), text, button: common.delete } }),
          act: async () => {
            await call("DELETE", `${kind.list}/${record.id}`);
            return { gone: true, said: words.deleted(name) };
          },
          ...special,
        },
      ];
    },
  });
}
