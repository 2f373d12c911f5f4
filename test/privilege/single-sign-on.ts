// Signing in through an identity provider, and linking one: the provider here says whatever it is asked to, as one that
// somebody took over would. So all that counts is who is linked, and whether the provider may sign them in.
import type { Call } from "./call.ts";
import { covers, SCOPES, type Model, type Reach } from "./model.ts";

const named = (value: unknown): string => (typeof value === "string" ? value.replace(/^@[^/]*\//, "") : "");
const providerOf = (call: Call): string =>
  named((call.body as Readonly<Record<string, unknown>> | undefined)?.["provider"]);

export const STARTS: ReadonlySet<string> = new Set(["POST /login/oidc/start", "POST /me/oidc/link"]);

/** What a provider is kept to when a credential says where it leads; undefined: to nothing. */
export const keptTo = (by: Reach | undefined): ReadonlySet<string> | undefined =>
  by && covers(by.scopes, SCOPES) ? undefined : (by?.scopes ?? new Set());

/** Whether a provider may sign an account in: whoever set it up reaches as far. */
export function serves(model: Model, provider: string, account: string): boolean {
  const reach = model.things.get(`oidc-providers/${provider}`)?.reach;
  return reach === undefined || covers(reach, model.accountScopes(account));
}

/** Where the browser lands that comes back as `claims`. */
export function landing(model: Model, call: Call): RegExp {
  const provider = providerOf(call);
  const linked = model.things.get(`links/${provider}/${call.claims ?? ""}`)?.owner;
  if (call.route === "POST /me/oidc/link") {
    const account = model.reach(call.by)?.account;
    return linked !== undefined && linked !== account ? /sso=link-taken$/ : /sso=linked$/;
  }
  const account = linked === undefined ? undefined : model.accounts.get(linked);
  if (!account) return /sso=unlinked$/;
  if (!serves(model, provider, account.name)) return /sso=error$/;
  const expired = account.expired && model.tierOf(account.name) === "resale";
  return expired ? /sso=account-expired$/ : account.seed === "" ? /^[^?]*\/$/ : /sso=mfa#/;
}

/**
 * Tells the model of a sign-in or a link that landed; the account that was signed in, and the token of one that waits
 * for a code.
 */
export function landed(model: Model, call: Call, location: string): { account: string; pending: string } | undefined {
  const key = `links/${providerOf(call)}/${call.claims ?? ""}`;
  if (location.endsWith("sso=linked")) model.things.set(key, { id: 0, owner: model.reach(call.by)?.account ?? "" });
  const account = model.things.get(key)?.owner ?? "";
  const [, pending = ""] = /sso=mfa#(.*)$/.exec(location) ?? [];
  return /^[^?]*\/$/.test(location) || pending !== "" ? { account, pending } : undefined;
}
