// What gives an account more: a new term, a longer one, counters at zero. Each function is part of one commit.
import type { Draft } from "../../db/index.ts";
import { invalid, Refusal, rule } from "../../http/index.ts";
import {
  type Acting,
  changeable,
  differing,
  type Edit,
  momentOf,
  raiseUpdated,
  stamped,
  step,
  type UserWriter,
} from "./user-change.ts";
import { resetCounters } from "./user.actor.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";
import { restarted } from "../plans/reset-cycle.ts";
import { hasEnd, patchedFields, type UserFields, type WriteMoment } from "./user-fields.ts";
import type { PlanRow } from "../records/plan.entity.ts";
import { limitsOfRenewal, termOfPlan } from "../plans/plan-terms.ts";
import { planOf } from "../plans/plans.commands.ts";
import { requireInbounds, requireTemplates } from "../../pool/index.ts";
import { LATEST } from "../../lib/moments.ts";
import type { UserExtensionBody, UserRenewalBody } from "./users.schema.ts";

const DAY = 86_400;

/**
 * Counters to zero, totals kept; brings back an account that was over its volume. It is a whole volume again, which a
 * reseller that sells plans only gives by a renewal. A rolling cycle starts again.
 */
export function resetUserUsage(draft: Draft, writer: UserWriter, { caller, origin }: Acting, id: number): Edit {
  const before = changeable(draft, writer, caller, id, { sets: "used" });
  const { row } = before;
  const nextReset = restarted(row, draft.time, draft.time);
  if (nextReset !== row.nextReset) draft.update(UserRows, id, { nextReset });
  resetCounters(draft, id);
  if (!step(draft, writer, id, "usageReset", origin)) raiseUpdated(draft, writer, row);
  return { before, after: stamped(draft, before), changed: true };
}

/**
 * A new term: its length is added to the later of now and the current date, counters go to zero, a rolling cycle
 * starts again, and the account comes back on unless a person switched it off. One that has not started gets a longer
 * term, and keeps waiting for its first connection. The length is a plan's, with its limits; `days`; or the term that
 * was sold with the account. `expiry`: the new end, in place of a length.
 */
export function renewUser(
  draft: Draft,
  writer: UserWriter,
  { caller, origin }: Acting,
  id: number,
  { expiry: until, planId = 0, days }: UserRenewalBody = {},
): Edit {
  const sets = until !== undefined ? "expiry" : days !== undefined ? "days" : undefined;
  const before = changeable(draft, writer, caller, id, { planId, sets });
  const { row } = before;
  if (until !== undefined) checkEnd(row, until, draft.time);
  const moment = momentOf(draft, writer, before.usage);
  const wanted: UserFields =
    planId !== 0
      ? fieldsByPlan(draft, row, planOf(draft, planId), until, moment)
      : until !== undefined
        ? patchedFields(row, { expiry: until }, moment)
        : { ...row, ...longerTerm(row, days, draft.time) };
  const fields = { ...wanted, nextReset: restarted(wanted, draft.time, draft.time) };
  // The owner's caps hold for a new end. A volume that is given again is none.
  const moved = differing(row, fields);
  if (row.adminId !== 0 && (planId !== 0 || moved.expiry !== undefined || moved.duration !== undefined))
    writer.owners.admit(draft, row.adminId, fields, false);
  if (Object.keys(moved).length > 0) draft.update(UserRows, id, moved);
  resetCounters(draft, id);
  step(draft, writer, id, "renewed", origin);
  return { before, after: stamped(draft, before), changed: true };
}

const laterBy = (from: number, term: number): number => Math.min(from + term, LATEST);

/** The end that a term leads to. `days` undefined: by the account's own term. Throws 409 where none is known. */
function longerTerm(row: Readonly<UserRow>, days: number | undefined, now: number): Partial<UserFields> {
  // Without an end there is a volume to give again, or nothing.
  if (days === undefined && !hasEnd(row)) return row.volume > 0 ? {} : nothingToRenew();
  const term = days === undefined ? row.term : days * DAY;
  if (term === 0) noTerm();
  return isStarted(row)
    ? { expiry: laterBy(Math.max(now, row.expiry), term), term }
    : { duration: laterBy(row.duration, term), term };
}

function nothingToRenew(): never {
  throw new Refusal("conflict", {
    code: "nothing_to_renew",
    message: "the account has neither an end nor a volume: renew it by `days` or `planId`",
  });
}

/** How long it was sold for is not known, and a remainder is no length: rule users.renew.6. */
function noTerm(): never {
  throw new Refusal("conflict", {
    code: "no_term",
    message:
      "no term was ever sold with this account: renew it by `days` or `planId`, which it has from then on, " +
      "or sell it by a plan, `duration` or `termDays`",
  });
}

/**
 * The fields on the limits of a plan, which the account has from then on. A plan without end takes the account's. An
 * account that has started goes on: the term of a plan that begins with the first use counts from now, too.
 */
function fieldsByPlan(
  draft: Draft,
  row: Readonly<UserRow>,
  plan: Readonly<PlanRow>,
  until: number | undefined,
  moment: WriteMoment,
): UserFields {
  const term = termOfPlan(plan);
  const longer = (from: number) => (term === 0 ? 0 : laterBy(from, term));
  const length = isStarted(row)
    ? { expiry: until ?? longer(Math.max(draft.time, row.expiry)), duration: term === 0 ? 0 : row.duration }
    : { duration: longer(row.duration) };
  const fields: UserFields = { ...patchedFields(row, limitsOfRenewal(plan), moment), ...length, term };
  requireTemplates(draft, fields.templateIds, "planId");
  requireInbounds(draft, fields.inboundIds ?? [], "planId");
  return fields;
}

/** A date is chosen for an account that has started, and it is ahead. */
function checkEnd(row: Readonly<UserRow>, until: number, now: number): void {
  if (!isStarted(row)) invalid("expiry", rule("not_started"));
  if (until <= now) invalid("expiry", rule("in_past"));
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
