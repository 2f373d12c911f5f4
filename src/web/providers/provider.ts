// A sign-in provider as the API answers it; its secret never is.
import type { z } from "zod";
import type { OidcProvider, OidcProviderUpdate } from "../../access/sso/providers.schema.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

export type Provider = z.output<typeof OidcProvider>;
export type ProviderBody = z.input<typeof OidcProviderUpdate>;

export const PROVIDERS: RecordKind<Provider> = { list: "/oidc-providers", name: ({ name }) => name };

/** Names of protocols: the same in every language. */
export const KINDS: Readonly<Record<Provider["kind"], string>> = { oidc: "OpenID Connect", oauth2: "OAuth 2.0" };

/** Where a provider sends people back to: an address of its own, or the one that all shared once. */
export function callbackAddress(base: string, { id, sharedCallback }: Pick<Provider, "id" | "sharedCallback">): string {
  return new URL(`api/login/oidc/callback${sharedCallback ? "" : `/${id}`}`, base).href;
}
