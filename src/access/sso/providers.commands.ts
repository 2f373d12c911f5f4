// What changes identity providers: pure parts of a change, and the check of the addresses that are written.
import type { Draft } from "../../db/index.ts";
import { invalid, notFound } from "../../http/index.ts";
import { checkTarget, GuardedFetchError } from "../../lib/guarded-fetch.ts";
import { openSecret, sealSecret } from "../../lib/seal.ts";
import { OidcLinkRows } from "./link.entity.ts";
import { OidcProviderRows, type OidcProviderRow, type ProviderKind } from "./provider.entity.ts";
import type { OidcProviderCreateBody, OidcProviderUpdateBody } from "./providers.schema.ts";

const ADDRESSES = ["issuer", "authorizationUrl", "tokenUrl", "userUrl"] as const;

/** What is needed of each kind; the rest of the four is not kept. */
const NEEDED: Readonly<Record<ProviderKind, readonly (keyof OidcProviderRow)[]>> = {
  oidc: ["issuer"],
  oauth2: ["authorizationUrl", "tokenUrl", "userUrl", "subjectField"],
};

const NO_ENDPOINTS = { authorizationUrl: "", tokenUrl: "", userUrl: "", subjectField: "" };
const DEFAULTS = {
  oidc: { scopes: "openid email", ...NO_ENDPOINTS },
  oauth2: { scopes: "", ...NO_ENDPOINTS, subjectField: "id" },
} as const;

/** Throws 400 naming the field for an address that a provider may not have. One that is stored already may be kept, whatever the settings became. */
export async function checkProviderAddresses(
  body: Pick<OidcProviderUpdateBody, (typeof ADDRESSES)[number]>,
  allowPrivate: boolean,
  stored?: Readonly<OidcProviderRow>,
): Promise<void> {
  for (const field of ADDRESSES) {
    const address = body[field];
    if (address === undefined || address === "" || address === stored?.[field]) continue;
    try {
      await checkTarget(address, allowPrivate);
    } catch (error) {
      if (error instanceof GuardedFetchError) invalid(field, error.message);
      throw error;
    }
  }
}

/** Throws 400 for a provider that could not work, naming what is missing. */
function checkWhole(row: OidcProviderRow): void {
  for (const field of NEEDED[row.kind]) if (row[field] === "") invalid(field, `is needed of a provider of the kind ${row.kind}`);
  if (row.kind !== "oidc") return;
  const { search, hash, pathname } = new URL(row.issuer);
  // With a document's own address the client could not tell whether it is the issuer's.
  if (search !== "" || hash !== "" || pathname.includes("/.well-known/"))
    invalid("issuer", "must be the issuer alone, without /.well-known/, query or fragment");
  if (!row.scopes.split(" ").includes("openid")) invalid("scopes", "must contain openid");
}

/** Inserts a provider. Its addresses were checked before. */
export function createProvider(draft: Draft, body: OidcProviderCreateBody, key: Uint8Array): OidcProviderRow {
  const { clientSecret = "", name, clientId, kind, ...rest } = body;
  const id = draft.nextId(OidcProviderRows.name);
  const row: OidcProviderRow = {
    issuer: "",
    enabled: true,
    sortOrder: 0,
    icon: "",
    ...DEFAULTS[kind],
    ...present(rest),
    ...(kind === "oidc" ? NO_ENDPOINTS : {}),
    id,
    name,
    clientId,
    kind,
    clientSecret: sealed(key, clientSecret, id),
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  checkWhole(row);
  draft.insert(OidcProviderRows, row);
  return row;
}

/**
 * Changes a provider that is locked; absent fields stay as they are. Where the identities are another's from now on (another issuer, another user endpoint or field),
 * the provider's links are removed: the same subject may be somebody else there.
 */
export function updateProvider(
  draft: Draft,
  id: number,
  body: OidcProviderUpdateBody,
  key: Uint8Array,
): { readonly before: Readonly<OidcProviderRow>; readonly after: OidcProviderRow } {
  const before = draft.find(OidcProviderRows, id) ?? notFound("provider", id);
  if (body.kind !== undefined && body.kind !== before.kind) invalid("kind", "a provider keeps its kind");
  const { clientSecret, ...rest } = body;
  const after: OidcProviderRow = {
    ...before,
    ...present(rest),
    ...(before.kind === "oidc" ? NO_ENDPOINTS : {}),
    clientSecret: clientSecret === undefined || clientSecret === "" ? before.clientSecret : sealed(key, clientSecret ?? "", id),
    updatedAt: Math.max(draft.time, before.updatedAt + 1),
  };
  checkWhole(after);
  draft.update(OidcProviderRows, id, after);
  if (identitiesOf(before) !== identitiesOf(after)) draft.purge(OidcLinkRows, { providerId: id });
  return { before, after };
}

/** Deletes a provider with its links. */
export function deleteProvider(draft: Draft, id: number): Readonly<OidcProviderRow> {
  const row = draft.find(OidcProviderRows, id) ?? notFound("provider", id);
  draft.delete(OidcProviderRows, id);
  draft.purge(OidcLinkRows, { providerId: id });
  return row;
}

/** The provider's secret in the clear; undefined for a public client. Throws SealError when it does not open. */
export function clientSecretOf({ id, clientSecret }: Readonly<OidcProviderRow>, key: Uint8Array): string | undefined {
  return clientSecret === "" ? undefined : openSecret(key, clientSecret, placeOf(id));
}

/** The fields that a body carries. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const carried = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(carried) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Names whose subjects a provider's are. */
function identitiesOf({ kind, issuer, userUrl, subjectField }: Readonly<OidcProviderRow>): string {
  return kind === "oidc" ? new URL(issuer).href : `${new URL(userUrl).href} ${subjectField}`;
}

function sealed(key: Uint8Array, secret: string, id: number): string {
  return secret === "" ? "" : sealSecret(key, secret, placeOf(id));
}

function placeOf(id: number) {
  return { table: OidcProviderRows.name, column: "client_secret", id };
}
