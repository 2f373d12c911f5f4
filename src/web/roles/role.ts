// A role as the API answers it, and all roles for who chooses one.
import { useApi, type Listing } from "../api/queries.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";
import type { Tier } from "../session/me.ts";

/** As `GET /roles/{id}` answers. */
export interface Role {
  readonly id: number;
  readonly name: string;
  readonly base: Tier;
  readonly builtin: boolean;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly userLimit: number;
  readonly maxDeviceLimit: number;
  readonly maxDuration: number;
  /** Accounts that hold it. */
  readonly admins: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The whole of it, as the routes take it. */
export interface RoleBody {
  name: string;
  base: Tier;
  description: string;
  scopes: string[];
  userLimit: number;
  maxDeviceLimit: number;
  maxDuration: number;
}

export const ROLES: RecordKind<Role> = { list: "/roles", name: ({ name }) => name };

export const TIERS: readonly Tier[] = ["sudo", "admin", "resale"];

const MOST = { limit: 1000 };
const NONE: readonly Role[] = [];

export function useRoles(): readonly Role[] {
  const { data } = useApi<Listing<Role>>("/roles", MOST);
  return data?.items ?? NONE;
}
