// Whether the reader may restore: a main administrator with every permission may. The page looks at those permissions
// that are given last; the panel looks at all of them.
import { useCan, useMe } from "../session/me.ts";

const GIVEN_LAST = ["admins:write", "tokens:write", "license:write", "backup:read", "backup:write"];

export function useMayRestore(): boolean {
  const { base } = useMe();
  const can = useCan();
  return base === "sudo" && GIVEN_LAST.every(can);
}
