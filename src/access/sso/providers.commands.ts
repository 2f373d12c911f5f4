// What changes identity providers: pure parts of a change, and the check of the addresses that are written.
import { sealPlace, type Draft } from "../../db/index.ts";
import {
  type Caller,
  coversScopes,
  invalid,
  notFound,
  refuseOutdated,
  rule,
  ruleSaying,
  targetRule,
} from "../../http/index.ts";
import { checkTarget, OutgoingError } from "../../outgoing/index.ts";
import { openSecret, sealSecret, type Sealed } from "../../lib/seal.ts";
import { OidcLinkRows } from "./link.entity.ts";
import { reachOf, refuseUncoveredLinks, type LinkedAccounts } from "./provider-reach.ts";
import { OidcProviderRows, type OidcProviderRow, type ProviderKind } from "./provider.entity.ts";
import { providerView, type OidcProviderCreateBody, type OidcProviderUpdateBody } from "./providers.schema.ts";

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

/**
 * Where a provider leads and who the panel is there: with another value it is another provider under the same name. The
 * secret is one more.
 */
const LEADS = ["issuer", "clientId", "authorizationUrl", "tokenUrl", "userUrl", "subjectField"] as const;
/** What makes it another server, or the panel another client there: the callback must be registered in any case. */
const REGISTERED = [...ADDRESSES, "clientId"] as const;
/** What nobody's sign-in depends on. */
const LABELS: ReadonlySet<string> = new Set(["name", "sortOrder", "icon"]);

/**
 * Throws 400 naming the field for an address that a provider may not have. One that is stored already may be kept,
 * whatever the settings became.
 */
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
      if (error instanceof OutgoingError) invalid(field, targetRule(error));
      throw error;
    }
  }
}

/** Throws 400 for a provider that could not work, naming what is missing. */
function checkWhole(row: OidcProviderRow): void {
  for (const field of NEEDED[row.kind]) if (row[field] === "") invalid(field, rule("needed_with", row.kind));
  if (row.kind !== "oidc") return;
  const { search, hash, pathname } = new URL(row.issuer);
  // With a document's own address the client could not tell whether it is the issuer's.
  if (search !== "" || hash !== "" || pathname.includes("/.well-known/")) invalid("issuer", rule("issuer"));
  if (!row.scopes.split(" ").includes("openid")) invalid("scopes", rule("openid"));
}

/** Inserts a provider. Its addresses were checked before. */
export function createProvider(
  draft: Draft,
  caller: Caller,
  key: Uint8Array,
  body: OidcProviderCreateBody,
): OidcProviderRow {
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
    sharedCallback: false,
    reach: reachOf(caller),
    linkings: 0,
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  checkWhole(row);
  draft.insert(OidcProviderRows, row);
  return row;
}

/** The caller who changes a provider, and the accounts that sign in through it, as they were read before. */
export interface ProviderChange {
  readonly caller: Caller;
  readonly linked: LinkedAccounts;
  readonly key: Uint8Array;
}

/**
 * Changes a provider that is locked; absent fields stay as they are. If its address or the panel's client id changes,
 * its links are removed, and the secret too unless the request contains a new one: the same subject may be a different
 * person there, and the new address is not trusted with either. It then has a callback of its own, too. Every change
 * except labels needs a caller who covers every account that signs in through it.
 */
export function updateProvider(
  draft: Draft,
  { caller, linked, key }: ProviderChange,
  id: number,
  body: OidcProviderUpdateBody,
): { readonly before: Readonly<OidcProviderRow>; readonly after: OidcProviderRow } {
  const before = draft.find(OidcProviderRows, id) ?? notFound("provider", id);
  refuseOutdated(body.version, before, () => providerView(before));
  if (body.kind !== undefined && body.kind !== before.kind)
    invalid("kind", ruleSaying("a provider keeps its kind", "fixed"));
  const { clientSecret, version: _read, ...rest } = body;
  const changed = { ...before, ...present(rest), ...(before.kind === "oidc" ? NO_ENDPOINTS : {}) };
  const secret = secretAfter(before, clientSecret, key);
  const leadsElsewhere = LEADS.some((field) => meant(changed[field]) !== meant(before[field])) || secret !== undefined;
  const after: OidcProviderRow = {
    ...changed,
    sharedCallback: sharedAfter(before, changed),
    clientSecret: leadsElsewhere ? sealed(key, secret ?? "", id) : before.clientSecret,
    reach: leadsElsewhere ? reachOf(caller) : vouchedReach(before, body, caller),
  };
  checkWhole(after);
  const touches = Object.entries(changed).some(
    ([field, value]) => !LABELS.has(field) && value !== before[field as keyof OidcProviderRow],
  );
  if (touches || leadsElsewhere) refuseUncoveredLinks(draft, caller, before, linked);
  const { updatedAt: _version, ...patch } = after;
  const written = draft.touch(OidcProviderRows, id, patch);
  if (leadsElsewhere) draft.purge(OidcLinkRows, { providerId: id });
  return { before, after: { ...written } };
}

/**
 * Whether a provider has the shared callback after a change: only while it leads where it led, and never again (rule
 * access.sso.14).
 */
function sharedAfter(before: Readonly<OidcProviderRow>, changed: Readonly<OidcProviderRow>): boolean {
  if (changed.sharedCallback && !before.sharedCallback)
    invalid("sharedCallback", ruleSaying("a provider keeps a callback of its own", "fixed"));
  return changed.sharedCallback && REGISTERED.every((field) => meant(changed[field]) === meant(before[field]));
}

/** A caller who confirms a provider's address and has more rights than the previous one vouches for it. */
function vouchedReach(
  before: Readonly<OidcProviderRow>,
  body: OidcProviderUpdateBody,
  caller: Caller,
): string[] | null {
  const says = LEADS.some((field) => body[field] !== undefined);
  return says && before.reach !== null && coversScopes(caller.scopes, before.reach) ? reachOf(caller) : before.reach;
}

/** The secret that a body sets in place of the stored one; undefined where it sets none, or the same again. */
function secretAfter(
  before: Readonly<OidcProviderRow>,
  given: string | null | undefined,
  key: Uint8Array,
): string | undefined {
  if (given === undefined || given === "") return undefined;
  return (given ?? "") === (clientSecretOf(before, key) ?? "") ? undefined : (given ?? "");
}

/** Deletes a provider with its links: by somebody who covers every account that signs in through it. */
export function deleteProvider(
  draft: Draft,
  { caller, linked }: Omit<ProviderChange, "key">,
  id: number,
): Readonly<OidcProviderRow> {
  const row = draft.find(OidcProviderRows, id) ?? notFound("provider", id);
  refuseUncoveredLinks(draft, caller, row, linked);
  draft.delete(OidcProviderRows, id);
  draft.purge(OidcLinkRows, { providerId: id });
  return row;
}

/** The provider's secret in the clear; undefined for a public client. Throws SealError when it does not open. */
export function clientSecretOf({ id, clientSecret }: Readonly<OidcProviderRow>, key: Uint8Array): string | undefined {
  return clientSecret === "" ? undefined : openSecret(key, clientSecret, placeOf(id));
}

/** An address as it is meant, however it is spelled; any other text as it is. */
function meant(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

/** The fields that a body carries. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const carried = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(carried) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function sealed(key: Uint8Array, secret: string, id: number): Sealed {
  return secret === "" ? "" : sealSecret(key, secret, placeOf(id));
}

function placeOf(id: number) {
  return sealPlace(OidcProviderRows, "clientSecret", id);
}
