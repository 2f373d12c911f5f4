// What single sign-on works with: access, and how identity providers are reached.
import { openSecret, sealSecret, type Sealed } from "../../lib/seal.ts";
import { sealPlace } from "../../db/index.ts";
import type { Context } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { OidcAttemptRows, type OidcAttemptRow } from "./attempt.entity.ts";
import type { AttemptSecrets } from "./attempts.commands.ts";
import type { AttemptKeys, IdentityProvider, ProviderNetwork } from "./identity-provider.ts";
import { PlainOAuthProvider } from "./plain-oauth-provider.ts";
import type { OidcProviderRow } from "./provider.entity.ts";
import { clientSecretOf } from "./providers.commands.ts";

/** The browser's share of an attempt: a random value, of which the attempt holds the SHA-256. */
export const OIDC_COOKIE = "panel_oidc";

const CALL_TIMEOUT = 10_000;

export interface Sso {
  readonly access: Access;
  readonly network: ProviderNetwork;
  /** The client for a provider. Its library is loaded with the first one that needs it: most panels have none. */
  providerOf(row: Readonly<OidcProviderRow>): Promise<IdentityProvider>;
  /** Seals what only the panel may know of an attempt, and opens it. `id`: the attempt's. */
  seal(secrets: AttemptSecrets, id: string): Sealed;
  open(sealed: string, id: string): AttemptSecrets;
}

/** What a provider may send back with the browser; what else it sends is not read. */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  /** RFC 9207. */
  readonly iss?: string | undefined;
}

/** The fields of the callback's context that its parts use. */
export type Callback = Pick<
  Context<undefined, ProviderAnswer, undefined, string, unknown>,
  "request" | "query" | "submit" | "commit" | "setCookie" | "clearCookie"
>;

/** An attempt that came back in time, with the provider that it began at. */
export interface ReturnedAttempt {
  readonly attempt: OidcAttemptRow;
  readonly provider: OidcProviderRow;
  readonly keys: AttemptKeys;
}

export function createSso(access: Access): Sso {
  const { now, secretKey, settings, identityProviders = {} } = access;
  const network: ProviderNetwork = {
    fetch: access.fetch,
    timeout: CALL_TIMEOUT,
    allowPrivate: () => settings.flag("webhook_allow_private"),
    now,
    ...identityProviders,
  };
  const place = (id: string) => sealPlace(OidcAttemptRows, "secrets", id);
  return {
    access,
    network,
    providerOf: async (row) => {
      const secret = clientSecretOf(row, secretKey);
      if (row.kind !== "oidc") return new PlainOAuthProvider(row, secret, network);
      const { OpenIdProvider } = await import("./openid-provider.ts");
      return new OpenIdProvider(row, secret, network);
    },
    seal: (secrets, id) => sealSecret(secretKey, JSON.stringify(secrets), place(id)),
    // What opens was sealed above.
    open: (sealed, id) => JSON.parse(openSecret(secretKey, sealed, place(id))) as AttemptSecrets,
  };
}
