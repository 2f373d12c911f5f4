// What the panel asks of an identity provider, whichever of the two kinds it is, and how it is reached.
import type { Fetch } from "../../outgoing/index.ts";
import type { AttemptSecrets } from "./attempts.commands.ts";
import type { Identity } from "./links.commands.ts";

/** How providers are reached: every call through the guarded client, redirects never followed. */
export interface ProviderNetwork {
  readonly fetch: Fetch;
  /** The setting `webhook_allow_private`, as it is now. */
  readonly allowPrivate: () => boolean;
  /** Milliseconds for one call. */
  readonly timeout: number;
  /** Unix milliseconds; the times of id_tokens are judged by it. */
  readonly now: () => number;
}

/** What identifies an attempt to the provider. */
export interface AttemptKeys extends AttemptSecrets {
  readonly state: string;
}

export interface IdentityProvider {
  /** Where the browser is sent to sign in. */
  authorizationUrl(keys: AttemptKeys): Promise<string>;
  /**
   * Resolves to the identity that came back. `answer`: the callback's query. `wantsEmail`: the address is worth a call
   * of its own. Throws where nobody is proven.
   */
  identity(answer: URLSearchParams, keys: AttemptKeys, wantsEmail: boolean): Promise<Identity>;
}
