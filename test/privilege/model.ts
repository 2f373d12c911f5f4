// The model of rights: accounts on roles, and the credentials that act as them. Pure; it knows no database and none of
// the panel's code. Each call computes a credential's reach again: what its role, its account's role and its own scopes
// have in common.

import { FEATURES } from "./features.ts";

export type Tier = "sudo" | "admin" | "resale";

export const SCOPES: readonly string[] = [
  ...[
    "users",
    "nodes",
    "tunnels",
    "templates",
    "pool",
    "certificates",
    "settings",
    "backup",
    "security",
    "webhooks",
    "services",
  ].flatMap((thing) => [`${thing}:read`, `${thing}:write`]),
  "nodes:install",
  "stats:read",
  "tools:write",
  "admins:write",
  "tokens:write",
  "license:write",
  "backup:deliver",
  ...FEATURES.flatMap(({ scopes = [] }) => scopes),
];

/** All that a tier can reach; a role narrows it and never widens it. */
export const TIER_SCOPES: Readonly<Record<Tier, ReadonlySet<string>>> = {
  sudo: new Set(SCOPES),
  admin: new Set(SCOPES.filter((scope) => !/^(admins|tokens|license|backup):/.test(scope))),
  resale: new Set(["users:read", "users:write"]),
};

const RANK: Readonly<Record<Tier, number>> = { resale: 0, admin: 1, sudo: 2 };
export const outranks = (one: Tier, other: Tier): boolean => RANK[one] > RANK[other];

export interface Role {
  readonly name: string;
  readonly base: Tier;
  readonly builtin: boolean;
  readonly scopes: readonly string[];
}

export interface Account {
  readonly name: string;
  readonly role: string;
  readonly owner: boolean;
  readonly password: string;
  readonly usersReadOnly: boolean;
  readonly plansOnly: boolean;
  /** A reseller past its date. */
  readonly expired: boolean;
  /** Its TOTP seed while two-factor is on, and the recovery codes that are left. */
  readonly seed: string;
  readonly recovery: readonly string[];
}

export interface Credential {
  readonly label: string;
  readonly account: string;
  readonly via: "session" | "token";
  /** Cookie value or token text. */
  readonly text: string;
  /** A token's own role; a session has its account's. */
  readonly role?: string;
  /**
   * What it was given: a session its role's scopes at sign-in, a token its own; undefined = all that the roles allow.
   */
  readonly scopes?: readonly string[];
  /** Until when (Unix milliseconds) its second factor is fresh. */
  readonly freshUntil: number;
}

/** What a credential can do at a moment. */
export interface Reach {
  readonly via: "session" | "token";
  readonly account: string;
  readonly base: Tier;
  readonly owner: boolean;
  readonly scopes: ReadonlySet<string>;
  readonly readsOnly: boolean;
  readonly expired: boolean;
  readonly plansOnly: boolean;
  readonly twoFactor: boolean;
  readonly freshUntil: number;
}

/** With every `:write` goes its `:read`. */
export function closure(scopes: Iterable<string>): ReadonlySet<string> {
  const known = new Set<string>(SCOPES);
  return new Set(
    [...scopes].flatMap((scope) => [scope, scope.replace(/:write$/, ":read")]).filter((scope) => known.has(scope)),
  );
}

/** Whether everything that is `wanted` is held. */
export const covers = (held: ReadonlySet<string>, wanted: Iterable<string>): boolean =>
  [...closure(wanted)].every((scope) => held.has(scope));

/** The things that rules ask about, by name: who owns a user, who made a webhook, which account a token acts as … */
export interface Thing {
  readonly id: number;
  /** Name of the account that owns or made it; "" = the panel. */
  readonly owner: string;
  /** Only for a webhook: another account that wrote it last; "" = none. */
  readonly editor?: string;
  /**
   * Only for a webhook or an identity provider: what the credentials that wrote it reached; absent = all that their
   * accounts do, or all there is.
   */
  readonly reach?: ReadonlySet<string>;
}

export class Model {
  readonly roles = new Map<string, Role>();
  readonly accounts = new Map<string, Account>();
  readonly credentials = new Map<string, Credential>();
  /** `collection/name` of everything else that has an id; accounts and roles too. */
  readonly things = new Map<string, Thing>();
  /** Addresses of the panel, and of what receives webhooks and answers as identity provider. */
  panel = "";
  receiver = "";
  /** Seeds that sessions were shown and have not confirmed, by label; sign-ins that wait for a code, by account. */
  readonly enrolled = new Map<string, string>();
  readonly pending = new Map<string, string>();
  /** Steps of thirty seconds whose codes were used, by account. */
  readonly usedSteps = new Map<string, Set<number>>();

  constructor() {
    for (const base of ["sudo", "admin", "resale"] as const)
      this.roles.set(base, { name: base, base, builtin: true, scopes: [...TIER_SCOPES[base]] });
  }

  roleScopes(name: string): ReadonlySet<string> {
    const role = this.roles.get(name);
    if (!role) return new Set();
    const granted = closure(role.scopes);
    return new Set([...TIER_SCOPES[role.base]].filter((scope) => granted.has(scope)));
  }

  /** All scopes of an account's role. */
  accountScopes(name: string): ReadonlySet<string> {
    return this.roleScopes(this.accounts.get(name)?.role ?? "");
  }

  tierOf(account: string): Tier | undefined {
    return this.roles.get(this.accounts.get(account)?.role ?? "")?.base;
  }

  /** What a credential reaches now; undefined: it has ended, or never was one. */
  reach(label: string): Reach | undefined {
    const credential = this.credentials.get(label);
    const account = credential && this.accounts.get(credential.account);
    const accountRole = account && this.roles.get(account.role);
    if (!credential || !account || !accountRole) return undefined;
    // A token's role never outranks its account's.
    const own = this.roles.get(credential.role ?? "") ?? accountRole;
    const role = outranks(own.base, accountRole.base) ? accountRole : own;
    const sets = [this.roleScopes(account.role), this.roleScopes(own.name), closure(credential.scopes ?? SCOPES)];
    const reseller = accountRole.base === "resale";
    return {
      via: credential.via,
      account: account.name,
      base: role.base,
      owner: account.owner && credential.via === "session",
      scopes: new Set(SCOPES.filter((scope) => sets.every((set) => set.has(scope)))),
      readsOnly: reseller && account.usersReadOnly,
      expired: reseller && account.expired,
      plansOnly: reseller && account.plansOnly,
      twoFactor: account.seed !== "",
      freshUntil: credential.freshUntil,
    };
  }

  /** Ends a credential. */
  end(label: string): void {
    this.credentials.delete(label);
    this.things.delete(`sessions/${label}`);
    this.things.delete(`tokens/${label}`);
  }

  /** Ends an account's sessions but for one. */
  endSessions(account: string, keep = ""): void {
    for (const { label, via, account: of } of this.credentials.values())
      if (of === account && via === "session" && label !== keep) this.end(label);
    this.pending.delete(account);
  }

  /** The name of a thing by its id. */
  nameOf(collection: string, id: number): string | undefined {
    for (const [key, thing] of this.things)
      if (thing.id === id && key.startsWith(`${collection}/`)) return key.slice(collection.length + 1);
    return undefined;
  }

  names(collection: string): string[] {
    return [...this.things.keys()]
      .filter((key) => key.startsWith(`${collection}/`))
      .map((key) => key.slice(collection.length + 1));
  }
}
