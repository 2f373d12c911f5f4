// What ends and makes links. All are parts of a change: they record in the draft that they are given.
import type { Draft } from "../../db/index.ts";
import { OidcLinkRows, type OidcLinkRow } from "./link.entity.ts";
import { OidcProviderRows, type OidcProviderRow } from "./provider.entity.ts";

/** An identity that signed in at a provider. `email` is empty where the provider told none. */
export interface Identity {
  readonly subject: string;
  readonly email: string;
}

/**
 * Removes every link of an account that is locked: its password was reset by another, or it is deleted (rule
 * access.sso.10).
 */
export function removeLinks(draft: Draft, adminId: number): void {
  draft.purge(OidcLinkRows, { adminId });
}

/**
 * Links an identity to an account. Account and provider are locked for writing; a subject that was linked meanwhile
 * makes the commit fail with `UniqueConflict`.
 */
export function insertLink(
  draft: Draft,
  adminId: number,
  provider: Readonly<OidcProviderRow>,
  identity: Identity,
): OidcLinkRow {
  const row: OidcLinkRow = {
    id: draft.nextId(OidcLinkRows.name),
    adminId,
    providerId: provider.id,
    ...identity,
    createdAt: draft.time,
    lastUsedAt: 0,
  };
  draft.insert(OidcLinkRows, row);
  draft.update(OidcProviderRows, provider.id, { linkings: provider.linkings + 1 });
  return row;
}
