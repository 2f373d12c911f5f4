// The rules of calls: who may make a call, and what a success may change. One line for each route of the panel, here or
// with its feature (`features.ts`). A route that is missing fails the test.
import type { Call } from "./call.ts";
import {
  field,
  named,
  uncovered,
  beyond,
  roleOf,
  editsAccount,
  makesToken,
  endsToken,
  writesWebhook,
  editsProvider,
  links,
  extendsUser,
  makesUser,
  movesUser,
  resetsUsers,
} from "./coverage.ts";
import { ofFeatures } from "./features.ts";
import type { Model, Reach, Tier } from "./model.ts";
import { target } from "./things.ts";

/**
 * Which rows of a table a success may write: those that are new, the caller's own account's, the one that the path
 * names, those of the account that the path names, or any.
 */
export type Rows = "new" | "own" | "target" | "ofTarget" | "any";

export interface Rule {
  /** "open": nobody needs to be known. "": everybody who is. "-": sessions alone. */
  readonly scope: string;
  /** Enough instead of `scope`. */
  readonly or?: string;
  readonly also?: readonly string[] | ((call: Call) => readonly string[]);
  /** Further scopes that it may need: stored values decide, which the model does not follow. */
  readonly perhaps?: (call: Call) => readonly string[];
  readonly tiers?: readonly Tier[];
  /** A session with two-factor needs a fresh second factor. */
  readonly sensitive?: boolean | ((call: Call) => boolean);
  /** A reseller reaches its own of this collection; the others are not there for it. */
  readonly own?: "users" | "deleted" | "webhooks";
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
const statsOrUsers: Rule = { scope: "stats:read", or: "users:read" };

/** A caller's own node receives the credentials of all users that it serves. */
const reader = { scope: "nodes:write", also: ["users:read"], sensitive: true } as const;
const pointsElsewhere = (call: Call): boolean =>
  ["address", "port", "isLocal"].some((name) => field(call, name) !== undefined);
const node = { scope: "nodes:write", writes: { nodes: "target" } } as const;

/** A caller who leads customers or their programs somewhere must be allowed to read accounts. */
const READS = ["users:read"] as const;
const leadsBy =
  (...names: readonly string[]) =>
  (call: Call): readonly string[] =>
    names.some((name) => field(call, name) !== undefined) ? READS : [];
const someIn =
  (name: string) =>
  (call: Call): readonly string[] => {
    const ids = field(call, name);
    return Array.isArray(ids) && ids.length > 0 ? READS : [];
  };
const leadsBySetting = (call: Call): readonly string[] => {
  const [key, value] = [call.path?.["key"], field(call, "value")];
  return key === "sub_support_url" || (typeof value === "string" && value.includes("://")) ? READS : [];
};

/** Settings that a main admin alone writes, with a fresh second factor. */
const PANEL_WIDE = [
  "timezone",
  "event_retention_days",
  "webhook_allow_private",
  "changes_logging",
  "changes_retention_days",
  "acme_eab_key",
];
const isPanelWide = (call: Call): boolean => PANEL_WIDE.includes(String(call.path?.["key"]));

const sessionsOf = (rows: Rows) => ({ sessions: rows, pending_logins: rows });

export const RULES: Readonly<Record<string, Rule>> = {
  ...ofFeatures("rules"),
  "GET /setup": { scope: "open" },
  "POST /setup": { scope: "open" },
  "GET /openapi.json": { scope: "open" },
  "GET /openapi.yaml": { scope: "open" },
  "POST /login": { scope: "open", writes: { sessions: "new", pending_logins: "new", admins: "any" } },
  "POST /login/mfa": { scope: "open", writes: { sessions: "new", pending_logins: "any", admins: "any" } },
  "POST /logout": { scope: "open", writes: { sessions: "own" } },
  "GET /login/oidc": { scope: "open" },
  "POST /login/oidc/start": {
    scope: "open",
    writes: { sessions: "new", pending_logins: "new", admins: "any", oidc_links: "any" },
  },
  "GET /login/oidc/callback": { scope: "open" },
  "GET /login/oidc/callback/{id}": { scope: "open" },

  "GET /me": { scope: "" },
  "GET /scopes": { scope: "" },
  "GET /events": { scope: "" },
  "GET /events/log": { scope: "" },
  "PUT /me/password": { ...own, writes: { admins: "own", ...sessionsOf("own") } },
  "PUT /me/dashboard-tiles": { ...own, writes: { admins: "own" } },
  "GET /me/ui": own,
  "PUT /me/ui": { ...own, writes: { admin_interfaces: "own" } },
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
  "POST /me/oidc/link": { ...own, refused: links, writes: { oidc_links: "new" } },
  "DELETE /me/oidc/links/{id}": { ...own, writes: { oidc_links: "own" } },

  "GET /oidc-providers": admins,
  "GET /oidc-providers/{id}": admins,
  "POST /oidc-providers": { ...admins, sensitive: true, writes: { oidc_providers: "new" } },
  "POST /oidc-providers/{id}/test": admins,
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
  "GET /roles/{id}": admins,
  "POST /roles": {
    ...admins,
    sensitive: true,
    refused: (by, call) => beyond(by, call.body as { base: Tier; scopes: string[] }),
    writes: { roles: "new" },
  },
  "PUT /roles/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) =>
      beyond(by, roleOf(model, target(call))) ?? beyond(by, call.body as { base: Tier; scopes: string[] }),
    writes: { roles: "target", ...sessionsOf("any") },
  },
  "DELETE /roles/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => beyond(by, roleOf(model, target(call))),
    writes: { roles: "target" },
  },
  "GET /admins": admins,
  "GET /admins/{id}": admins,
  "POST /admins": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => beyond(by, roleOf(model, named(field(call, "role") ?? "admin"))),
    writes: { admins: "new" },
  },
  "PUT /admins/{id}": {
    ...admins,
    sensitive: true,
    refused: editsAccount,
    writes: { admins: "target", ...sessionsOf("ofTarget") },
  },
  "DELETE /admins/{id}": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) => uncovered(by, target(call), model),
    writes: {
      admins: "target",
      ...sessionsOf("ofTarget"),
      api_tokens: "ofTarget",
      admin_interfaces: "ofTarget",
      oidc_links: "ofTarget",
      webhooks: "any",
      users: "ofTarget",
    },
  },
  "PUT /admins/{id}/password": {
    ...admins,
    sensitive: true,
    refused: (by, call, model) =>
      by.via === "token" && target(call) === by.account
        ? "a token does not take its own account over"
        : uncovered(by, target(call), model),
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
  "GET /tokens/{id}": tokens,
  "POST /tokens": { ...tokens, sensitive: true, refused: makesToken, writes: { api_tokens: "new" } },
  "DELETE /tokens/{id}": { ...tokens, sensitive: true, refused: endsToken, writes: { api_tokens: "target" } },
  "GET /changes": admins,
  "GET /changes/export": admins,
  "GET /changes/{id}": admins,
  "GET /changes/facets": admins,
  "GET /changes/facetsj": admins,
  "GET /security/bans": { scope: "security:read", tiers: OPERATORS },
  "DELETE /security/bans/{ip}": { scope: "security:write", tiers: OPERATORS },
  "DELETE /changes": { ...admins, sensitive: true },

  "GET /settings": { scope: "settings:read", tiers: OPERATORS },
  "PUT /settings/{key}": {
    scope: "settings:write",
    tiers: OPERATORS,
    sensitive: isPanelWide,
    also: leadsBySetting,
    refused: (by, call) => {
      if (call.path?.["key"] === "setup_token") return "is never written here";
      return isPanelWide(call) && by.base !== "sudo" ? "a main admin writes it" : undefined;
    },
    writes: { settings: "target" },
  },
  "POST /settings/happ-key/refresh": {
    ...own,
    tiers: OPERATORS,
    also: ["settings:write", "users:read"],
    writes: { settings: "any" },
  },
  "POST /settings/incy-key/refresh": {
    ...own,
    tiers: OPERATORS,
    also: ["settings:write", "users:read"],
    writes: { settings: "any" },
  },

  "GET /inbounds": { scope: "pool:read", tiers: OPERATORS },
  "GET /inbounds/{id}": { scope: "pool:read", tiers: OPERATORS },
  "POST /inbounds": { ...pool, also: leadsBy("clientConfig"), writes: { inbounds: "new" } },
  "PUT /inbounds/{id}": { ...pool, also: leadsBy("clientConfig"), writes: { inbounds: "target" } },
  "DELETE /inbounds/{id}": {
    ...pool,
    writes: { inbounds: "target", templates: "any", users: "any", plans: "any", fronts: "any" },
  },
  "GET /inbounds/{id}/fronts": { scope: "pool:read", tiers: OPERATORS },
  "PUT /inbounds/{id}/fronts": { ...pool, perhaps: someIn("frontIds"), writes: { inbounds: "target", fronts: "any" } },
  "GET /fronts": { scope: "pool:read", tiers: OPERATORS },
  "GET /fronts/{id}": { scope: "pool:read", tiers: OPERATORS },
  "POST /fronts": { ...pool, also: READS, writes: { fronts: "new", inbounds: "any" } },
  "PUT /fronts/{id}": { ...pool, also: leadsBy("domain"), writes: { fronts: "target", inbounds: "any" } },
  "DELETE /fronts/{id}": { ...pool, writes: { fronts: "target", inbounds: "any" } },
  "GET /outbounds": { scope: "pool:read", tiers: OPERATORS },
  "GET /outbounds/{id}": { scope: "pool:read", tiers: OPERATORS },
  "POST /outbounds": { ...pool, writes: { outbounds: "new" } },
  "PUT /outbounds/{id}": { ...pool, writes: { outbounds: "target" } },
  "DELETE /outbounds/{id}": { ...pool, writes: { outbounds: "target", templates: "any" } },
  "GET /templates": { scope: "templates:read", tiers: OPERATORS },
  "GET /templates/{id}": { scope: "templates:read", tiers: OPERATORS },
  "POST /templates": {
    scope: "templates:write",
    tiers: OPERATORS,
    writes: { templates: "new", inbounds: "any", outbounds: "any" },
  },
  "PUT /templates/{id}": {
    scope: "templates:write",
    perhaps: someIn("inboundIds"),
    tiers: OPERATORS,
    writes: { templates: "target", inbounds: "any", outbounds: "any" },
  },
  "DELETE /templates/{id}": {
    scope: "templates:write",
    tiers: OPERATORS,
    writes: { templates: "target", inbounds: "any", outbounds: "any", users: "any", plans: "any" },
  },
  "GET /tools/config-schema": { scope: "pool:read", tiers: OPERATORS },
  "POST /tools/uuid": tool,
  "POST /tools/password": tool,
  "POST /tools/ss-key": tool,
  "POST /tools/reality-keypair": tool,
  "POST /tools/wireguard-keypair": tool,

  "GET /users": { scope: "users:read" },
  "GET /users/summary": { scope: "users:read" },
  "GET /stats/growth": statsOrUsers,
  "GET /stats/traffic": statsOrUsers,
  "GET /reports/users": statsOrUsers,
  "GET /reports/nodes": statsOrUsers,
  "GET /reports/admins": stats,
  "GET /users/sparklines": { scope: "users:read" },
  "GET /nodes/sparklines": { scope: "nodes:read" },
  "GET /users/{id}/traffic": seen,
  "GET /users/{id}/node-usage": seen,
  "GET /stats/expiries": statsOrUsers,
  "GET /users/usage": { scope: "users:read" },
  "GET /users/{id}": seen,
  "GET /users/{id}/sub/formats": seen,
  "GET /users/{id}/app-configs": seen,
  "GET /users/{id}/verdict": seen,
  "GET /users/{id}/sub/preview": seen,
  "POST /sub/rules/test": { scope: "settings:read", tiers: OPERATORS },
  "POST /sub/page/test": { scope: "settings:read", tiers: OPERATORS },
  "GET /users/{id}/sub/requests": seen,
  "GET /users/{id}/devices": seen,
  "GET /users/{id}/addresses": seen,
  "GET /users/{id}/connections": seen,
  "GET /users/{id}/connections/{nodeId}": seen,
  "POST /users": { scope: "users:write", refused: makesUser, writes: { users: "new" } },
  "POST /users/batch": { scope: "users:write", writes: { users: "new" } },
  "POST /users/generate": { scope: "users:write", refused: makesUser, writes: { users: "new" } },
  "GET /users/export": { scope: "users:read" },
  "POST /users/import": { scope: "users:write" },
  "GET /jobs/{id}/users": { scope: "users:read" },
  "GET /jobs/{id}/lines": { scope: "users:read" },
  "GET /users/deleted": { scope: "users:read" },
  "GET /users/deleted/{id}": { scope: "users:read", own: "deleted" },
  "DELETE /users/deleted/{id}": { scope: "users:write", own: "deleted" },
  "POST /users/{id}/restore": { scope: "users:write", own: "deleted", writes: { users: "new" } },
  "POST /users/deleted/restore": { scope: "users:write", writes: { users: "new" } },
  "POST /users/bulk/{op}": { scope: "users:write", refused: resetsUsers, writes: { users: "any" } },
  "GET /jobs": { scope: "users:read" },
  "GET /jobs/{id}": { scope: "users:read" },
  "POST /jobs/{id}/cancel": { scope: "users:write" },
  "POST /jobs/{id}/undo": { scope: "users:write" },
  "PUT /users/{id}": { ...user, refused: movesUser, writes: { users: "target" } },
  "PATCH /users/{id}": { ...user, refused: movesUser, writes: { users: "target" } },
  "DELETE /users/{id}": { ...user, writes: { users: "target" } },
  "POST /users/{id}/reset-usage": { ...user, refused: extendsUser, writes: { users: "target" } },
  "POST /users/{id}/renew": { ...user, writes: { users: "target" } },
  "POST /users/{id}/extend": { ...user, refused: extendsUser, writes: { users: "target" } },
  "DELETE /users/{id}/devices": user,
  "DELETE /users/{id}/devices/{hwid}": user,
  "POST /users/{id}/sub/rotate": { ...user, writes: { users: "target" } },
  "POST /users/{id}/connections/close": user,

  "GET /nodes": { scope: "nodes:read" },
  "GET /nodes/{id}": { scope: "nodes:read" },
  "GET /nodes/{id}/usage-refusals": { scope: "nodes:read" },
  "GET /nodes/{id}/health": { scope: "nodes:read" },
  "GET /nodes/{id}/stats": { scope: "nodes:read" },
  "GET /nodes/install/trust": { scope: "nodes:install" },
  "POST /nodes": { ...reader, writes: { nodes: "new" } },
  "PUT /nodes/{id}": {
    ...node,
    also: (call) => (pointsElsewhere(call) || field(call, "linkAddress") !== undefined ? READS : []),
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
  "GET /actors/{kind}/{id}/log": stats,
  "POST /actors/{kind}/{id}/events": {
    scope: "stats:read",
    sensitive: (call) => call.query?.["dryRun"] !== "true",
    refused: (by, call) =>
      call.query?.["dryRun"] === "true" || (by.base === "sudo" && by.scopes.has("admins:write"))
        ? undefined
        : "main admins send events",
    writes: { users: "target", nodes: "target" },
  },
  "POST /actors/{kind}/{id}/resume": { ...admins, sensitive: true, writes: { users: "target", nodes: "target" } },
  "GET /panel/info": stats,
  "POST /restart": { ...own, tiers: MAIN, sensitive: true },

  "GET /webhooks": { scope: "webhooks:read" },
  "GET /webhooks/{id}": { scope: "webhooks:read", own: "webhooks" },
  "POST /webhooks": { scope: "webhooks:write", writes: { webhooks: "new" } },
  "PUT /webhooks/{id}": {
    scope: "webhooks:write",
    own: "webhooks",
    refused: writesWebhook,
    writes: { webhooks: "target" },
  },
  "DELETE /webhooks/{id}": {
    scope: "webhooks:write",
    own: "webhooks",
    refused: writesWebhook,
    writes: { webhooks: "target" },
  },
  "POST /webhooks/{id}/ping": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook },
  "GET /webhooks/{id}/deliveries": { scope: "webhooks:read", own: "webhooks" },
  "GET /webhooks/{id}/deliveries/{delivery}": { scope: "webhooks:read", own: "webhooks" },
  "POST /webhooks/{id}/deliveries/resend": { scope: "webhooks:write", own: "webhooks", refused: writesWebhook },
  "POST /webhooks/{id}/deliveries/{delivery}/resend": {
    scope: "webhooks:write",
    own: "webhooks",
    refused: writesWebhook,
  },
};
