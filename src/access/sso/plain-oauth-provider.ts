// A plain OAuth 2.0 provider (rule access.sso.4): code flow with PKCE S256 and state; who signed in is read from its
// user endpoint. It signs nothing, so that the only proof is that the answer came over the panel's own connection to an
// address that an operator typed.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { OutgoingRequest } from "../../outgoing/index.ts";
import { IdentityUnproven, MAX_ANSWER, provenSubject, shownEmail } from "./provider-answers.ts";
import type { AttemptKeys, IdentityProvider, ProviderNetwork } from "./identity-provider.ts";
import type { Identity } from "./links.commands.ts";
import type { OidcProviderRow } from "./provider.entity.ts";

/** RFC 6749 5.1; the type of the token is left out by some and is then a bearer's. */
const Tokens = z.object({
  access_token: z.string().min(1).max(16_384),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
});
const User = z.record(z.string(), z.unknown());

export class PlainOAuthProvider implements IdentityProvider {
  readonly #row: Readonly<OidcProviderRow>;
  readonly #secret: string | undefined;
  readonly #network: ProviderNetwork;

  constructor(row: Readonly<OidcProviderRow>, secret: string | undefined, network: ProviderNetwork) {
    this.#row = row;
    this.#secret = secret;
    this.#network = network;
  }

  async authorizationUrl({ state, verifier, redirectUri }: AttemptKeys): Promise<string> {
    const { authorizationUrl, clientId, scopes } = this.#row;
    const url = new URL(authorizationUrl);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      ...(scopes === "" ? {} : { scope: scopes }),
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async identity(answer: URLSearchParams, { verifier, redirectUri }: AttemptKeys): Promise<Identity> {
    const { issuer, tokenUrl, userUrl, subjectField } = this.#row;
    const said = answer.get("iss");
    // RFC 9207: an answer that names its issuer must name this one's.
    if (said !== null && issuer !== "" && said !== issuer)
      throw new IdentityUnproven("the answer came from another issuer");
    const tokens = Tokens.safeParse(
      await this.#json("token endpoint", { url: tokenUrl, ...this.#exchange(answer, verifier, redirectUri) }),
    );
    if (!tokens.success) throw new IdentityUnproven("the token endpoint gave no bearer token");
    const authorization = `Bearer ${tokens.data.access_token}`;
    const user = User.safeParse(await this.#json("user endpoint", { url: userUrl, headers: { authorization } }));
    if (!user.success) throw new IdentityUnproven("the user endpoint's answer is no object");
    return { subject: provenSubject(memberOf(user.data, subjectField)), email: shownEmail(user.data["email"]) };
  }

  /**
   * The code for a token (RFC 6749 4.1.3). The secret goes into the body, where nearly all providers of this kind want
   * it.
   */
  #exchange(
    answer: URLSearchParams,
    verifier: string,
    redirectUri: string,
  ): Pick<OutgoingRequest, "method" | "headers" | "body"> {
    const code = answer.get("code") ?? "";
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    form.set("client_id", this.#row.clientId);
    if (this.#secret !== undefined) form.set("client_secret", this.#secret);
    return {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(form.toString()),
    };
  }

  /** The JSON of a 200; anything else proves nobody. */
  async #json(what: string, request: Pick<OutgoingRequest, "url" | "method" | "headers" | "body">): Promise<unknown> {
    const { fetch, allowPrivate, timeout } = this.#network;
    const headers = { accept: "application/json", "user-agent": "panel", ...request.headers };
    const answer = await fetch({ ...request, headers, allowPrivate: allowPrivate(), timeout, maxBytes: MAX_ANSWER });
    if (answer.status !== 200) throw new IdentityUnproven(`the ${what} answered ${answer.status}`);
    try {
      return JSON.parse(answer.body.toString("utf8"));
    } catch {
      // What it said instead may carry a token and is not told.
      throw new IdentityUnproven(`the ${what} did not answer JSON`);
    }
  }
}

/** The member that a dotted path leads to. */
function memberOf(user: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    const holds = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return holds ? (value as Record<string, unknown>)[name] : undefined;
  }, user);
}
