// An OpenID Connect provider (rule access.sso.4): found by its issuer, code flow with PKCE S256, state and nonce. The
// id_token's signature, issuer, audience, expiry and nonce are verified. Documents and keys are fetched again each
// time: nothing of a provider is kept, so that changed keys hold at once and on every process.
import * as client from "openid-client";
import { parseTarget } from "../../outgoing/index.ts";
import { IdentityUnproven, MAX_ANSWER, provenSubject, shownEmail } from "./provider-answers.ts";
import type { AttemptKeys, IdentityProvider, ProviderNetwork } from "./identity-provider.ts";
import type { Identity } from "./links.commands.ts";
import type { OidcProviderRow } from "./provider.entity.ts";

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export class OpenIdProvider implements IdentityProvider {
  readonly #row: Readonly<OidcProviderRow>;
  readonly #secret: string | undefined;
  readonly #network: ProviderNetwork;

  constructor(row: Readonly<OidcProviderRow>, secret: string | undefined, network: ProviderNetwork) {
    this.#row = row;
    this.#secret = secret;
    this.#network = network;
  }

  async authorizationUrl({ state, nonce, verifier, redirectUri }: AttemptKeys): Promise<string> {
    const url = client.buildAuthorizationUrl(await this.#discovered(), {
      redirect_uri: redirectUri,
      scope: this.#row.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    // The document names it: a browser is sent to nothing but a web address.
    return parseTarget(url.href, this.#network.allowPrivate()).href;
  }

  async identity(
    answer: URLSearchParams,
    { state, nonce, verifier, redirectUri }: AttemptKeys,
    wantsEmail: boolean,
  ): Promise<Identity> {
    const provider = await this.#discovered();
    client.enableNonRepudiationChecks(provider);
    const arrived = new URL(`${redirectUri}?${answer.toString()}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(provider, arrived, checks);
    const claims = tokens.claims();
    if (!claims) throw new IdentityUnproven("the provider's answer has no id_token");
    const subject = provenSubject(claims.sub);
    const email = shownEmail(claims["email"]);
    const asked = wantsEmail && this.#row.scopes.split(" ").includes("email");
    if (email !== "" || !asked || provider.serverMetadata().userinfo_endpoint === undefined) return { subject, email };
    const user = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return { subject, email: shownEmail(user.email) };
  }

  async #discovered(): Promise<client.Configuration> {
    const { issuer, clientId } = this.#row;
    const { allowPrivate, now } = this.#network;
    const skew = Math.round((now() - Date.now()) / 1000);
    const provider = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockSkew]: skew },
      this.#authentication(),
      {
        [client.customFetch]: this.#fetch,
        execute: allowPrivate() ? [client.allowInsecureRequests] : [],
      },
    );
    return provider;
  }

  /**
   * In the `Authorization` header, unless the provider says that it takes the secret in the body alone (OpenID Connect
   * Core 9: the default is the header).
   */
  #authentication(): client.ClientAuth {
    const secret = this.#secret;
    if (secret === undefined) return client.None();
    const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
    return (server, ...rest) => {
      const taken = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      const onlyBody = taken.includes("client_secret_post") && !taken.includes("client_secret_basic");
      return (onlyBody ? inBody : inHeader)(server, ...rest);
    };
  }

  /** The guarded client in the form that the library calls. */
  readonly #fetch: client.CustomFetch = async (url, { method, headers, body, signal }) => {
    const { fetch, allowPrivate, timeout } = this.#network;
    const answer = await fetch({
      url,
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body instanceof URLSearchParams || typeof body === "string" ? { body: Buffer.from(body.toString()) } : {}),
      allowPrivate: allowPrivate(),
      timeout,
      maxBytes: MAX_ANSWER,
      ...(signal ? { signal } : {}),
    });
    const type = answer.headers["content-type"];
    const init = { status: answer.status, headers: type === undefined ? {} : { "content-type": type } };
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(answer.body), init);
  };
}
