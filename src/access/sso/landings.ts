// Where the callback lands in the web interface (rule access.sso.7).
import { RawAnswer, type RequestFacts } from "../../http/index.ts";

/**
 * What a sign-in came to. `unlinked`: nobody has linked the identity. `expired`: back after more than ten minutes.
 * `blocked`: the address is banned or outside `login_allowlist`. `account-expired`: a reseller past its date. `error`:
 * anything else that proves nobody.
 */
export type SignInFailure = "unlinked" | "error" | "expired" | "blocked" | "account-expired";
export type LinkResult = "linked" | "link-taken" | "link-error";

/** A path under the base path. */
export type Landing = "" | `login?sso=${SignInFailure}` | `login?sso=mfa#${string}` | `dashboard?sso=${LinkResult}`;

export function land(request: RequestFacts, landing: Landing): RawAnswer {
  return new RawAnswer("text/plain; charset=utf-8", "", 302, { location: `${request.basePath}/${landing}` });
}
