// Reading links.
import { sql, type Reader } from "../../db/index.ts";
import { OidcLinkRows, type OidcLinkRow } from "./link.entity.ts";
import { OidcProviderRows } from "./provider.entity.ts";

/** The link of an identity, if an account has it. */
export async function linkOf(reads: Reader, providerId: number, subject: string): Promise<OidcLinkRow | undefined> {
  const [row] = await reads.rows(
    OidcLinkRows,
    sql`select * from oidc_links where provider_id = ${providerId} and subject = ${subject}`,
  );
  return row;
}

/** An account's links with the names of their providers, oldest first. */
export async function linksOf(
  reads: Reader,
  adminId: number,
): Promise<(OidcLinkRow & { readonly providerName: string })[]> {
  const links = await reads.rows(OidcLinkRows, sql`select * from oidc_links where admin_id = ${adminId} order by id`);
  if (links.length === 0) return [];
  // Providers are few.
  const providers = await reads.rows(OidcProviderRows, sql`select * from oidc_providers`);
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return links.map((link) => ({ ...link, providerName: names.get(link.providerId) ?? "" }));
}
