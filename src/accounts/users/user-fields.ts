// From a body to the columns that a command writes: defaults, what PUT keeps, what PATCH merges. Pure; rules between
// rows are in `users.commands.ts`.
import { isDeepStrictEqual } from "node:util";
import { contactText, mergeContact } from "./contact.ts";
import { createCredentials, mergeCredentials, type FreshSecrets } from "../credentials/credentials.ts";
import { checkedCycle, defaultAnchor, firstReset, restarted, sameCycle } from "../plans/reset-cycle.ts";
import type { UserRow } from "../records/user.entity.ts";
import type { UserCreateBody, UserPatchBody, UserReplaceBody } from "./users.schema.ts";

const DAY = 86_400;

/** Columns that callers write; on and off go through the chart. */
export type UserFields = Pick<
  UserRow,
  | "name"
  | "config"
  | "description"
  | "contact"
  | "contactText"
  | "subId"
  | "externalId"
  | "remark"
  | "volume"
  | "speedLimit"
  | "ipLimit"
  | "deviceLimit"
  | "expiry"
  | "duration"
  | "term"
  | "activatedAt"
  | "armedTotal"
  | "autoReset"
  | "resetDays"
  | "resetPeriod"
  | "resetStartDay"
  | "resetStartMonth"
  | "resetCalendar"
  | "nextReset"
  | "groupLabel"
  | "adminId"
  | "allTemplates"
  | "templateIds"
  | "inboundIds"
>;

/** The moment of a write. `total`: bytes that the account has used in all. */
export interface WriteMoment {
  /** Unix seconds. */
  readonly now: number;
  readonly timeZone: string;
  readonly total: number;
}

type BodyFields = Omit<UserCreateBody, "planId" | "termDays" | "enable" | "config" | "contact">;
type Written = { readonly [F in keyof BodyFields]?: BodyFields[F] | undefined };

/** Limits and labels of `body` over those of `base`; what depends on time comes after. */
function plainFields(base: UserFields, body: Written): UserFields {
  return {
    ...base,
    name: body.name ?? base.name,
    description: body.desc ?? base.description,
    subId: body.subId ?? base.subId,
    externalId: body.externalId === undefined ? base.externalId : body.externalId || null,
    remark: body.remark ?? base.remark,
    volume: body.volume ?? base.volume,
    speedLimit: body.speedLimit ?? base.speedLimit,
    ipLimit: body.ipLimit ?? base.ipLimit,
    deviceLimit: body.deviceLimit ?? base.deviceLimit,
    expiry: body.expiry ?? base.expiry,
    duration: body.duration ?? base.duration,
    groupLabel: body.group ?? base.groupLabel,
    adminId: body.adminId ?? base.adminId,
    // Naming templates is choosing them: membership of all ends unless the body says otherwise.
    allTemplates: body.allTemplates ?? (body.templateIds === undefined ? base.allTemplates : false),
    templateIds: body.templateIds ?? base.templateIds,
    inboundIds: body.inboundIds === undefined ? base.inboundIds : body.inboundIds,
    ...checkedCycle({
      autoReset: body.autoReset ?? base.autoReset,
      resetDays: body.resetDays ?? base.resetDays,
      resetPeriod: body.resetPeriod ?? base.resetPeriod,
      resetStartDay: body.resetStartDay ?? base.resetStartDay,
      resetStartMonth: body.resetStartMonth ?? base.resetStartMonth,
      resetCalendar: body.resetCalendar ?? base.resetCalendar,
    }),
  };
}

/**
 * What follows from fields that differ from the stored ones: a re-armed plan, the next reset, the length of a renewal.
 * `sold`: its length in seconds where it was named, else 0.
 */
function settled(stored: UserFields, fields: UserFields, { now, timeZone, total }: WriteMoment, sold = 0): UserFields {
  const rearmed = fields.duration !== stored.duration;
  return {
    ...fields,
    activatedAt: rearmed ? 0 : stored.activatedAt,
    armedTotal: rearmed ? total : stored.armedTotal,
    term: sold > 0 ? sold : termOf(stored, fields),
    nextReset: sameCycle(stored, fields) ? stored.nextReset : firstReset(fields, now, timeZone),
  };
}

/**
 * The length of a renewal is what was sold: a duration says it, a date never does, since what is left until a date is
 * no length that anybody paid for (rule users.renew.6). An account whose end is taken away has no term any more.
 */
function termOf(stored: UserFields, fields: UserFields): number {
  if (fields.duration > 0 && fields.duration !== stored.duration) return fields.duration;
  return hasEnd(stored) && !hasEnd(fields) ? 0 : stored.term;
}

/** A date, or a length that runs from the first use. */
export function hasEnd({ duration, expiry }: Pick<UserRow, "duration" | "expiry">): boolean {
  return duration > 0 || expiry > 0;
}

const BLANK: Omit<UserFields, "name" | "config" | "subId" | "adminId" | "resetStartDay" | "resetStartMonth"> = {
  description: "",
  contact: null,
  contactText: "",
  externalId: null,
  remark: "",
  volume: 0,
  speedLimit: 0,
  ipLimit: 0,
  deviceLimit: 0,
  expiry: 0,
  duration: 0,
  term: 0,
  activatedAt: 0,
  armedTotal: 0,
  autoReset: false,
  resetDays: 0,
  resetPeriod: "",
  resetCalendar: "",
  nextReset: 0,
  groupLabel: "",
  allTemplates: true,
  templateIds: [],
  inboundIds: null,
};

/** A contact that stays keeps its text: a database may give its keys back in another order. */
function withContact(
  fields: UserFields,
  contact: Record<string, string> | null,
  stored?: Pick<UserFields, "contact" | "contactText">,
): UserFields {
  const stays = stored !== undefined && isDeepStrictEqual(contact, stored.contact);
  return { ...fields, contact, contactText: stays ? stored.contactText : contactText(contact) };
}

/** The fields of a new account. Throws 400 naming the field. */
export function createdFields(body: UserCreateBody & SoldTerm, fresh: FreshSecrets, moment: WriteMoment): UserFields {
  const config = createCredentials(body.config, fresh);
  const base = {
    ...BLANK,
    ...defaultAnchor(body.resetPeriod ?? ""),
    name: body.name,
    config,
    subId: fresh.subId,
    adminId: 0,
  };
  const fields = settled(base, plainFields(base, body), moment, soldTerm(body));
  return withContact(fields, mergeContact(null, body.contact ?? {}));
}

/** The fields after a PUT: what is absent takes its default, except for credentials, what names the account, and its
 * owner. */
export function replacedFields(stored: UserFields, body: UserReplaceBody, moment: WriteMoment): UserFields {
  const config = mergeCredentials(stored.config, body.config ?? {});
  const base = {
    ...BLANK,
    ...defaultAnchor(body.resetPeriod ?? ""),
    name: body.name,
    config,
    subId: stored.subId,
    externalId: stored.externalId,
    adminId: stored.adminId,
  };
  return withContact(settled(stored, plainFields(base, body), moment), mergeContact(null, body.contact ?? {}), stored);
}

/** How long an account was sold for, as a body says it. */
interface SoldTerm {
  readonly termDays?: number | undefined;
  /** Seconds, as an export tells them. */
  readonly term?: number | undefined;
}

/**
 * Seconds; 0 = it does not say. Files of older versions have what was left until the date as `term`: only whole days
 * were sold.
 */
function soldTerm({ termDays = 0, term = 0 }: SoldTerm): number {
  return termDays > 0 ? termDays * DAY : term % DAY === 0 ? term : 0;
}

/** A PATCH, and the term that a line of an import says of an account that is there. */
export type UserChangeBody = UserPatchBody & SoldTerm;

/** The fields after a PATCH: only what is sent changes; credentials and contact are merged part by part. */
export function patchedFields(stored: UserFields, body: UserChangeBody, moment: WriteMoment): UserFields {
  const { config, contact, activatedAt, nextReset, termDays, term, ...plain } = body;
  const fields = settled(stored, plainFields(stored, plain), moment, soldTerm({ termDays, term }));
  const begins = activatedAt !== undefined && activatedAt > 0 && activatedAt !== stored.activatedAt;
  const merged =
    contact === undefined ? stored.contact : contact === null ? null : mergeContact(stored.contact, contact);
  return withContact(
    {
      ...fields,
      config: config === undefined ? stored.config : mergeCredentials(stored.config, config),
      activatedAt: activatedAt ?? fields.activatedAt,
      nextReset: nextReset ?? (begins ? restarted(fields, activatedAt, moment.now) : fields.nextReset),
    },
    merged,
    stored,
  );
}

/** Fields on which the chart decides. */
export const QUOTA_FIELDS = [
  "volume",
  "expiry",
  "duration",
  "activatedAt",
  "autoReset",
  "resetDays",
  "resetPeriod",
  "resetStartDay",
  "resetStartMonth",
  "resetCalendar",
  "nextReset",
  "adminId",
] as const satisfies readonly (keyof UserFields)[];

/** Fields that a plan says: who sells plans only does not write them. */
export const PLAN_FIELDS = [
  ...QUOTA_FIELDS.filter((field) => field !== "adminId"),
  "speedLimit",
  "ipLimit",
  "deviceLimit",
  "allTemplates",
  "templateIds",
  "inboundIds",
  "term",
] as const satisfies readonly (keyof UserFields)[];
