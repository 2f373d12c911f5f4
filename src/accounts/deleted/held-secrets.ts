// What deleted accounts would have again and other accounts have by now, of what is secret: the link and credentials.
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import { holdersNow } from "../credentials/credential-holders.ts";
import { namesOf, type CredentialKeys } from "../credentials/credential-keys.ts";
import { isOthersLink, linkHolders, type LinkDeps } from "../links/link-holders.ts";
import type { DeletedUserRow } from "../records/deleted-user.entity.ts";
import { rowsOf } from "./kept-account.ts";

export interface HeldSecretsDeps extends LinkDeps {
  readonly credentialKeys: CredentialKeys;
}

/** The fields of each account, by its id; none for one that may have all of them. */
export async function heldSecrets(
  deps: HeldSecretsDeps,
  rows: readonly DeletedUserRow[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { credentialKeys, reads } = deps;
  const accounts = rows.map(({ id, subId, account }) => ({
    id,
    subId,
    credentials: credentialKeys.of(rowsOf(id, account).row.config),
  }));
  const names = accounts.flatMap(({ credentials }) => credentials.flatMap(namesOf));
  const [links, holders] = await Promise.all([
    linkHolders(
      deps,
      accounts.map(({ subId }) => subId),
    ),
    holdersNow(reads, names),
  ]);
  return new Map(
    accounts.flatMap(({ id, subId, credentials }) => {
      const fields = [
        ...(isOthersLink(links, subId, id) ? ["subId"] : []),
        ...credentials.filter((one) => namesOf(one).some((name) => holders.has(name))).map(({ field }) => field),
      ];
      return fields.length === 0 ? [] : [[id, fields] as const];
    }),
  );
}

/** Credentials that accounts hold which are not entered yet. */
export function unenteredOf(
  {
    credentialKeys,
    credentialEntry,
  }: { readonly credentialKeys: CredentialKeys; readonly credentialEntry: Pick<CredentialEntry, "unentered"> },
  rows: readonly DeletedUserRow[],
): Promise<ReadonlySet<string>> {
  return credentialEntry.unentered(
    rows.flatMap(({ id, account }) => credentialKeys.of(rowsOf(id, account).row.config)),
  );
}
