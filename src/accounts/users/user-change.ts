// A change of one account, as every command makes it: who acts on what, the account as it is in the draft, its chart's
// step, its version.
import { isDeepStrictEqual } from "node:util";
import type { Draft } from "../../db/index.ts";
import { type Caller, notFound, ownsOnly, visibleTo } from "../../http/index.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Supervisor } from "../../runtime/index.ts";
import { changedFields } from "./changed-fields.ts";
import type { CredentialKeys } from "../credentials/credential-keys.ts";
import { NO_LINKS, type LinkHolders } from "../links/link-holders.ts";
import type { Deed, Owners } from "../resellers/owners.ts";
import { updatedEvent, type UserActor } from "./user.actor.ts";
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "../records/user.entity.ts";
import { PLAN_FIELDS, type UserFields, type WriteMoment } from "./user-fields.ts";

/** An account with its counters. */
export interface UserState {
  readonly row: Readonly<UserRow>;
  readonly usage: Readonly<UserUsageRow>;
}

/** What every command needs. */
export interface UserWriter {
  readonly supervisor: Supervisor;
  readonly actor: UserActor;
  readonly owners: Owners;
  readonly credentialKeys: CredentialKeys;
  /** The panel's time zone, empty = the host's. */
  readonly timeZone: () => string;
  /** Days for which deleted accounts can come back; 0 = they cannot. */
  readonly keptDays: () => number;
}

/** The caller that acts, and how it acts. */
export interface Acting {
  readonly caller: Caller;
  readonly origin: Origin;
}

/** The caller that writes fields of an account, and what is known of the secrets that the change chooses. */
export interface Writing extends Acting {
  /** Ids of credentials that accounts hold which are not entered yet (`credential-entry.ts`). */
  readonly unentered: ReadonlySet<string>;
  /** Accounts that have the links that the change chooses, or had them lately. */
  readonly links: LinkHolders;
}

/** What is known of the secrets that a change chooses, where it chooses none. */
export const NONE_CHOSEN: Omit<Writing, keyof Acting> = { unentered: new Set(), links: NO_LINKS };

/**
 * An account that the caller may change, with its counters; 404 for one that it may not see, 403 for a reseller that
 * may only look or names a plan of others.
 */
export function changeable(
  draft: Draft,
  writer: UserWriter,
  caller: Caller,
  id: number,
  { planId = 0, sets }: Partial<Deed> = {},
): UserState {
  const usage = draft.find(UserUsageRows, id);
  const row = changeableRow(draft, writer, caller, id, { planId, sets });
  if (!usage) notFound("user", id);
  return { row, usage };
}

/** The same without its counters. */
export function changeableRow(
  draft: Draft,
  writer: UserWriter,
  caller: Caller,
  id: number,
  { planId = 0, sets }: Partial<Deed> = {},
): Readonly<UserRow> {
  const row = draft.find(UserRows, id);
  if (!row || !visibleTo(caller, row.adminId)) notFound("user", id);
  if (ownsOnly(caller)) writer.owners.acts(draft, caller.adminId, { creates: false, sets, planId });
  return row;
}

/**
 * What an edit of an account's fields is held to whoever owns the account: 403 for a reseller that sells plans only,
 * and for what the owner's role caps.
 */
export function admitPatch(
  draft: Draft,
  writer: UserWriter,
  caller: Caller,
  row: Readonly<UserRow>,
  patch: Partial<UserFields>,
): void {
  refuseSold(draft, writer, caller, patch);
  admitToOwner(draft, writer, row, patch);
}

/** Throws 403 for what plans say, from a reseller that sells plans only. */
export function refuseSold(draft: Draft, { owners }: UserWriter, caller: Caller, patch: Partial<UserFields>): void {
  if (!ownsOnly(caller)) return;
  const sets = PLAN_FIELDS.find((field) => patch[field] !== undefined);
  if (sets === undefined) return;
  owners.acts(draft, caller.adminId, { creates: false, sets: sets === "term" ? "termDays" : sets, planId: 0 });
}

const OWNER_FIELDS = [
  "adminId",
  "deviceLimit",
  "duration",
  "activatedAt",
  "expiry",
] as const satisfies readonly (keyof UserFields)[];

/** An edit that leaves the owner is held to the owner's rules too: it may raise what the role caps. */
export function admitToOwner(
  draft: Draft,
  { owners }: UserWriter,
  row: Readonly<UserRow>,
  patch: Partial<UserFields>,
): void {
  const { adminId = row.adminId } = patch;
  if (adminId !== 0 && OWNER_FIELDS.some((field) => patch[field] !== undefined))
    owners.admit(draft, adminId, { ...row, ...patch }, patch.adminId !== undefined);
}

/** When, and on what counters, fields are written. */
export function momentOf(draft: Draft, { timeZone }: UserWriter, usage?: Readonly<UserUsageRow>): WriteMoment {
  return { now: draft.time, timeZone: timeZone(), total: usage ? usage.totalUp + usage.totalDown : 0 };
}

/** The account as this change has it so far. */
export function stateOf(draft: Draft, id: number): UserState {
  const row = draft.find(UserRows, id);
  const usage = draft.find(UserUsageRows, id);
  if (!row || !usage) throw new Error(`user ${id} is not in its own change`);
  return { row, usage };
}

/** What an edit did. */
export interface Edit {
  readonly before: UserState;
  readonly after: UserState;
  /** False: every field had its value already, and nothing was written. */
  readonly changed: boolean;
}

/**
 * Raises the event of an update that the chart was not told of, or did not take. The chart's own steps raise events by
 * themselves.
 */
export function raiseUpdated(draft: Draft, { supervisor }: UserWriter, before: Readonly<UserRow>): void {
  const { row } = stateOf(draft, before.id);
  const raised = updatedEvent(row, changedFields(before, row));
  if (raised) supervisor.outbox.raise(draft, raised);
}

/** The fields that an account does not have as they are. */
export function differing(row: Readonly<UserRow>, fields: Partial<UserFields>): Partial<UserFields> {
  const stored: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(stored[field], value)),
  );
}

/** Whether the chart took it. */
export function step(
  draft: Draft,
  { supervisor, actor }: UserWriter,
  id: number,
  type: string,
  origin: Origin,
): boolean {
  return supervisor.step(draft, actor, id, { type }, origin).handled;
}

/** Moves the version forward by this write, unless the chart did already. */
export function stamped(draft: Draft, before: UserState): UserState {
  const { id, updatedAt } = before.row;
  const after = stateOf(draft, id);
  if (after.row.updatedAt !== updatedAt) return after;
  draft.touch(UserRows, id);
  return stateOf(draft, id);
}
