// The caller that a request acts as, as every route sees it.
import type { Origin } from "../lib/origin.ts";
import { coversScopes, type Scope } from "./scopes.ts";

/** The three tiers; a custom role narrows one and never widens it. */
export type Tier = "sudo" | "admin" | "resale";
export const TIERS = ["sudo", "admin", "resale"] as const satisfies readonly Tier[];

/**
 * An authenticated caller: the live account behind a session cookie or an API token, already narrowed to what this
 * credential reaches.
 */
export interface Caller {
  readonly via: "session" | "token";
  readonly adminId: number;
  readonly username: string;
  /** Name of the role; a token's own where it has one. */
  readonly role: string;
  readonly base: Tier;
  /** The panel's owner; never true for a token. */
  readonly owner: boolean;
  /** What this credential reaches: the role's scopes, narrowed by the session's or the token's. */
  readonly scopes: ReadonlySet<Scope>;
  /** 0 where it is no session. */
  readonly sessionId: number;
  /** 0 where it is no token. */
  readonly tokenId: number;
  /** Requests per minute of a token; 0 = unlimited (sessions). */
  readonly rateLimit: number;
  /** The account has two-factor switched on. */
  readonly twoFactor: boolean;
  /** Unix seconds until which this session's second factor is fresh; 0 = never presented. */
  readonly confirmedUntil: number;
  /** A reseller past its expiry: reads only. */
  readonly expired: boolean;
  /** A reseller that may look at its users but not change them. */
  readonly usersReadOnly?: boolean;
}

/**
 * Whether two looks at one credential find the same rights. What is fresh for minutes only (a second factor) and
 * budgets are none.
 */
export function sameReach(one: Caller, other: Caller): boolean {
  const sameScopes =
    one.scopes === other.scopes ||
    (one.scopes.size === other.scopes.size && coversScopes(one.scopes, [...other.scopes]));
  return sameScopes && RIGHTS.every((right) => one[right] === other[right]);
}

const RIGHTS = [
  "adminId",
  "sessionId",
  "tokenId",
  "base",
  "owner",
  "expired",
  "usersReadOnly",
] as const satisfies readonly (keyof Caller)[];

/** The origin that a caller's changes carry. */
export function originOf(caller: Caller, ip: string): Origin {
  return { via: caller.via, actor: caller.username, adminId: caller.adminId, tokenId: caller.tokenId, ip };
}

/** The key under which idempotency keys are bound: the token, or the admin for all its sessions. */
export function callerKey(caller: Caller): string {
  return caller.via === "token" ? `token:${caller.tokenId}` : `admin:${caller.adminId}`;
}
