// What changes users. Each function is part of one commit: the account's row, its counters, its chart's step and the
// events it raises.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { defineFact, type Draft } from "../db/index.ts";
import { type Caller, invalid, notFound, ownsOnly, Refusal, rule, visibleTo } from "../http/index.ts";
import type { Origin } from "../lib/origin.ts";
import { requireTemplates } from "../pool/index.ts";
import type { Supervisor } from "../runtime/index.ts";
import { changedFields } from "./changed-fields.ts";
import { enterCredentials, exchangeCredentials, giveBack } from "./credential-holders.ts";
import type { CredentialKeys } from "./credential-keys.ts";
import type { FreshSecrets } from "./credentials.ts";
import type { Deed, Owners } from "./owners.ts";
import { movedAt, resetCounters, updatedEvent, userEvent, type UserActor } from "./user.actor.ts";
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "./user.entity.ts";
import {
  createdFields,
  patchedFields,
  PLAN_FIELDS,
  QUOTA_FIELDS,
  replacedFields,
  type UserFields,
  type WriteMoment,
} from "./user-fields.ts";
import type {
  UserCreateBody,
  UserExtensionBody,
  UserPatchBody,
  UserRenewalBody,
  UserReplaceBody,
  UserRotationBody,
} from "./users.schema.ts";

/** The id of an account whose open sessions end: the holders of the nodes' links close them. */
export const SESSIONS_END = defineFact("accounts.sessionsEnd", z.int());

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
}

/** Who acts. */
export interface Acting {
  readonly caller: Caller;
  readonly origin: Origin;
}

/** Who writes fields of an account. */
export interface Writing extends Acting {
  /** Ids of credentials that accounts hold which are not entered yet (`credential-entry.ts`). */
  readonly unentered: ReadonlySet<string>;
}

/**
 * An account that the caller may change, with its counters; 404 for one that it may not see, 403 for a reseller that
 * may only look or names a plan of others.
 */
function changeable(
  draft: Draft,
  writer: UserWriter,
  caller: Caller,
  id: number,
  { planId = 0, sets }: Partial<Deed> = {},
): UserState {
  const state = findUser(draft, caller, id);
  if (ownsOnly(caller)) writer.owners.acts(draft, caller.adminId, { creates: false, sets, planId });
  return state;
}

/** An account that the caller may see, with its counters; 404 else. */
function findUser(draft: Draft, caller: Caller, id: number): UserState {
  const row = draft.find(UserRows, id);
  const usage = draft.find(UserUsageRows, id);
  if (!row || !usage || !visibleTo(caller, row.adminId)) notFound("user", id);
  return { row, usage };
}

function momentOf(draft: Draft, { timeZone }: UserWriter, usage?: Readonly<UserUsageRow>): WriteMoment {
  return { now: draft.time, timeZone: timeZone(), total: usage ? usage.totalUp + usage.totalDown : 0 };
}

function stateOf(draft: Draft, id: number): UserState {
  const row = draft.find(UserRows, id);
  const usage = draft.find(UserUsageRows, id);
  if (!row || !usage) throw new Error(`user ${id} is not in its own change`);
  return { row, usage };
}

/** The owner of a new account: a reseller's own, whatever the body says. */
function ownerFor(caller: Caller, wanted: number): number {
  return ownsOnly(caller) ? caller.adminId : wanted;
}

/** Creates an account with its counters and its actor. Every refusal comes before the first write. */
export function createUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin, unentered }: Writing,
  body: UserCreateBody,
  fresh: FreshSecrets,
): UserState {
  const { planId = 0 } = body;
  if (ownsOnly(caller)) writer.owners.acts(draft, caller.adminId, { creates: true, sets: undefined, planId });
  if (planId !== 0) invalid("planId", rule("absent", "plan", planId));
  const fields: UserFields = createdFields(body, fresh, momentOf(draft, writer));
  const adminId = ownerFor(caller, fields.adminId);
  requireTemplates(draft, fields.templateIds, "templateIds");
  if (adminId !== 0) writer.owners.admit(draft, adminId, fields, true);
  const id = draft.nextId(UserRows.name);
  const { credentialKeys: keys } = writer;
  enterCredentials(draft, keys.of(fields.config), keys.of(body.config), id, unentered);
  draft.insert(UserUsageRows, {
    id,
    up: 0,
    down: 0,
    totalUp: 0,
    totalDown: 0,
    upRest: 0,
    downRest: 0,
    onlineAt: 0,
    lastInboundId: 0,
    wakeAt: null,
    movedAt: movedAt(draft),
    setAt: movedAt(draft),
  });
  const row = {
    ...fields,
    id,
    adminId,
    enable: body.enable ?? true,
    disabledReason: "",
    subToken: fresh.subToken,
    subFetchedAt: 0,
    subSeenAt: 0,
    subClient: "",
    subFetchIp: "",
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  // Before what the chart's first step raises: an account may be over its date from the beginning.
  writer.supervisor.outbox.raise(draft, userEvent(row, "user.created", { changed: changedFields(undefined, row) }));
  writer.supervisor.create(draft, writer.actor, row, origin);
  return stateOf(draft, id);
}

/** What an edit did. */
export interface Edit {
  readonly before: UserState;
  readonly after: UserState;
  /** False: every field had its value already, and nothing was written. */
  readonly changed: boolean;
}

/** A PUT: a full replace. An account that the panel switched off and that comes back as off stays as it is. */
export function replaceUser(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  id: number,
  body: UserReplaceBody,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const fields = replacedFields(before.row, body, momentOf(draft, writer, before.usage));
  return edit(draft, writer, acting, before, fields, body.enable ?? false);
}

/**
 * A PATCH: exactly the fields sent. 409 `version_conflict` when the account moved on from the version that the caller
 * read.
 */
export function patchUser(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  id: number,
  body: UserPatchBody,
  view: (state: UserState) => object,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const { version, enable, ...sent } = body;
  if (version !== undefined && version !== before.row.updatedAt) {
    throw new Refusal("version_conflict", { extra: { current: view(before) } });
  }
  const fields = patchedFields(before.row, sent, momentOf(draft, writer, before.usage));
  return edit(draft, writer, acting, before, fields, enable ?? before.row.enable);
}

function edit(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  before: UserState,
  fields: UserFields,
  enable: boolean,
): Edit {
  const { row } = before;
  const patch = differing(row, fields);
  if (Object.keys(patch).length === 0 && enable === row.enable) return { before, after: before, changed: false };
  if (patch.adminId !== undefined && ownsOnly(acting.caller))
    throw new Refusal("forbidden", { message: "a reseller's accounts stay its own", field: "adminId" });
  const sets = PLAN_FIELDS.find((field) => patch[field] !== undefined);
  if (sets !== undefined && ownsOnly(acting.caller))
    writer.owners.acts(draft, acting.caller.adminId, { creates: false, sets, planId: 0 });
  if (patch.templateIds) requireTemplates(draft, patch.templateIds, "templateIds");
  if (patch.config) {
    const { credentialKeys: keys } = writer;
    exchangeCredentials(draft, keys.of(row.config), keys.of(patch.config), row.id, acting.unentered);
  }
  const moves = patch.adminId !== undefined;
  // An edit that leaves the owner is held to the owner's rules too: it may raise what the role caps.
  if (fields.adminId !== 0 && OWNER_FIELDS.some((field) => patch[field] !== undefined))
    writer.owners.admit(draft, fields.adminId, fields, moves);
  if (moves && row.adminId !== 0) writer.owners.left(draft, row.adminId);
  if (Object.keys(patch).length > 0) draft.update(UserRows, row.id, patch);
  const type = stepOf(row, patch, enable);
  const told = type !== undefined && step(draft, writer, row.id, type, acting.origin);
  if (!told) raiseUpdated(draft, writer, row);
  return { before, after: stamped(draft, before), changed: true };
}

/** What of an edit the chart is told. */
function stepOf(row: Readonly<UserRow>, patch: Partial<UserFields>, enable: boolean): string | undefined {
  if (enable !== row.enable) return enable ? "switchOn" : "switchOff";
  return QUOTA_FIELDS.some((field) => patch[field] !== undefined) ? "edited" : undefined;
}

/** Of a change that the chart was not told of, or did not take: its own steps tell by themselves. */
function raiseUpdated(draft: Draft, { supervisor }: UserWriter, before: Readonly<UserRow>): void {
  const { row } = stateOf(draft, before.id);
  const raised = updatedEvent(row, changedFields(before, row));
  if (raised) supervisor.outbox.raise(draft, raised);
}

const OWNER_FIELDS = ["adminId", "deviceLimit", "duration", "expiry"] as const satisfies readonly (keyof UserFields)[];

function differing(row: Readonly<UserRow>, fields: Partial<UserFields>): Partial<UserFields> {
  const stored: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(stored[field], value)),
  );
}

/** Whether the chart took it. */
function step(draft: Draft, { supervisor, actor }: UserWriter, id: number, type: string, origin: Origin): boolean {
  return supervisor.step(draft, actor, id, { type }, origin).handled;
}

/** Moves the version forward by this write, unless the chart did already. */
function stamped(draft: Draft, before: UserState): UserState {
  const { id, updatedAt } = before.row;
  const after = stateOf(draft, id);
  if (after.row.updatedAt !== updatedAt) return after;
  draft.touch(UserRows, id);
  return stateOf(draft, id);
}

/** Deletes an account, its counters and its actor; the journal stays. */
export function deleteUser(draft: Draft, writer: UserWriter, { caller, origin }: Acting, id: number): UserState {
  const before = changeable(draft, writer, caller, id);
  giveBack(draft, writer.credentialKeys.of(before.row.config), id);
  writer.supervisor.outbox.raise(draft, userEvent(before.row, "user.deleted"));
  writer.supervisor.remove(draft, writer.actor, id, origin);
  draft.delete(UserUsageRows, id);
  if (before.row.adminId !== 0) writer.owners.left(draft, before.row.adminId);
  return before;
}

/** Counters to zero, totals kept; brings back an account that was over its volume. */
export function resetUserUsage(draft: Draft, writer: UserWriter, { caller, origin }: Acting, id: number): Edit {
  const before = changeable(draft, writer, caller, id);
  resetCounters(draft, id);
  step(draft, writer, id, "usageReset", origin);
  return { before, after: stamped(draft, before), changed: true };
}

/**
 * A new term on the account's own limits: its length is added to the later of now and the current date, counters go to
 * zero, and it comes back on unless a person switched it off. An account that has not started gets a longer term, and
 * keeps waiting for its first connection. `until`: the new end, in place of a term.
 */
export function renewUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin }: Acting,
  id: number,
  { expiry: until, planId = 0 }: UserRenewalBody = {},
): Edit {
  const before = changeable(draft, writer, caller, id, { planId, sets: until === undefined ? undefined : "expiry" });
  if (planId !== 0) invalid("planId", rule("absent", "plan", planId));
  if (until !== undefined) return renewUntil(draft, writer, { caller, origin }, before, until);
  const { adminId, duration, expiry, term, volume } = before.row;
  if (duration === 0 && expiry === 0 && volume === 0) nothingToRenew("the account has neither an end nor a volume");
  const longer = (from: number) => Math.min(from + term, Number.MAX_SAFE_INTEGER);
  if (!isStarted(before.row)) {
    const patch = { duration: longer(duration) };
    if (adminId !== 0) writer.owners.admit(draft, adminId, { ...before.row, ...patch }, false);
    draft.update(UserRows, id, patch);
  } else if (duration > 0 || expiry > 0) {
    if (term === 0) nothingToRenew("the account has no term to renew by: set its expiry, or name a plan");
    const patch = { expiry: longer(Math.max(draft.time, expiry)) };
    if (adminId !== 0) writer.owners.admit(draft, adminId, { ...before.row, ...patch, duration: 0 }, false);
    draft.update(UserRows, id, patch);
  }
  resetCounters(draft, id);
  step(draft, writer, id, "renewed", origin);
  return { before, after: stamped(draft, before), changed: true };
}

function nothingToRenew(message: string): never {
  throw new Refusal("conflict", { code: "nothing_to_renew", message });
}

/** The same to a date that was chosen: held to what an edit of the date is held to. */
function renewUntil(draft: Draft, writer: UserWriter, { origin }: Acting, before: UserState, until: number): Edit {
  const { row } = before;
  if (!isStarted(row)) invalid("expiry", rule("not_started"));
  if (until <= draft.time) invalid("expiry", rule("in_past"));
  const fields = patchedFields(row, { expiry: until }, momentOf(draft, writer, before.usage));
  // The date is what was asked for, also of a plan that began with its first use.
  if (row.adminId !== 0) writer.owners.admit(draft, row.adminId, { ...fields, duration: 0 }, false);
  resetCounters(draft, row.id);
  draft.update(UserRows, row.id, differing(row, fields));
  step(draft, writer, row.id, "renewed", origin);
  return { before, after: stamped(draft, before), changed: true };
}

/**
 * Adds to what an account has, whatever somebody else wrote meanwhile: to a volume that is limited, and to the later of
 * now and the date, or to the length of a plan that has not started. One that the panel switched off comes back where
 * that is enough. Nothing added is no change.
 */
export function extendUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin }: Acting,
  id: number,
  { bytes = 0, seconds }: UserExtensionBody,
): Edit {
  const before = changeable(draft, writer, caller, id, { sets: seconds === undefined ? "bytes" : "seconds" });
  const { row } = before;
  const longer = seconds === undefined ? {} : extendedTerm(row, seconds, draft.time);
  const larger = row.volume > 0 ? { volume: Math.min(row.volume + bytes, Number.MAX_SAFE_INTEGER) } : {};
  const fields = { ...row, ...longer, ...larger };
  const patch = differing(row, { ...longer, ...larger });
  if (Object.keys(patch).length === 0) return { before, after: before, changed: false };
  if (row.adminId !== 0 && seconds !== undefined && seconds > 0)
    writer.owners.admit(draft, row.adminId, isStarted(row) ? { ...fields, duration: 0 } : fields, false);
  draft.update(UserRows, id, patch);
  step(draft, writer, id, "extended", origin);
  return { before, after: stamped(draft, before), changed: true };
}

/**
 * A new link, so that what was handed out stops working; with `credentials` a new uuid, password and keys too. `fresh`
 * is drawn before the change is decided. With `closeSessions` the nodes are told to end what is open, after they have
 * the new credentials.
 */
export function rotateUser(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  id: number,
  { credentials = false, closeSessions = false }: UserRotationBody,
  { subId, subToken, ...secrets }: FreshSecrets,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const { row } = before;
  const config = credentials ? { ...row.config, ...secrets } : row.config;
  const { credentialKeys: keys } = writer;
  if (credentials) exchangeCredentials(draft, keys.of(row.config), keys.of(config), id, acting.unentered);
  draft.update(UserRows, id, { subId, subToken, config });
  raiseUpdated(draft, writer, row);
  if (closeSessions) draft.publish(SESSIONS_END, id);
  return { before, after: stamped(draft, before), changed: true };
}

function isStarted({ duration, activatedAt }: Pick<UserRow, "duration" | "activatedAt">): boolean {
  return duration === 0 || activatedAt > 0;
}

/** The end of an account `seconds` later; what has no end cannot have a later one. */
function extendedTerm(row: Readonly<UserRow>, seconds: number, now: number): Partial<UserFields> {
  const later = (from: number) => Math.min(from + seconds, Number.MAX_SAFE_INTEGER);
  if (!isStarted(row)) return { duration: later(row.duration) };
  if (row.expiry === 0)
    throw new Refusal("conflict", { code: "nothing_to_extend", message: "the account has no end to extend" });
  // Nothing added leaves a date that has passed as it is.
  return seconds === 0 ? {} : { expiry: later(Math.max(now, row.expiry)) };
}
