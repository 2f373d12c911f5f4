// How many records of the kinds that everything hangs on this panel has now, as far as the reader may count them.
import { useAnswers, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";

export const COUNTED = ["admins", "users", "nodes"] as const;
export type Counts = Readonly<Partial<Record<(typeof COUNTED)[number], number>>>;

const ONE = { limit: 1 };

export function useHere(): Counts {
  const can = useCan();
  const [admins, users, nodes] = useAnswers([
    { path: "/admins", query: ONE, enabled: can("admins:write") },
    { path: "/users", query: ONE, enabled: can("users:read") },
    { path: "/nodes", query: ONE, enabled: can("nodes:read") },
  ]) as readonly (Listing<unknown> | undefined)[];
  return {
    ...(admins && { admins: admins.total }),
    ...(users && { users: users.total }),
    ...(nodes && { nodes: nodes.total }),
  };
}
