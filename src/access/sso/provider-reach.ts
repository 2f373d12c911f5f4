// Which accounts a provider may sign in, and who may change the provider. A caller who sets a provider's address could
// sign in as everybody who linked it. So a provider serves no account with more rights than that caller had, and only a
// caller who covers all accounts that sign in through it may change it.
import { sql, type Draft, type Reader } from "../../db/index.ts";
import { coversScopes, notFound, Refusal, scopeClosure, type Caller } from "../../http/index.ts";
import { AdminRows, RoleRows, type RoleRow } from "../records/admin.entity.ts";
import { refuseUncoveredAccount } from "../rights/uncovered.ts";
import { roleScopes, TIER_SCOPES } from "../rights/reach.ts";
import { OidcProviderRows, type OidcProviderRow } from "./provider.entity.ts";

/** The accounts that sign in through a provider, and its `linkings` as they were before these were read. */
export interface LinkedAccounts {
  readonly ids: readonly number[];
  readonly linkings: number;
}

export async function linkedAccounts(reads: Reader, providerId: number): Promise<LinkedAccounts> {
  const { linkings } = (await reads.find(OidcProviderRows, providerId)) ?? notFound("provider", providerId);
  const rows = await reads.query<{ id: number | string }>(
    sql`select distinct admin_id as id from oidc_links where provider_id = ${providerId}`,
  );
  return { ids: rows.map(({ id }) => Number(id)), linkings };
}

/**
 * Throws 403 where an account that signs in through the provider reaches further than the caller, 409 where one linked
 * it since they were read.
 */
export function refuseUncoveredLinks(
  draft: Draft,
  caller: Caller,
  { linkings }: Readonly<OidcProviderRow>,
  linked: LinkedAccounts,
): void {
  if (linkings !== linked.linkings)
    throw new Refusal("conflict", { code: "changed_meanwhile", message: "an account linked the provider meanwhile" });
  const accounts = draft.findAll(AdminRows, linked.ids, "read");
  const roles = draft.findAll(RoleRows, [...new Set(accounts.map(({ roleId }) => roleId))], "read");
  for (const role of roles) refuseUncoveredAccount(caller, { ...role });
}

/**
 * What a provider is kept to when a caller says where it leads. All there is today is all there will be: a later
 * version's scopes change nothing.
 */
export function reachOf({ scopes }: Caller): string[] | null {
  return coversScopes(scopes, [...TIER_SCOPES.sudo]) ? null : [...scopes].toSorted();
}

/** Whether a provider may sign in an account of a role. */
export function servesRole(
  { reach }: Pick<OidcProviderRow, "reach">,
  role: Pick<RoleRow, "base" | "builtin" | "scopes">,
): boolean {
  return reach === null || coversScopes(scopeClosure(reach), [...roleScopes(role)]);
}
