// The signed-in person, and what that person is allowed to do. Pages inside the shell are drawn only when this is
// known.
import { createContext, useContext } from "react";
import type { z } from "zod";
import type { Me as MeSchema } from "../../access/rights/me.schema.ts";

export type Me = z.output<typeof MeSchema>;
/** What kinds of account there are: main admins, admins, resellers. */
export type Tier = Me["base"];

export const MeContext = createContext<Me | undefined>(undefined);

/** The caller's own record. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("this page is open to callers without a session");
  return me;
}

/**
 * Whether the person may say where nodes are and what they serve: a node is sent its accounts' credentials, so that
 * takes reading accounts too.
 */
export function useMaySendAccounts(): boolean {
  const can = useCan();
  return can("nodes:write") && can("users:read");
}

/** Whether the person may say where an inbound's clients connect: by a front, or by what they are told of it. */
export function useMayLeadClients(): boolean {
  const can = useCan();
  return can("pool:write") && can("users:read");
}

/** `const can = useCan(); can("users:write")`. An empty scope is everybody's. */
export function useCan(): (scope: string) => boolean {
  const { scopes } = useMe();
  return (scope) => scope === "" || scopes.includes(scope);
}
