// Who may call what, and what a success may change: one line for each route of the panel. A route that is missing here fails the test.
import type { Call } from "./call.ts";
import { closure, covers, outranks, type Model, type Reach, type Tier } from "./model.ts";

/**
 * Which rows of a table a success may write: those that are new, the caller's own account's, the one that the path names, those of the account that
 * the path names, or any.
 */
export type Rows = "new" | "own" | "target" | "ofTarget" | "any";

export interface Rule {
  /** "open": nobody needs to be known. "": everybody who is. "-": sessions alone. */
  readonly scope: string;
  readonly also?: readonly string[] | ((call: Call) => readonly string[]);
  readonly tiers?: readonly Tier[];
  /** A session with two-factor needs a fresh second factor. */
  readonly sensitive?: boolean | ((call: Call) => boolean);
  /** A reseller reaches its own of this collection; the others are not there for it. */
  readonly own?: "users" | "webhooks";
  /** Why it is refused all the same. */
  readonly refused?: (by: Reach, call: Call, model: Model) => string | undefined;
  readonly writes?: Readonly<Record<string, Rows>>;
}

const MAIN = ["sudo"] as const;
const OPERATORS = ["sudo", "admin"] as const;
const own: Rule = { scope: "-" };
const admins = { scope: "admins:write", tiers: MAIN } as const;
const tokens = { scope: "tokens:write", tiers: MAIN } as const;
const pool = { scope: "pool:write", tiers: OPERATORS } as const;
const tool: Rule = { scope: "tools:write" };
const seen: Rule = { scope: "users:read", own: "users" };
const user = { scope: "users:write", own: "users" } as const;
const stats: Rule = { scope: "stats:read" };

export const target = (call: Call): string => (call.path?.["id"] ?? "").replace(/^@[^/]*\//, "");
const field = (call: Call, name: string): unknown => (call.body as Readonly<Record<string, unknown>> | undefined)?.[name];
const named = (value: unknown): string => (typeof value === "string" ? value.replace(/^@[^/]*\//, "") : "");

/** Nobody takes over or ends what reaches further than itself. */
function uncovered(by: Reach, account: string, model: Model): string | undefined {
  return covers(by.scopes, model.accountScopes(account)) ? undefined : `${account} reaches more than the caller`;
}

/** Nobody gives away what it does not hold. */
function beyond(by: Reach, role: { base: Tier; scopes: Iterable<string> } | undefined): string | undefined {
  if (!role) return undefined;
  return outranks(role.base, by.base) || !covers(by.scopes, role.scopes) ? "the role reaches more than the caller" : undefined;
}

const roleOf = (model: Model, name: string) => {
  const role = model.roles.get(name);
  return role && { base: role.base, scopes: model.roleScopes(name) };
};

function editsAccount(by: Reach, call: Call, model: Model): string | undefined {
  const account = model.accounts.get(target(call));
  const before = account && roleOf(model, account.role);
  if (!account || !before) return undefined;
  const role = named(field(call, "role"));
  const peer = outranks(by.base, before.base) ? undefined : uncovered(by, account.name, model);
  if (role === account.role) return peer;
  return peer ?? uncovered(by, account.name, model) ?? beyond(by, roleOf(model, role));
}

/** A token for another account, or one without scopes, reaches all that the account's role does. */
function makesToken(by: Reach, call: Call, model: Model): string | undefined {
  const account = named(field(call, "adminId")) || by.account;
  const scopes = (field(call, "scopes") as readonly string[] | undefined) ?? [];
  if (!model.accounts.has(account)) return undefined;
  if (!covers(by.scopes, scopes)) return "its scopes are more than the caller's";
  return scopes.length === 0 || account !== by.account ? uncovered(by, account, model) : undefined;
}

/** An own token by whoever reaches what it does; another's by whoever covers the account that it acts as. */
function endsToken(by: Reach, call: Call, model: Model): string | undefined {
  const owner = model.things.get(`tokens/${target(call)}`)?.owner;
  if (owner === undefined) return undefined;
  if (owner !== by.account) return uncovered(by, owner, model);
  return covers(by.scopes, model.reach(target(call))?.scopes ?? []) ? undefined : "the token reaches more than the caller";
}

/** An own webhook by whoever reaches what it was made with; another's by whoever covers its maker: its next event goes where the writer says. */
function writesWebhook(by: Reach, call: Call, model: Model): string | undefined {
  const hook = model.things.get(`webhooks/${target(call)}`);
  if (!hook || !model.accounts.has(hook.owner)) return undefined;
  const mine = hook.owner === by.account ? hook.reach : undefined;
  const heard = [...model.accountScopes(hook.owner)].filter((scope) => mine?.has(scope) ?? true);
  return covers(by.scopes, heard) ? undefined : "the webhook hears more than the caller may";
}

/** Whoever changes a provider could sign in as everybody who is linked there. */
function editsProvider(by: Reach, call: Call, model: Model): string | undefined {
  const linked = [...model.things].filter(([key]) => key.startsWith(`links/${target(call)}/`)).map(([, { owner }]) => owner);
  return linked.map((account) => uncovered(by, account, model)).find((why) => why !== undefined);
}

const makesUser = (by: Reach): string | undefined => (by.plansOnly ? "creates from plans alone, and there are none" : undefined);
const movesUser = (by: Reach, call: Call): string | undefined =>
  by.base === "resale" && field(call, "adminId") !== undefined && named(field(call, "adminId")) !== by.account
    ? "a reseller's accounts stay its own"
    : undefined;

/** A node of one's own is sent the credentials of all whom it serves. */
const reader = { scope: "nodes:write", also: ["users:read"], sensitive: true } as const;
const pointsElsewhere = (call: Call): boolean => ["address", "port", "isLocal"].some((name) => field(call, name) !== undefined);
const node = { scope: "nodes:write", writes: { nodes: "target" } } as const;

/** Settings that a main admin alone writes, with a fresh second factor. */
const PANEL_WIDE = ["timezone", "event_retention_days", "webhook_allow_private", "changes_logging", "changes_retention_days"];
const isPanelWide = (call: Call): boolean => PANEL_WIDE.includes(String(call.path?.["key"]));

const sessionsOf = (rows: Rows) => ({ sessions: rows, pending_logins: rows });

export const RULES: Readonly<Record<string, Rule>> = {
  "GET /setup": { scope: "open" },
  "POST /setup": { scope: "open" },
  "GET /openapi.json": { scope: "open" },
  "GET /openapi.yaml": { scope: "open" },
  "POST /login": { scope: "open", writes: { sessions: "new", pending_logins: "new", admins: "any" } },
  "POST /login/mfa": { scope: "open", writes: { sessions: "new", pending_logins: "any", admins: "any" } },
  "POST /logout": { scope: "open", writes: { sessions: "own" } },
  "GET /login/oidc": { scope: "open" },
  "POST /login/oidc/start": { scope: "open" },
  "GET /login/oidc/callback": { scope: "open", writes: { sessions: "new", pending_logins: "new", admins: "any", oidc_links: "any" } },

  "GET /me": { scope: "" },
  "GET /scopes": { scope: "" },
  "GET /events": { scope: "" },
  "GET /events/log": { scope: "" },
  "PUT /me/password": { ...own, writes: { admins: "own", ...sessionsOf("own") } },
  "PUT /me/dashboard-tiles": { ...own, writes: { admins: "own" } },
  "GET /me/sessions": own,
  "DELETE /me/sessions": { ...own, writes: sessionsOf("own") },
  "DELETE /me/sessions/{id}": { ...own, writes: { sessions: "own" } },
  "GET /me/2fa": own,
  "POST /me/2fa/totp": { ...own, writes: { sessions: "own" } },
  "POST /me/2fa/totp/confirm": { ...own, writes: { admins: "own", ...sessionsOf("own") } },
  "POST /me/2fa/recovery": { ...own, writes: { admins: "own", ...sessionsOf("own") } },
  "DELETE /me/2fa": { ...own, writes: { admins: "own", ...sessionsOf("own") } },
  "POST /me/confirm": { ...own, writes: { admins: "own", sessions: "own" } },
  "GET /me/oidc": own,
  "POST /me/oidc/link": own,
  "DELETE /me/oidc/links/{id}": { ...own, writes: { oidc_links: "own" } },

  "GET /oidc-providers": admins,
  "POST /oidc-providers": { ...admins, sensitive: true, writes: { oidc_providers: "new" } },
  "PUT /oidc-providers/{id}": {
    ...admins,
    sensitive: true,
    refused: editsProvider,
    writes: { oidc_providers: "target", oidc_links: "any" },
  },
  "DELETE /oidc-providers/{id}": {
    ...admins,
    sensitive: true,
    refused: editsProvider,
    writes: { oidc_providers: "target", oidc_links: "any" },
  },

  "GET /roles": admins,
  "POST /roles": {
    ...admins,
    sensitive: true,
    refused: (by, call) => beyond(by, call.body as { base: Tier; scopes: string[] }),
    writes: { roles: "new" },
  },
  "PUT /roles/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => beyond(by, roleOf(model, target(call))) ?? beyond(by, call.body as { base: Tier; scopes: string[] }),
    writes: { roles: "target", ...sessionsOf("any") },
  },
  "DELETE /roles/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => beyond(by, roleOf(model, target(call))),
    writes: { roles: "target" },
  },
  "GET /admins": admins,
  "POST /admins": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => beyond(by, roleOf(model, named(field(call, "role") ?? "admin"))),
    writes: { admins: "new" },
  },
  "PUT /admins/{id}": { ...admins, sensitive: true, refused: editsAccount, writes: { admins: "target", ...sessionsOf("ofTarget") } },
  "DELETE /admins/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => uncovered(by, target(call), model),
    writes: {
      admins: "target",
      ...sessionsOf("ofTarget"),
      api_tokens: "ofTarget",
      oidc_links: "ofTarget",
      webhooks: "any",
      users: "ofTarget",
    },
  },
  "PUT /admins/{id}/password": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) =>
      by.via === "token" && target(call) === by.account ? "a token does not take its own account over" : uncovered(by, target(call), model),
    writes: { admins: "target", ...sessionsOf("ofTarget"), oidc_links: "ofTarget" },
  },
  "DELETE /admins/{id}/sessions": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => uncovered(by, target(call), model),
    writes: sessionsOf("ofTarget"),
  },
  "POST /admins/{id}/owner": {
    ...own,
    tiers: MAIN,
    sensitive: true,
    refused: (by) => (by.owner ? undefined : "the owner alone hands the panel over"),
    writes: { admins: "any" },
  },
  "GET /tokens": tokens,
  "POST /tokens": { ...tokens, sensitive: true, refused: makesToken, writes: { api_tokens: "new" } },
  "DELETE /tokens/{id}": { ...tokens, sensitive: true, refused: endsToken, writes: { api_tokens: "target" } },
  "GET /changes": admins,
  "GET /changes/facets": admins,
  "GET /changes/facetsj": admins,
  "DELETE /changes": { ...admins, sensitive: true },

  "GET /settings": { scope: "settings:read", tiers: OPERATORS },
  "PUT /settings/{key}": {
    scope: "settings:write",
    tiers: OPERATORS,
    sensitive: isPanelWide,
    refused: (by, call) => {
      if (call.path?.["key"] === "setup_token") return "is never written here";
      return isPanelWide(call) && by.base !== "sudo" ? "a main admin writes it" : undefined;
    },
    writes: { settings: "target" },
  },
  "POST /settings/happ-key/refresh": { ...own, tiers: OPERATORS, also: ["settings:write"], writes: { settings: "any" } },
  "POST /settings/incy-key/refresh": { ...own, tiers: OPERATORS, also: ["settings:write"], writes: { settings: "any" } },

  "GET /inbounds": { scope: "pool:read", tiers: OPERATORS },
  "POST /inbounds": { ...pool, writes: { inbounds: "new" } },
  "PUT /inbounds/{id}": { ...pool, writes: { inbounds: "target" } },
  "DELETE /inbounds/{id}": { ...pool, writes: { inbounds: "target", templates: "any" } },
  "GET /outbounds": { scope: "pool:read", tiers: OPERATORS },
  "POST /outbounds": { ...pool, writes: { outbounds: "new" } },
  "PUT /outbounds/{id}": { ...pool, writes: { outbounds: "target" } },
  "DELETE /outbounds/{id}": { ...pool, writes: { outbounds: "target", templates: "any" } },
  "GET /templates": { scope: "templates:read", tiers: OPERATORS },
  "POST /templates": { scope: "templates:write", tiers: OPERATORS, writes: { templates: "new", inbounds: "any", outbounds: "any" } },
  "PUT /templates/{id}": { scope: "templates:write", tiers: OPERATORS, writes: { templates: "target", inbounds: "any", outbounds: "any" } },
  "DELETE /templates/{id}": {
    scope: "templates:write",
    tiers: OPERATORS,
    writes: { templates: "target", inbounds: "any", outbounds: "any", users: "any" },
  },
  "POST /tools/uuid": tool,
  "POST /tools/password": tool,
  "POST /tools/ss-key": tool,
  "POST /tools/reality-keypair": tool,
  "POST /tools/wireguard-keypair": tool,

  "GET /users": { scope: "users:read" },
  "GET /users/summary": { scope: "users:read" },
  "GET /users/usage": { scope: "users:read" },
  "GET /users/{id}": seen,
  "GET /users/{id}/addresses": seen,
  "GET /users/{id}/connections": seen,
  "GET /users/{id}/connections/{nodeId}": seen,
  "POST /users": { scope: "users:write", refused: makesUser, writes: { users: "new" } },
  "POST /users/batch": { scope: "users:write", writes: { users: "new" } },
  "PUT /users/{id}": { ...user, refused: movesUser, writes: { users: "target" } },
  "PATCH /users/{id}": { ...user, refused: movesUser, writes: { users: "target" } },
  "DELETE /users/{id}": { ...user, writes: { users: "target" } },
  "POST /users/{id}/reset-usage": { ...user, writes: { users: "target" } },
  "POST /users/{id}/renew": { ...user, writes: { users: "target" } },
  "POST /users/{id}/connections/close": user,

  "GET /nodes": { scope: "nodes:read" },
  "GET /nodes/{id}": { scope: "nodes:read" },
  "GET /nodes/install/trust": { scope: "nodes:install" },
  "POST /nodes": { ...reader, writes: { nodes: "new" } },
  "PUT /nodes/{id}": {
    ...node,
    also: (call) => (pointsElsewhere(call) ? ["users:read"] : []),
    sensitive: pointsElsewhere,
  },
  "DELETE /nodes/{id}": node,
  "POST /nodes/{id}/sync": node,
  "POST /nodes/{id}/reconnect": node,
  "POST /nodes/{id}/repin": { ...reader, writes: { nodes: "target" } },
  "POST /nodes/{id}/enabled": node,
  "PUT /nodes/{id}/template": { ...reader, writes: { nodes: "target" } },
  "PUT /nodes/{id}/routing": node,
  "POST /nodes/{id}/move": { ...reader, writes: { nodes: "target" } },

  "GET /machines": stats,
  "GET /actors": stats,
  "GET /actors/{kind}/{id}": stats,
  "GET /actors/{kind}/{id}/preview": stats,
  "GET /actors/{kind}/{id}/journal": stats,
  "POST /actors/{kind}/{id}/events": {
    scope: "stats:read",
    sensitive: (call) => call.query?.["dryRun"] !== "true",
    refused: (by, call) =>
      call.query?.["dryRun"] === "true" || (by.base === "sudo" && by.scopes.has("admins:write")) ? undefined : "main admins send events",
    writes: { users: "target", nodes: "target" },
  },
  "POST /actors/{kind}/{id}/resume": { ...admins, sensitive: true, writes: { users: "target", nodes: "target" } },
  "GET /panel/info": stats,
  "POST /restart": { ...own, tiers: MAIN, sensitive: true },

  "GET /webhooks": { scope: "webhooks:read" },
  "POST /webhooks": { scope: "webhooks:write", writes: { webhooks: "new" } },
  "PUT /webhooks/{id}": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook, writes: { webhooks: "target" } },
  "DELETE /webhooks/{id}": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook, writes: { webhooks: "target" } },
  "POST /webhooks/{id}/ping": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook },
  "GET /webhooks/{id}/deliveries": { scope: "webhooks:read", own: "webhooks" },
  "POST /webhooks/{id}/deliveries/{delivery}/resend": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook },
};

/** What the model says of a call: allowed, or one of these statuses and why. */
export type Verdict =
  | { readonly allowed: true }
  /** `finely`: although its scopes reach the route. */
  | { readonly allowed: false; readonly statuses: readonly number[]; readonly why: string; readonly finely: boolean };

const refuse = (why: string, ...statuses: number[]): Verdict => ({
  allowed: false,
  statuses,
  why,
  finely: statuses.length > 1 || statuses.includes(404),
});
/** What may be said first where a refusal comes after the body was read. */
const SAID_FIRST = [400, 404, 409, 428];

export function verdict(model: Model, call: Call, now: number): Verdict {
  const rule = RULES[call.route];
  if (!rule) throw new Error(`the model has no rule for ${call.route}`);
  if (rule.scope === "open") return { allowed: true };
  const by = model.reach(call.by);
  if (!by) return refuse("no valid credential", 401);
  if (rule.scope === "-" && by.via === "token") return refuse("closed to tokens", 400, 403);
  if (rule.tiers && !rule.tiers.includes(by.base)) return refuse(`not for the tier ${by.base}`, 403);
  const also = typeof rule.also === "function" ? rule.also(call) : (rule.also ?? []);
  const writes = !call.route.startsWith("GET ");
  if (rule.scope !== "" && rule.scope !== "-" && !by.scopes.has(rule.scope)) return refuse(`needs ${rule.scope}`, 403);
  const lacks = also.find((scope) => !by.scopes.has(scope));
  if (lacks !== undefined) return refuse(`needs ${lacks}`, 403, ...SAID_FIRST);
  if (writes && by.expired) return refuse("past its date", 403);
  if (writes && by.readsOnly && rule.scope === "users:write") return refuse("only reads users", 403);
  if (rule.own && by.base === "resale" && model.things.get(`${rule.own}/${target(call)}`)?.owner !== by.account)
    return refuse("not its own", 404);
  const why = rule.refused?.(by, call, model);
  if (why !== undefined) return refuse(why, 403, ...SAID_FIRST);
  const sensitive = typeof rule.sensitive === "function" ? rule.sensitive(call) : rule.sensitive === true;
  const stale = by.via === "session" && by.twoFactor && by.freshUntil <= now;
  return sensitive && stale ? refuse("its second factor is stale", ...SAID_FIRST) : { allowed: true };
}

/** Whether somebody may be told of an event. */
export function mayHear(
  by: Pick<Reach, "base" | "scopes">,
  id: number,
  event: { scope: string; family: string; about: number | undefined },
): boolean {
  const { scope, family, about } = event;
  if (by.base === "resale" && (about !== id || family === "node" || family === "panel")) return false;
  return scope === "" || closure(by.scopes).has(scope);
}
