// Resellers, for who may see them: they own users.
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";

export interface Owner {
  readonly id: number;
  readonly username: string;
}

export function useOwners(): readonly Owner[] {
  const can = useCan();
  const { data } = useApi<Listing<Owner>>("/admins", { base: "resale", limit: 1000 }, { enabled: can("admins:write") });
  return data?.items ?? [];
}
