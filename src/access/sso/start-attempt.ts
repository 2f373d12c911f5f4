// The start of a sign-in or a link at a provider: what is checked, which secrets are made, where the browser is sent.
import { Refusal, type RequestFacts } from "../../http/index.ts";
import { sourceKey } from "../../lib/addresses.ts";
import { sessionToken, sha256Hex } from "../../lib/ids.ts";
import { OidcWaitingRows, type OidcAttemptRow } from "./attempt.entity.ts";
import { NOBODY_WAITS, refuseCrowd, usableProvider, WAITING } from "./attempts.commands.ts";
import { reasonOf } from "./provider-answers.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { redirectUriOf } from "./redirect-uri.ts";
import { OIDC_COOKIE, type Sso } from "./sso.ts";

export interface WantedAttempt {
  /** Id of the provider. */
  readonly provider: number;
  /** What the client names; see `redirectUriOf`. */
  readonly redirectUri: string;
  readonly remember: boolean;
  /** Account, login and password of a link; absent for a sign-in. */
  readonly link?: { readonly adminId: number; readonly sessionId: number; readonly passwordHash: string };
}

export interface PreparedAttempt {
  /** Where the browser is sent. */
  readonly url: string;
  /** To be stored with `beginAttempt`. */
  readonly row: Omit<OidcAttemptRow, "expiresAt">;
  /** Value of the cookie `panel_oidc`. */
  readonly browser: string;
}

/**
 * Prepares an attempt; nothing is stored yet. Throws 429 where too many wait, 400 `field: "redirectUri"` or
 * `"provider"`, 409 for a provider that is off, and 502 for one that does not answer as it should.
 */
export async function prepareAttempt(sso: Sso, request: RequestFacts, wanted: WantedAttempt): Promise<PreparedAttempt> {
  const { reads, settings, now, log } = sso.access;
  const source = sourceKey(request.ip);
  // Decided again when the attempt is stored; here it keeps a crowd from having the panel call the provider.
  refuseCrowd((await reads.find(OidcWaitingRows, WAITING)) ?? NOBODY_WAITS, source, Math.floor(now() / 1000));
  const provider = usableProvider(await reads.find(OidcProviderRows, wanted.provider), wanted.provider);
  const redirectUri = redirectUriOf(provider, wanted.redirectUri, request, settings);
  const [state, nonce, verifier] = [sessionToken(), sessionToken(), sessionToken()];
  const { adminId, sessionId, passwordHash } = wanted.link ?? { adminId: 0, sessionId: 0, passwordHash: "" };
  const secrets = { nonce, verifier, redirectUri, passwordHash };
  let url: string;
  try {
    const client = await sso.providerOf(provider);
    url = await client.authorizationUrl({ state, ...secrets });
  } catch (error) {
    log.warn({ provider: provider.id, reason: reasonOf(error) }, "an identity provider cannot be used");
    throw new Refusal("upstream", { message: `the provider ${provider.name} did not answer as it should` });
  }
  const id = sha256Hex(state);
  const browser = browserOf(request);
  const row = {
    id,
    browserHash: sha256Hex(browser),
    providerId: provider.id,
    providerVersion: provider.updatedAt,
    source,
    remember: wanted.remember,
    adminId,
    sessionId,
    secrets: sso.seal(secrets, id),
  };
  return { url, row, browser };
}

/** The browser's own value where it has one, so that two tabs can sign in side by side; else a fresh one. */
function browserOf(request: RequestFacts): string {
  const known = request.cookie(OIDC_COOKIE) ?? "";
  return /^[A-Za-z0-9_-]{43}$/.test(known) ? known : sessionToken();
}
