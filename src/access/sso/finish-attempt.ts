// The end of an attempt: the browser is back from the provider. Taking the attempt, asking the provider and writing the
// outcome are three steps; only the middle one leaves the panel, and an attempt that was taken is never good again.
import { Refusal, type Context } from "../../http/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { refuseAddress } from "../authenticate.ts";
import { OidcAttemptRows, type OidcAttemptRow } from "./attempt.entity.ts";
import { takeAttempt, takeLocks } from "./attempts.commands.ts";
import type { AttemptKeys } from "./identity-provider.ts";
import type { Landing } from "./landings.ts";
import { linkIdentity } from "./link-identity.ts";
import type { Identity } from "./links.commands.ts";
import { IdentityUnproven, reasonOf } from "./provider-answers.ts";
import type { OidcProviderRow } from "./provider.entity.ts";
import { signInAs } from "./sign-in-as.ts";
import { OIDC_COOKIE, type Sso } from "./sso.ts";

/** What a provider may send back with the browser; what else it sends is not read. */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  /** RFC 9207. */
  readonly iss?: string | undefined;
}

/** What of the callback's context its parts use. */
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

/** Carries a returning browser to where it lands (rule access.sso.7). */
export async function finishAttempt(sso: Sso, callback: Callback): Promise<Landing> {
  const { query, request, submit } = callback;
  const { state = "" } = query;
  const id = sha256Hex(state);
  const browserHash = sha256Hex(request.cookie(OIDC_COOKIE) ?? "");
  const waiting = await sso.access.reads.find(OidcAttemptRows, id);
  const links = waiting?.browserHash === browserHash && waiting.adminId > 0;
  if (await isBlocked(sso, request.ip, links)) return links ? "dashboard?sso=link-error" : "login?sso=blocked";
  const taken = await submit({
    name: "oidc.take",
    locks: takeLocks(id),
    decide: (draft) => takeAttempt(draft, id, browserHash),
  });
  if (!taken) return "login?sso=error";
  const { attempt, provider, late } = taken;
  if (late) return links ? "dashboard?sso=link-error" : "login?sso=expired";
  const returned = provider && { attempt, provider, keys: { state, ...sso.open(attempt.secrets, id) } };
  const identity = returned && (await provenIdentity(sso, returned, query));
  if (!identity) return links ? "dashboard?sso=link-error" : "login?sso=error";
  return links
    ? `dashboard?sso=${await linkIdentity(sso, callback, returned, identity)}`
    : signInAs(sso, callback, returned, identity);
}

/** A link is made by somebody who is signed in: a ban, which closes the sign-in, does not concern it. */
async function isBlocked({ access }: Sso, ip: string, links: boolean): Promise<boolean> {
  try {
    refuseAddress(access.settings, ip);
    if (!links) await access.guard.refuseBanned(ip);
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** Who signed in at the provider; undefined, and a line in the log, where nobody is proven. */
async function provenIdentity(
  sso: Sso,
  { attempt, provider, keys }: ReturnedAttempt,
  answer: ProviderAnswer,
): Promise<Identity | undefined> {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (typeof value === "string") given.set(name, value);
  try {
    if (answer.error !== undefined || answer.code === undefined)
      throw new IdentityUnproven("the provider sent no code");
    const client = await sso.providerOf(provider);
    return await client.identity(given, keys, attempt.adminId > 0);
  } catch (error) {
    sso.access.log.warn(
      { provider: provider.id, reason: reasonOf(error) },
      "a sign-in at an identity provider proved nobody",
    );
    return undefined;
  }
}
