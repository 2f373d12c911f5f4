// The right to change accounts: a scope, and a mark of resellers that only look.
import { useCan, useMe } from "./me.ts";

/** Whether the caller may change users. */
export function useWritesUsers(): boolean {
  const can = useCan();
  const { usersReadOnly } = useMe();
  return can("users:write") && !usersReadOnly;
}
