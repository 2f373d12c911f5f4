// The caller of long work, when its request is over: the account that started the work, with the rights that it has at
// this moment (rule jobs.own.2). Rows are locked until the commit, so that nothing is done with rights that end
// meanwhile.
import { lock, type Draft, type Lock, type Reader } from "../../db/index.ts";
import type { Admittance } from "../../feature/index.ts";
import type { Caller } from "../../http/index.ts";
import { AdminRows, RoleRows } from "../records/admin.entity.ts";
import { ApiTokenRows } from "../records/credential.entity.ts";
import { isExpired, roleScopes, tokenCaller } from "./reach.ts";

/** The starter of something: an account, and its token where one was used. If a session ends, its account goes on. */
export interface Starter {
  readonly adminId: number;
  /** 0: no token. */
  readonly tokenId: number;
}

/** The rows that `standingOf` looks at. */
export async function standingLocks(reads: Reader, { adminId, tokenId }: Starter): Promise<Lock[]> {
  const [admin, token] = await Promise.all([
    reads.find(AdminRows, adminId),
    tokenId === 0 ? undefined : reads.find(ApiTokenRows, tokenId),
  ]);
  return [
    lock(AdminRows, adminId, "read"),
    ...(tokenId === 0 ? [] : [lock(ApiTokenRows, tokenId, "read")]),
    ...[admin?.roleId, token?.roleId].flatMap((id) => (id === undefined ? [] : [lock(RoleRows, id, "read")])),
  ];
}

/** The caller that a starter is now; undefined where its account, its role or its token is gone. */
export function standingOf(draft: Draft, { adminId, tokenId }: Starter): Caller | undefined {
  const admin = draft.find(AdminRows, adminId, "read");
  const role = admin && draft.find(RoleRows, admin.roleId, "read");
  if (!admin || !role) return undefined;
  if (tokenId !== 0) {
    const token = draft.find(ApiTokenRows, tokenId, "read");
    const lent = token && draft.find(RoleRows, token.roleId, "read");
    return token && lent && tokenCaller(token, admin, { admin: role, token: lent }, draft.time);
  }
  return {
    via: "session",
    adminId,
    username: admin.username,
    role: role.name,
    base: role.base,
    owner: admin.owner,
    scopes: roleScopes(role),
    sessionId: 0,
    tokenId: 0,
    rateLimit: 0,
    twoFactor: admin.twoFactorAt > 0,
    confirmedUntil: 0,
    expired: isExpired(admin, role.base, draft.time),
    usersReadOnly: role.base === "resale" && admin.usersReadOnly,
  };
}

/** Whether an account is a main admin's, as far as is known. */
export async function isMainAdmin(reads: Reader, adminId: number): Promise<boolean> {
  const admin = await reads.find(AdminRows, adminId);
  const role = admin && (await reads.find(RoleRows, admin.roleId));
  return role?.base === "sudo";
}

/** The owners who can sign in, by password or by a linked identity. A panel without one is nobody's. */
export const ownersWhoSignIn: Admittance = {
  text: `select a.id from admins a join roles r on r.id = a.role_id
    where a.owner and r.base = 'sudo' and (a.password_hash <> '' or exists
      (select 1 from oidc_links l join oidc_providers p on p.id = l.provider_id where l.admin_id = a.id and p.enabled))`,
  tables: ["admins", "roles", "oidc_links", "oidc_providers"],
};
