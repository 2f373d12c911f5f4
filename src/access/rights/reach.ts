// What a credential reaches: pure rules over the live rows of its account, role and token (rule admins.token.3).
import { coversScopes, scopeClosure, SCOPES, type Caller, type Scope, type Tier } from "../../http/index.ts";
import { sessionLifetime } from "./last-use.ts";
import type { AdminRow, RoleRow } from "../records/admin.entity.ts";
import type { ApiTokenRow, SessionRow } from "../records/credential.entity.ts";

const OWN_ADMINISTRATION: ReadonlySet<Scope> = new Set(["admins:write", "tokens:write", "license:write"]);

/** All that a tier can reach; a role narrows it and never widens it. */
export const TIER_SCOPES: Readonly<Record<Tier, ReadonlySet<Scope>>> = {
  sudo: new Set(SCOPES),
  admin: new Set(SCOPES.filter((scope) => !OWN_ADMINISTRATION.has(scope) && !scope.startsWith("backup:"))),
  resale: new Set<Scope>(["users:read", "users:write"]),
};

const RANK: Readonly<Record<Tier, number>> = { resale: 0, admin: 1, sudo: 2 };

export function outranks(one: Tier, other: Tier): boolean {
  return RANK[one] > RANK[other];
}

function intersection(one: ReadonlySet<Scope>, other: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...one].filter((scope) => other.has(scope)));
}

/** The scopes of a role. Built-in ones follow the tier, also when a later version adds scopes. */
export function roleScopes(role: Pick<RoleRow, "base" | "builtin" | "scopes">): ReadonlySet<Scope> {
  return role.builtin ? TIER_SCOPES[role.base] : intersection(scopeClosure(role.scopes), TIER_SCOPES[role.base]);
}

type Credential = SessionRow | ApiTokenRow;
type Lent = Pick<RoleRow, "base" | "builtin" | "scopes">;

/**
 * What credentials came to under their roles. The directory hands the same rows out until one of them changes, so most
 * requests find theirs here.
 */
const narrowed = new WeakMap<Credential, { readonly roles: readonly Lent[]; readonly scopes: ReadonlySet<Scope> }>();

/** A credential's scopes under all of `roles`. `own`: what it was given; undefined = as much as they allow. */
function narrowedScopes(
  credential: Credential,
  roles: readonly Lent[],
  own: readonly string[] | undefined,
): ReadonlySet<Scope> {
  const known = narrowed.get(credential);
  if (known && known.roles.every((role, index) => role === roles[index])) return known.scopes;
  const allowed = roles.map(roleScopes).reduce(intersection);
  const scopes = own === undefined ? allowed : intersection(scopeClosure(own), allowed);
  narrowed.set(credential, { roles, scopes });
  return scopes;
}

/** What a token reaches under its own role and its account's. */
export function tokenScopes(token: ApiTokenRow, roles: readonly Lent[]): ReadonlySet<Scope> {
  return narrowedScopes(token, roles, token.scopes.length === 0 ? undefined : token.scopes);
}

/** Whether a caller holds every scope of a role. */
export function coversRole(
  caller: Pick<Caller, "scopes">,
  role: Pick<RoleRow, "base" | "builtin" | "scopes">,
): boolean {
  return coversScopes(caller.scopes, roleScopes(role));
}

const DEFAULT_RATE = 120;

/** Seconds that a presented second factor opens the sensitive routes for (rule access.confirm.1). */
export const SECOND_FACTOR_FRESH = 600;

/** Whether a reseller is past its date. */
export function isExpired(admin: AdminRow, base: Tier, time: number): boolean {
  return base === "resale" && admin.expiry > 0 && admin.expiry <= time;
}

/**
 * Until when a session's second factor is fresh. One that was presented before two-factor was switched on (again)
 * counts for nothing (rule access.confirm.3).
 */
function freshUntil({ confirmedUntil }: SessionRow, { twoFactorAt }: AdminRow): number {
  return twoFactorAt > 0 && confirmedUntil - SECOND_FACTOR_FRESH >= twoFactorAt ? confirmedUntil : 0;
}

/**
 * The caller behind a session; undefined once it has ended. `time`, `lastSeen`: Unix seconds; a use that is not written
 * yet keeps it alive too.
 */
export function sessionCaller(
  session: SessionRow,
  admin: AdminRow,
  role: RoleRow,
  time: number,
  lastSeen = session.lastSeenAt,
): Caller | undefined {
  if (lastSeen + sessionLifetime(session.remember) <= time) return undefined;
  return {
    via: "session",
    adminId: admin.id,
    username: admin.username,
    role: role.name,
    base: role.base,
    owner: admin.owner,
    scopes: narrowedScopes(session, [role], session.scopes),
    sessionId: session.id,
    tokenId: 0,
    rateLimit: 0,
    twoFactor: admin.twoFactorAt > 0,
    confirmedUntil: freshUntil(session, admin),
    expired: isExpired(admin, role.base, time),
    usersReadOnly: role.base === "resale" && admin.usersReadOnly,
  };
}

/**
 * The caller behind an API token: it acts as its admin, its role never outranks that admin's, and its scopes narrow
 * both roles'. Undefined once it has expired.
 */
export function tokenCaller(
  token: ApiTokenRow,
  admin: AdminRow,
  roles: { readonly admin: RoleRow; readonly token: RoleRow },
  time: number,
): Caller | undefined {
  if (token.expiry > 0 && token.expiry <= time) return undefined;
  const demoted = outranks(roles.token.base, roles.admin.base);
  const role = demoted ? roles.admin : roles.token;
  return {
    via: "token",
    adminId: admin.id,
    username: admin.username,
    role: role.name,
    base: role.base,
    owner: false,
    scopes: tokenScopes(token, [roles.token, roles.admin]),
    sessionId: 0,
    tokenId: token.id,
    rateLimit: token.rateLimit === 0 ? DEFAULT_RATE : token.rateLimit,
    twoFactor: admin.twoFactorAt > 0,
    confirmedUntil: 0,
    expired: isExpired(admin, roles.admin.base, time),
    usersReadOnly: roles.admin.base === "resale" && admin.usersReadOnly,
  };
}
