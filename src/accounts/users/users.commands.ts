// What changes users. Each function is part of one commit: the account's row, its counters, its chart's step and the
// events it raises.
import { z } from "zod";
import { defineFact, type Draft } from "../../db/index.ts";
import { type Caller, ownsOnly, Refusal, refuseOutdated } from "../../http/index.ts";
import { changedFields } from "./changed-fields.ts";
import { requireInbounds, requireTemplates } from "../../pool/index.ts";
import { bodyByPlan } from "../plans/plan-terms.ts";
import { planOf } from "../plans/plans.commands.ts";
import { keepDeleted } from "./keep-deleted.ts";
import { enterCredentials, exchangeCredentials, giveBack } from "../credentials/credential-holders.ts";
import type { FreshSecrets } from "../credentials/credentials.ts";
import { claimLink } from "../links/link-holders.ts";
import { SubRequestRows, UserDeviceRows } from "../records/device.entity.ts";
import { countGrowth } from "../growth/growth.ts";
import {
  type Acting,
  admitToOwner,
  changeable,
  differing,
  type Edit,
  momentOf,
  raiseUpdated,
  refuseSold,
  stamped,
  stateOf,
  step,
  type UserState,
  type UserWriter,
  type Writing,
} from "./user-change.ts";
import { movedAt, userEvent } from "./user.actor.ts";
import { UserRows, UserUsageRows, type UserRow } from "../records/user.entity.ts";
import {
  createdFields,
  patchedFields,
  QUOTA_FIELDS,
  replacedFields,
  type UserChangeBody,
  type UserFields,
} from "./user-fields.ts";
import type { UserCreateBody, UserReplaceBody, UserRotationBody } from "./users.schema.ts";

/** The id of an account whose open sessions end: the holders of the nodes' links close them. */
export const SESSIONS_END = defineFact("accounts.sessionsEnd", z.int());

/** The owner of a new account: a reseller's own, whatever the body says. */
function ownerFor(caller: Caller, wanted: number): number {
  return ownsOnly(caller) ? caller.adminId : wanted;
}

/** Creates an account with its counters and its actor. Every refusal comes before the first write. */
export function createUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin, unentered, links }: Writing,
  wanted: UserCreateBody,
  fresh: FreshSecrets,
): UserState {
  const { planId = 0 } = wanted;
  if (ownsOnly(caller)) writer.owners.acts(draft, caller.adminId, { creates: true, sets: undefined, planId });
  const body = planId === 0 ? wanted : bodyByPlan(wanted, planOf(draft, planId), draft.time);
  const fields: UserFields = createdFields(body, fresh, momentOf(draft, writer));
  const adminId = ownerFor(caller, fields.adminId);
  requireTemplates(draft, fields.templateIds, "templateIds");
  requireInbounds(draft, fields.inboundIds ?? [], "inboundIds");
  if (adminId !== 0) writer.owners.admit(draft, adminId, fields, true);
  const id = draft.nextId(UserRows.name);
  const { credentialKeys: keys } = writer;
  if (body.subId !== undefined) claimLink(draft, writer, links, fields.subId, id);
  enterCredentials(draft, keys.of(fields.config), keys.of(body.config), id, unentered);
  draft.insert(UserUsageRows, {
    id,
    adminId,
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
  countGrowth(draft, writer.timeZone(), adminId, "created");
  // Before what the chart's first step raises: an account may be over its date from the beginning.
  writer.supervisor.outbox.raise(draft, userEvent(row, "user.created", { changed: changedFields(undefined, row) }));
  writer.supervisor.create(draft, writer.actor, row, origin);
  return stateOf(draft, id);
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
  body: UserChangeBody,
  view: (state: UserState) => object,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const { version, enable, ...sent } = body;
  refuseOutdated(version, before.row, () => view(before));
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
  refuseSold(draft, writer, acting.caller, patch);
  if (patch.templateIds) requireTemplates(draft, patch.templateIds, "templateIds");
  if (patch.inboundIds) requireInbounds(draft, patch.inboundIds, "inboundIds");
  if (patch.subId !== undefined) claimLink(draft, writer, acting.links, patch.subId, row.id);
  if (patch.config) {
    const { credentialKeys: keys } = writer;
    exchangeCredentials(draft, keys.of(row.config), keys.of(patch.config), row.id, acting.unentered);
  }
  const moves = patch.adminId !== undefined;
  admitToOwner(draft, writer, row, patch);
  if (moves && row.adminId !== 0) writer.owners.left(draft, row.adminId);
  if (moves) {
    countGrowth(draft, writer.timeZone(), row.adminId, "moved", -1);
    countGrowth(draft, writer.timeZone(), fields.adminId, "moved");
  }
  if (Object.keys(patch).length > 0) draft.update(UserRows, row.id, patch);
  const type = stepOf(row, patch, enable);
  const told = type !== undefined && step(draft, writer, row.id, type, acting.origin);
  if (!told) raiseUpdated(draft, writer, row);
  return { before, after: stamped(draft, before), changed: true };
}

/** What an account is given back of what it was. */
export interface Restored {
  readonly fields: Partial<UserFields>;
  readonly subToken: string | undefined;
  /** Undefined: it is left to its limits whether it is on. */
  readonly enable: boolean | undefined;
  /** Added to what was used since. */
  readonly counters: { readonly up: number; readonly down: number } | undefined;
}

/** Gives an account back what it was, under the rules of every edit. */
export function restoreUser(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  id: number,
  { fields, subToken, enable, counters }: Restored,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const { row, usage } = before;
  if (counters) {
    const [up, down] = [usage.up + counters.up, usage.down + counters.down];
    draft.update(UserUsageRows, id, { up, down, movedAt: movedAt(draft), setAt: movedAt(draft) });
  }
  if (subToken !== undefined) {
    claimLink(draft, writer, acting.links, subToken, id);
    draft.update(UserRows, id, { subToken });
  }
  edit(draft, writer, acting, before, { ...row, ...fields }, enable ?? row.enable);
  if (counters) step(draft, writer, id, "edited", acting.origin);
  return { before, after: stamped(draft, before), changed: true };
}

/** The event by which the chart is told of an edit; undefined: it is not told. */
function stepOf(row: Readonly<UserRow>, patch: Partial<UserFields>, enable: boolean): string | undefined {
  if (enable !== row.enable) return enable ? "switchOn" : "switchOff";
  return QUOTA_FIELDS.some((field) => patch[field] !== undefined) ? "edited" : undefined;
}

/** Deletes an account, its counters and its actor; the journal stays, and for some days what brings it back. */
export function deleteUser(draft: Draft, writer: UserWriter, { caller, origin }: Acting, id: number): UserState {
  const before = changeable(draft, writer, caller, id);
  giveBack(draft, writer.credentialKeys.of(before.row.config), id);
  writer.supervisor.outbox.raise(draft, userEvent(before.row, "user.deleted"));
  const row = writer.supervisor.remove(draft, writer.actor, id, origin);
  keepDeleted(draft, writer, row, before.usage, origin);
  draft.delete(UserUsageRows, id);
  draft.delete(UserDeviceRows, id);
  draft.purge(SubRequestRows, { userId: id });
  countGrowth(draft, writer.timeZone(), before.row.adminId, "deleted");
  if (before.row.adminId !== 0) writer.owners.left(draft, before.row.adminId);
  return before;
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
  { credentials = false, closeSessions = false, devices = false }: UserRotationBody,
  { subId, subToken, ...secrets }: FreshSecrets,
): Edit {
  const before = changeable(draft, writer, acting.caller, id);
  const { row } = before;
  // Those for one protocol alone were handed out too: they end with the others.
  const { by: _, ...common } = row.config;
  const config = credentials ? { ...common, ...secrets } : row.config;
  const { credentialKeys: keys } = writer;
  if (credentials) exchangeCredentials(draft, keys.of(row.config), keys.of(config), id, acting.unentered);
  draft.update(UserRows, id, { subId, subToken, config });
  raiseUpdated(draft, writer, row);
  if (closeSessions) draft.publish(SESSIONS_END, id);
  if (devices) draft.delete(UserDeviceRows, id);
  return { before, after: stamped(draft, before), changed: true };
}
