// What can be done to a deleted user: bringing it back, and forgetting it for ever.
import { IconArrowBackUp, IconTrash } from "@tabler/icons-react";
import { lazy } from "react";
import { call } from "../api/call.ts";
import { useVerbs, type Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { DELETED, type DeletedUser } from "./deleted.ts";

const RestoreDialog = lazy(() => import("./RestoreDialog.tsx"));
const icon = { size: 15, "aria-hidden": true } as const;

export function useDeletedVerbs(writes: boolean): Verbs<DeletedUser> {
  const words = useWords("deleted");
  return useVerbs<DeletedUser>(DELETED, {
    verbs: (user) => [
      writes && {
        id: "restore",
        label: words.restore,
        icon: <IconArrowBackUp {...icon} />,
        button: true,
        dialog: (asked) => <RestoreDialog user={user} asked={asked} />,
      },
      writes && {
        id: "forget",
        label: words.forget,
        icon: <IconTrash {...icon} />,
        danger: true,
        confirm: { title: words.forgetTitle(user.name), text: words.forgetText },
        act: async () => {
          await call("DELETE", `/users/deleted/${user.id}`);
          return { gone: true, said: words.forgotten(user.name) };
        },
      },
    ],
  });
}
