// Resellers, for who may see them: they own users.
import type { Admin } from "../admins/admin.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";

export type Owner = Pick<Admin, "id" | "username" | "closedBy">;

export function useOwners(): readonly Owner[] {
  const can = useCan();
  const { data } = useApi<Listing<Owner>>("/admins", { base: "resale", limit: 1000 }, { enabled: can("admins:write") });
  return data?.items ?? [];
}
