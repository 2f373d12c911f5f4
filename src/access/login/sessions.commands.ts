// What begins and ends sessions. All are parts of a change: they record in the draft that they are given.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { CREDENTIALS_ENDED } from "../../http/index.ts";
import { sessionLifetime } from "../rights/last-use.ts";
import type { AdminRow, RoleRow } from "../records/admin.entity.ts";
import { SessionRows, type SessionRow } from "../records/credential.entity.ts";
import { PendingLoginRows } from "../records/pending-login.entity.ts";
import { roleScopes } from "../rights/reach.ts";

export interface NewSession {
  readonly hash: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly remember: boolean;
  readonly via: SessionRow["via"];
  /** Until when its second factor is fresh, where it presented one. */
  readonly confirmedUntil?: number;
}

/** Begins a session of an account that is locked. */
export function beginSession(
  draft: Draft,
  { id: adminId }: Pick<AdminRow, "id">,
  role: RoleRow,
  given: NewSession,
): SessionRow {
  const row: SessionRow = {
    id: draft.nextId("sessions"),
    confirmedUntil: 0,
    enrolment: "",
    enrolmentBoot: "",
    ...given,
    adminId,
    scopes: [...roleScopes(role)],
    createdAt: draft.time,
    lastSeenAt: draft.time,
    expiresAt: draft.time + sessionLifetime(given.remember),
  };
  draft.insert(SessionRows, row);
  return row;
}

/**
 * Ends all sessions of a locked account except `keep`, and the sign-ins that wait for their second factor.
 */
export function endSessions(draft: Draft, adminId: number, keep = 0): void {
  const kept = keep === 0 ? undefined : draft.find(SessionRows, keep);
  draft.purge(SessionRows, { adminId });
  draft.purge(PendingLoginRows, { adminId });
  if (kept?.adminId === adminId) draft.upsert(SessionRows, { ...kept });
  draft.publish(CREDENTIALS_ENDED, adminId);
}

/** Ends one session. */
export function endSession(draft: Draft, id: number): void {
  draft.delete(SessionRows, id);
  draft.publish(CREDENTIALS_ENDED, id);
}

/** The locks that `endSessions` needs in addition to the account's. */
export function keptSession(keep: number): Lock[] {
  return keep === 0 ? [] : [lock(SessionRows, keep)];
}
