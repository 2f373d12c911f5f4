// Brings back accounts that were deleted, and forgets them. Each function is part of one commit.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { notFound, ownsOnly, Refusal, visibleTo } from "../../http/index.ts";
import { added } from "../../lib/exact.ts";
import { InboundRows, TemplateRows } from "../../pool/index.ts";
import { changedFields } from "../users/changed-fields.ts";
import { enterCredentials } from "../credentials/credential-holders.ts";
import { claimLink } from "../links/link-holders.ts";
import type { FreshSecrets } from "../credentials/credentials.ts";
import { UserDeviceRows } from "../records/device.entity.ts";
import { countGrowth } from "../growth/growth.ts";
import { stateOf, step, type Acting, type UserState, type UserWriter, type Writing } from "../users/user-change.ts";
import { DAY_SECONDS } from "../users/keep-deleted.ts";
import { movedAt, userEvent } from "../users/user.actor.ts";
import {
  DeletedUsageRows,
  UserRows,
  UserUsageRows,
  type UserCredentials,
  type UserRow,
  type UserUsageRow,
} from "../records/user.entity.ts";
import { DeletedUserRows, type DeletedUserRow } from "../records/deleted-user.entity.ts";
import type { UserRestorationBody } from "./deleted.schema.ts";
import { rowsOf } from "./kept-account.ts";

const MILLION = 1_000_000;

/** The rows that a restoration looks at. */
export const restorationLocks = (id: number): Lock[] => [
  lock(DeletedUserRows, id),
  lock(DeletedUsageRows, id),
  lock(UserRows, id),
];

/** A kept account that the caller may bring back or forget; 404 else. */
function kept(draft: Draft, writer: UserWriter, { caller }: Acting, id: number): Readonly<DeletedUserRow> {
  const row = draft.find(DeletedUserRows, id);
  if (!row || !visibleTo(caller, row.adminId) || !isKept(row, writer.keptDays(), draft.time))
    notFound("deleted user", id);
  if (ownsOnly(caller)) writer.owners.acts(draft, caller.adminId, { creates: false, sets: undefined, planId: 0 });
  return row;
}

/** Rows past their time are gone for everybody, whenever they are deleted. */
export function isKept({ deletedAt }: Pick<DeletedUserRow, "deletedAt">, days: number, now: number): boolean {
  return deletedAt + days * DAY_SECONDS > now;
}

/** What a restoration is given. */
export interface Restoring {
  readonly id: number;
  readonly body: UserRestorationBody;
  /** Drawn before; of use where new credentials are asked for. */
  readonly fresh: FreshSecrets;
  /** The deletion that is taken back; undefined: whichever is the last. */
  readonly rev?: number;
}

/**
 * Brings an account back as it was, with what was counted for it since, and lets its chart look at it: its date may
 * have passed. It joins its owner under the rules of a new account; where that is no reseller any more, the panel.
 */
export function restoreDeleted(draft: Draft, writer: UserWriter, acting: Writing, restoring: Restoring): UserState {
  const { id, body, fresh, rev } = restoring;
  const found = kept(draft, writer, acting, id);
  if (rev !== undefined && found.rev !== rev)
    throw new Refusal("conflict", { code: "changed_meanwhile", message: "it was changed since" });
  const { account } = found;
  const was = rowsOf(id, account);
  const adminId = found.adminId !== 0 && writer.owners.holds(draft, found.adminId) ? found.adminId : 0;
  const { credentials = false } = body;
  const config = credentials ? withFresh(was.row.config, fresh) : was.row.config;
  const row: UserRow = {
    ...was.row,
    adminId,
    config,
    name: body.name ?? was.row.name,
    subId: body.subId ?? was.row.subId,
    externalId: body.externalId === undefined ? was.row.externalId : body.externalId || null,
    templateIds: draft.findAll(TemplateRows, was.row.templateIds, "read").map((template) => template.id),
    inboundIds:
      was.row.inboundIds && draft.findAll(InboundRows, was.row.inboundIds, "read").map((inbound) => inbound.id),
    updatedAt: Math.max(draft.time, was.row.updatedAt + 1),
  };
  if (adminId !== 0) writer.owners.admit(draft, adminId, row, true);
  takeSecrets(draft, writer, row, acting, credentials);
  draft.insert(UserUsageRows, { ...withLate(draft, was.usage), adminId, wakeAt: null });
  const { devices, refused } = account;
  if (devices.length + refused.length > 0) draft.upsert(UserDeviceRows, { id, devices, refused });
  draft.delete(DeletedUserRows, id);
  draft.delete(DeletedUsageRows, id);
  countGrowth(draft, writer.timeZone(), adminId, "restored");
  writer.supervisor.outbox.raise(draft, userEvent(row, "user.restored", { changed: changedFields(undefined, row) }));
  writer.supervisor.restore(draft, writer.actor, row, acting.origin);
  step(draft, writer, id, "edited", acting.origin);
  return stateOf(draft, id);
}

/** Those for one protocol alone end with the others, as in a rotation. */
function withFresh(
  { by: _, ...common }: UserCredentials,
  { subId: __, subToken: ___, ...secrets }: FreshSecrets,
): UserCredentials {
  return { ...common, ...secrets };
}

/**
 * Throws 409 naming the field where another account has its link or a credential by now, at the price of every such
 * refusal: who waited for others to choose a secret would else be told for nothing. `drawn`: nobody can hold them.
 */
function takeSecrets(
  draft: Draft,
  writer: UserWriter,
  { id, config, subId }: Readonly<UserRow>,
  { links, unentered }: Writing,
  drawn: boolean,
): void {
  const all = writer.credentialKeys.of(config);
  try {
    claimLink(draft, writer, links, subId, id);
    enterCredentials(draft, all, drawn ? [] : all, id, unentered);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "duplicate")
      refuseTaken(error.detail.field ?? "config", error.detail.charge);
    throw error;
  }
}

/** `charge`: of a value that is a secret. */
export function refuseTaken(field: string, charge?: number): never {
  const message = `${field}: the value is taken`;
  throw new Refusal("conflict", { code: "duplicate", message, field, ...(charge !== undefined && { charge }) });
}

/** The counters with what nodes told after the deletion. */
function withLate(draft: Draft, usage: UserUsageRow): UserUsageRow {
  const late = draft.find(DeletedUsageRows, usage.id);
  const moved = { movedAt: movedAt(draft), setAt: movedAt(draft) };
  if (!late) return { ...usage, ...moved };
  const up = late.up + Math.floor((usage.upRest + late.upRest) / MILLION);
  const down = late.down + Math.floor((usage.downRest + late.downRest) / MILLION);
  return {
    ...usage,
    ...moved,
    up: added(usage.up, up),
    down: added(usage.down, down),
    totalUp: added(usage.totalUp, up),
    totalDown: added(usage.totalDown, down),
    upRest: (usage.upRest + late.upRest) % MILLION,
    downRest: (usage.downRest + late.downRest) % MILLION,
    onlineAt: Math.max(usage.onlineAt, late.onlineAt),
  };
}

/** Forgets a deleted account for ever. What its nodes may still tell is counted all the same. */
export function forgetDeleted(draft: Draft, writer: UserWriter, acting: Acting, id: number): Readonly<DeletedUserRow> {
  const row = kept(draft, writer, acting, id);
  draft.delete(DeletedUserRows, id);
  return row;
}
