// The end of an attempt: the browser is back from the provider. Taking the attempt, asking the provider and writing the
// outcome are three steps; only the middle one leaves the panel, and an attempt that was taken is never good again.
import { decidedAgainIfTaken } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { refuseAddress } from "../rights/authenticate.ts";
import { OidcAttemptRows, OidcCodeRows } from "./attempt.entity.ts";
import { takeAttempt, takeLocks } from "./attempts.commands.ts";
import { codeKey } from "./codes.commands.ts";
import type { Landing } from "./landings.ts";
import { linkIdentity } from "./link-identity.ts";
import type { Identity } from "./links.commands.ts";
import { IdentityUnproven, reasonOf } from "./provider-answers.ts";
import { cameTo } from "./redirect-uri.ts";
import { signInAs } from "./sign-in-as.ts";
import { OIDC_COOKIE, type Callback, type ProviderAnswer, type ReturnedAttempt, type Sso } from "./sso.ts";

/**
 * Carries a returning browser to where it lands (rule access.sso.7). `path`: the callback that it came to, below
 * `/api`.
 */
export async function finishAttempt(sso: Sso, callback: Callback, path: string): Promise<Landing> {
  const { query, request, submit } = callback;
  const { state = "" } = query;
  const id = sha256Hex(state);
  const browserHash = sha256Hex(request.cookie(OIDC_COOKIE) ?? "");
  const waiting = await sso.access.reads.find(OidcAttemptRows, id);
  const links = waiting?.browserHash === browserHash && waiting.adminId > 0;
  if (await isBlocked(sso, request.ip, links)) return links ? "dashboard?sso=link-error" : "login?sso=blocked";
  const returning = { id, browserHash, codeId: query.code === undefined ? undefined : codeKey(query.code) };
  const taken = await decidedAgainIfTaken(OidcCodeRows, () =>
    submit({ name: "oidc.take", locks: takeLocks(returning), decide: (draft) => takeAttempt(draft, returning) }),
  );
  if (!taken) return "login?sso=error";
  const { attempt, provider, late, strayCode } = taken;
  if (late) return links ? "dashboard?sso=link-error" : "login?sso=expired";
  const returned = provider && { attempt, provider, keys: { state, ...sso.open(attempt.secrets, id) } };
  const stray = returned && { address: !cameTo(returned.keys.redirectUri, request, path), code: strayCode };
  const identity = stray && (await provenIdentity(sso, returned, query, stray));
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

/** What says that an answer is none of the provider that was asked (rules access.sso.14 and 15). */
interface Stray {
  /** It came to the callback of another. */
  readonly address: boolean;
  /** Its code came back to another's attempt. */
  readonly code: boolean;
}

/**
 * Throws for an answer that may be another provider's: its code is not sent to this one, who could bring it here as its
 * own.
 */
function refuseStray({ code, iss }: ProviderAnswer, stray: Stray): void {
  if (stray.address) throw new IdentityUnproven("the answer came to an address that the provider was not told");
  if (stray.code) throw new IdentityUnproven("the code came back for another provider, or too many come back");
  // The clients compare it; an empty one would pass for none.
  if (iss === "") throw new IdentityUnproven("the answer names no single issuer");
  // RFC 6749 A.11.
  if (code !== undefined && !/^[\x20-\x7e]+$/.test(code)) throw new IdentityUnproven("the answer's code is none");
}

/** The identity that signed in at the provider. Undefined, with a line in the log, where nobody is proven. */
async function provenIdentity(
  sso: Sso,
  { attempt, provider, keys }: ReturnedAttempt,
  answer: ProviderAnswer,
  stray: Stray,
): Promise<Identity | undefined> {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (typeof value === "string") given.set(name, value);
  try {
    refuseStray(answer, stray);
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
