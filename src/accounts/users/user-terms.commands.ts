// What gives an account more: a new term, a longer one, counters at zero. Each function is part of one commit.
import type { Draft } from "../../db/index.ts";
import { invalid, Refusal, rule } from "../../http/index.ts";
import {
  type Acting,
  changeable,
  differing,
  type Edit,
  momentOf,
  stamped,
  step,
  type UserState,
  type UserWriter,
} from "./user-change.ts";
import { resetCounters } from "./user.actor.ts";
import { UserRows, type UserRow } from "./user.entity.ts";
import { patchedFields, type UserFields } from "./user-fields.ts";
import type { PlanRow } from "../plans/plan.entity.ts";
import { limitsOfRenewal, termOfPlan } from "../plans/plan-terms.ts";
import { planOf } from "../plans/plans.commands.ts";
import { requireInbounds, requireTemplates } from "../../pool/index.ts";
import { LATEST } from "../../lib/moments.ts";
import type { Origin } from "../../lib/origin.ts";
import type { UserExtensionBody, UserRenewalBody } from "./users.schema.ts";

/**
 * Counters to zero, totals kept; brings back an account that was over its volume. It is a whole volume again, which a
 * reseller that sells plans only gives by a renewal.
 */
export function resetUserUsage(draft: Draft, writer: UserWriter, { caller, origin }: Acting, id: number): Edit {
  const before = changeable(draft, writer, caller, id, { sets: "used" });
  resetCounters(draft, id);
  step(draft, writer, id, "usageReset", origin);
  return { before, after: stamped(draft, before), changed: true };
}

/**
 * A new term on the account's own limits, or on a plan's: its length is added to the later of now and the current date,
 * counters go to zero, and it comes back on unless a person switched it off. An account that has not started gets a
 * longer term, and keeps waiting for its first connection. `until`: the new end, in place of a term.
 */
export function renewUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin }: Acting,
  id: number,
  { expiry: until, planId = 0 }: UserRenewalBody = {},
): Edit {
  const before = changeable(draft, writer, caller, id, { planId, sets: until === undefined ? undefined : "expiry" });
  if (until !== undefined) checkEnd(before.row, until, draft.time);
  if (planId !== 0) return renewByPlan(draft, writer, before, { plan: planOf(draft, planId), until }, origin);
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
    if (adminId !== 0) writer.owners.admit(draft, adminId, { ...before.row, ...patch }, false);
    draft.update(UserRows, id, patch);
  }
  resetCounters(draft, id);
  step(draft, writer, id, "renewed", origin);
  return { before, after: stamped(draft, before), changed: true };
}

function nothingToRenew(message: string): never {
  throw new Refusal("conflict", { code: "nothing_to_renew", message });
}

/**
 * The same on the limits of a plan, which the account has from then on. A plan without end takes the account's. An
 * account that has started goes on: the term of a plan that begins with the first use counts from now, too.
 */
function renewByPlan(
  draft: Draft,
  writer: UserWriter,
  before: UserState,
  { plan, until }: { readonly plan: Readonly<PlanRow>; readonly until: number | undefined },
  origin: Origin,
): Edit {
  const { row } = before;
  const term = termOfPlan(plan);
  const longer = (from: number) => (term === 0 ? 0 : Math.min(from + term, Number.MAX_SAFE_INTEGER));
  const started = isStarted(row);
  const length = started
    ? { expiry: until ?? longer(Math.max(draft.time, row.expiry)), duration: term === 0 ? 0 : row.duration }
    : { duration: longer(row.duration) };
  const limits = patchedFields(row, limitsOfRenewal(plan), momentOf(draft, writer, before.usage));
  const fields: UserFields = { ...limits, ...length, term };
  requireTemplates(draft, fields.templateIds, "planId");
  requireInbounds(draft, fields.inboundIds ?? [], "planId");
  if (row.adminId !== 0) writer.owners.admit(draft, row.adminId, fields, false);
  draft.update(UserRows, row.id, differing(row, fields));
  resetCounters(draft, row.id);
  step(draft, writer, row.id, "renewed", origin);
  return { before, after: stamped(draft, before), changed: true };
}

/** A date is chosen for an account that has started, and it is ahead. */
function checkEnd(row: Readonly<UserRow>, until: number, now: number): void {
  if (!isStarted(row)) invalid("expiry", rule("not_started"));
  if (until <= now) invalid("expiry", rule("in_past"));
}

/** The same to a date that was chosen: held to what an edit of the date is held to. */
function renewUntil(draft: Draft, writer: UserWriter, { origin }: Acting, before: UserState, until: number): Edit {
  const { row } = before;
  const fields = patchedFields(row, { expiry: until }, momentOf(draft, writer, before.usage));
  if (row.adminId !== 0) writer.owners.admit(draft, row.adminId, fields, false);
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
  if (row.adminId !== 0 && seconds !== undefined && seconds > 0) writer.owners.admit(draft, row.adminId, fields, false);
  draft.update(UserRows, id, patch);
  step(draft, writer, id, "extended", origin);
  return { before, after: stamped(draft, before), changed: true };
}

function isStarted({ duration, activatedAt }: Pick<UserRow, "duration" | "activatedAt">): boolean {
  return duration === 0 || activatedAt > 0;
}

/** The end of an account `seconds` later; what has no end cannot have a later one. */
function extendedTerm(row: Readonly<UserRow>, seconds: number, now: number): Partial<UserFields> {
  const later = (from: number) => Math.max(from, Math.min(from + seconds, LATEST));
  if (!isStarted(row)) return { duration: later(row.duration) };
  if (row.expiry === 0)
    throw new Refusal("conflict", { code: "nothing_to_extend", message: "the account has no end to extend" });
  // Nothing added leaves a date that has passed as it is.
  return seconds === 0 ? {} : { expiry: later(Math.max(now, row.expiry)) };
}
