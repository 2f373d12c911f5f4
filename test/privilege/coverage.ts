// Nobody gives away, takes over or ends what reaches further than itself: the rules that ask about more than the
// caller's own scopes. Each says why not, or nothing.
import type { Call } from "./call.ts";
import { covers, outranks, type Model, type Reach, type Tier } from "./model.ts";
import { serves } from "./single-sign-on.ts";
import { target } from "./things.ts";

export const field = (call: Call, name: string): unknown =>
  (call.body as Readonly<Record<string, unknown>> | undefined)?.[name];
export const named = (value: unknown): string => (typeof value === "string" ? value.replace(/^@[^/]*\//, "") : "");

/** Nobody takes over or ends what reaches further than itself. */
export function uncovered(by: Reach, account: string, model: Model): string | undefined {
  return covers(by.scopes, model.accountScopes(account)) ? undefined : `${account} reaches more than the caller`;
}

/** Nobody gives away what it does not hold. */
export function beyond(by: Reach, role: { base: Tier; scopes: Iterable<string> } | undefined): string | undefined {
  if (!role) return undefined;
  return outranks(role.base, by.base) || !covers(by.scopes, role.scopes)
    ? "the role reaches more than the caller"
    : undefined;
}

export const roleOf = (model: Model, name: string) => {
  const role = model.roles.get(name);
  return role && { base: role.base, scopes: model.roleScopes(name) };
};

export function editsAccount(by: Reach, call: Call, model: Model): string | undefined {
  const account = model.accounts.get(target(call));
  const before = account && roleOf(model, account.role);
  if (!account || !before) return undefined;
  const role = named(field(call, "role"));
  const peer = outranks(by.base, before.base) ? undefined : uncovered(by, account.name, model);
  if (role === account.role) return peer;
  return peer ?? uncovered(by, account.name, model) ?? beyond(by, roleOf(model, role));
}

/** A token for another account, or one without scopes, reaches all that the account's role does. */
export function makesToken(by: Reach, call: Call, model: Model): string | undefined {
  const account = named(field(call, "adminId")) || by.account;
  const scopes = (field(call, "scopes") as readonly string[] | undefined) ?? [];
  if (!model.accounts.has(account)) return undefined;
  if (!covers(by.scopes, scopes)) return "its scopes are more than the caller's";
  return scopes.length === 0 || account !== by.account ? uncovered(by, account, model) : undefined;
}

/**
 * A caller's own token: the caller needs the token's rights. Another account's token: the caller must cover the account
 * that it acts as.
 */
export function endsToken(by: Reach, call: Call, model: Model): string | undefined {
  const owner = model.things.get(`tokens/${target(call)}`)?.owner;
  if (owner === undefined) return undefined;
  if (owner !== by.account) return uncovered(by, owner, model);
  return covers(by.scopes, model.reach(target(call))?.scopes ?? [])
    ? undefined
    : "the token reaches more than the caller";
}

/**
 * An own webhook by whoever reaches what it was made with; another's by whoever covers its maker: its next event goes
 * where the writer says.
 */
export function writesWebhook(by: Reach, call: Call, model: Model): string | undefined {
  const hook = model.things.get(`webhooks/${target(call)}`);
  if (!hook || !model.accounts.has(hook.owner)) return undefined;
  const mine = hook.owner === by.account ? hook.reach : undefined;
  const heard = [...model.accountScopes(hook.owner)].filter((scope) => mine?.has(scope) ?? true);
  return covers(by.scopes, heard) ? undefined : "the webhook hears more than the caller may";
}

const LABELS: ReadonlySet<string> = new Set(["name", "icon", "sortOrder"]);

/** A caller who sets a provider's address could sign in as everybody who is linked there. */
export function editsProvider(by: Reach, call: Call, model: Model): string | undefined {
  if (call.body !== undefined && Object.keys(call.body as object).every((name) => LABELS.has(name))) return undefined;
  const linked = [...model.things]
    .filter(([key]) => key.startsWith(`links/${target(call)}/`))
    .map(([, { owner }]) => owner);
  return linked.map((account) => uncovered(by, account, model)).find((why) => why !== undefined);
}

/** Nobody links a provider whose maker could then sign in as more than itself. */
export const links = (by: Reach, call: Call, model: Model): string | undefined =>
  serves(model, named(field(call, "provider")), by.account) ? undefined : "the provider does not serve the account";

export const makesUser = (by: Reach): string | undefined =>
  by.plansOnly ? "creates from plans alone, and there are none" : undefined;
export const extendsUser = (by: Reach): string | undefined => (by.plansOnly ? "sells plans alone" : undefined);
/** A reseller that sells plans only gives a volume again by a renewal. */
export const resetsUsers = (by: Reach, call: Call): string | undefined =>
  call.path?.["op"] === "reset-usage" ? extendsUser(by) : undefined;
export const movesUser = (by: Reach, call: Call): string | undefined =>
  by.base === "resale" && field(call, "adminId") !== undefined && named(field(call, "adminId")) !== by.account
    ? "a reseller's accounts stay its own"
    : undefined;
