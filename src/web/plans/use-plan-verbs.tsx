// What can be done with a plan: an account is made by it, it is copied, and deleted.
import { IconCopy, IconTrash, IconUserPlus } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useVerbs, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useMe } from "../session/me.ts";
import { useWritesUsers } from "../session/writes-users.ts";
import { useWords } from "../words/words.ts";
import { PLANS, type Plan } from "./plan.ts";

const icon = { size: 15, "aria-hidden": true } as const;

/** Resellers read plans and write none. */
export function useWritesPlans(): boolean {
  const { base } = useMe();
  return useWritesUsers() && base !== "resale";
}

/** `leave`: where the page of a plan leads when it is deleted. */
export function usePlanVerbs(leave?: string): Verbs<Plan> {
  const words = useWords("plans");
  const users = useWritesUsers();
  const writes = useWritesPlans();
  const verbs = (plan: Plan): readonly (Verb<Plan> | false)[] => [
    users && {
      id: "user",
      label: words.newUser,
      icon: <IconUserPlus {...icon} />,
      button: true,
      to: `/users/new?plan=${plan.id}`,
    },
    writes && { id: "copy", label: words.copy, icon: <IconCopy {...icon} />, to: `/plans/new?from=${plan.id}` },
    writes && {
      id: "remove",
      label: words.remove,
      icon: <IconTrash {...icon} />,
      danger: true,
      confirm: { title: words.removeTitle(plan.name), text: words.removeText },
      act: async () => {
        await call("DELETE", `/plans/${plan.id}`);
        return { gone: true, said: words.removed(plan.name) };
      },
    },
  ];
  return useVerbs(PLANS, { verbs, leave });
}
