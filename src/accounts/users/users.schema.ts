// Users on the wire.
import { z } from "zod";
import {
  boundedRecord,
  checkedLater,
  count,
  line,
  matching,
  paragraphs,
  rule,
  unixTime,
  version,
  writtenSpan,
  writtenTime,
} from "../../http/index.ts";
import { Credentials } from "../credentials/credentials.ts";
import { limitFields, UserName } from "../records/limits.schema.ts";
import { MOST_GIVEN } from "./contact.ts";

/** Ten years. */
const MOST_TERM_DAYS = 3650;

/** A subscription identifier. */
export const SubId = z.string().check(matching(/^[A-Za-z0-9_-]{1,64}$/, rule("sub_id")));
/** Fields that a caller writes, each as it is when present. */
const fields = {
  ...limitFields,
  name: UserName,
  enable: z.boolean(),
  config: Credentials,
  desc: paragraphs(4096),
  group: line(128),
  /** Values may be numbers and booleans and come back as text; see `contact.ts`. */
  contact: boundedRecord(z.union([z.string(), z.number(), z.boolean()]), MOST_GIVEN),
  adminId: count,
  subId: SubId,
  externalId: line(128),
  remark: line(256),
  expiry: writtenTime,
  duration: writtenSpan,
};

/** Body of a create. Fields that the panel writes (counters, `activatedAt`, `nextReset`, tokens) are ignored. */
export const UserCreate = z
  .object({
    ...z.object(fields).partial().shape,
    name: fields.name,
    config: Credentials.nullish().transform((config) => config ?? undefined),
    contact: fields.contact.nullish(),
    subId: z
      .union([z.literal(""), SubId])
      .nullish()
      .transform((subId) => subId || undefined),
    planId: count.optional(),
    termDays: count
      .max(MOST_TERM_DAYS)
      .optional()
      .describe("days that a renewal adds where it names none; 0 or absent: those of the plan or of `duration`"),
  })
  .meta({ id: "UserCreate" });
export type UserCreateBody = z.output<typeof UserCreate>;

/**
 * Body of a PUT: a full replace. `planId` and `termDays` are ignored; absent `config` parts, `subId`, `externalId` and
 * `adminId` are kept.
 */
export const UserReplace = UserCreate.omit({ planId: true, termDays: true }).meta({ id: "UserReplace" });
export type UserReplaceBody = z.output<typeof UserReplace>;

/** Body of a PATCH: exactly these fields, anything else is a 400 that names it. */
export const UserPatch = z
  .strictObject({
    ...z.object(fields).partial().shape,
    contact: fields.contact.nullable().optional(),
    activatedAt: writtenTime.optional(),
    nextReset: writtenTime.optional(),
    version,
  })
  .meta({ id: "UserPatch" });
export type UserPatchBody = z.output<typeof UserPatch>;

const OwnView = z
  .object({ uuid: z.string().optional(), password: z.string().optional(), method: z.string().optional() })
  .meta({ id: "OwnCredentials" });

/** A user as it is answered. */
export const UserView = z
  .object({
    id: count,
    name: z.string(),
    enable: z.boolean(),
    disabledReason: z.string(),
    config: z.looseObject({
      uuid: z.string(),
      password: z.string(),
      ss16: z.string(),
      ss32: z.string(),
      flow: z.string().optional(),
      by: z.record(z.string(), OwnView).optional(),
    }),
    desc: z.string(),
    contact: z.record(z.string(), z.string()),
    subToken: z.string(),
    subId: z.string(),
    externalId: z.string().describe("a shop's own reference, unique where set; empty: none"),
    remark: z.string(),
    volume: count,
    speedLimit: count,
    ipLimit: count,
    deviceLimit: count,
    expiry: unixTime,
    duration: count,
    term: count.describe(
      "seconds that a renewal adds to the end, as they were sold; 0: none are known, a renewal then needs `days` or a `planId`",
    ),
    activatedAt: unixTime,
    up: count,
    down: count,
    onlineAt: unixTime,
    subFetchedAt: unixTime,
    subSeenAt: unixTime,
    subClient: z.string(),
    subFetchIp: z.string(),
    lastInbound: z.string(),
    autoReset: z.boolean(),
    resetDays: count,
    resetPeriod: z.string(),
    resetStartDay: count,
    resetStartMonth: count,
    resetCalendar: z.string(),
    nextReset: unixTime,
    totalUp: count,
    totalDown: count,
    group: z.string(),
    adminId: count,
    allTemplates: z.boolean(),
    templateIds: z.array(count),
    inboundIds: z.array(count).nullable(),
    subUrl: z.string(),
    licensed: z.boolean(),
    since: unixTime.describe("when the account came into the state that it is in"),
    offBy: z
      .string()
      .describe("who switched it off, for callers with `stats:read`; empty where nobody did, or it is no longer known"),
    createdAt: unixTime,
    updatedAt: unixTime,
  })
  .meta({ id: "User" });
export type UserAnswer = z.input<typeof UserView>;

/** One user, looked at alone. */
export const UserRecord = UserView.extend({
  importLinks: z
    .object({
      happ: z.string().describe("opens the subscription in Happ; empty without the app's key"),
      incy: z.string().describe("opens the subscription in INCY; empty without the app's key"),
    })
    .optional()
    .describe(
      "links that import the subscription without showing its address, new ones each time; absent without keys",
    ),
}).meta({ id: "UserRecord" });

/** How an account is renewed, one or many; at most one of these lengths. */
export const renewalFields = {
  planId: count.optional().describe("by this plan: its limits and its length"),
  days: z.int().min(1).max(MOST_TERM_DAYS).optional().describe("by so many days, which become the account's term"),
};

interface Lengths {
  readonly planId?: number | undefined;
  readonly days?: number | undefined;
  readonly expiry?: number | undefined;
}

/** For `superRefine`: `days` are instead of a plan's length and of a new end. */
export function onlyOneLength({ planId = 0, days, expiry }: Lengths, check: z.core.$RefinementCtx): void {
  if (days === undefined) return;
  const other = planId !== 0 ? "planId" : expiry === undefined ? undefined : "expiry";
  if (other) check.addIssue({ code: "custom", path: ["days"], ...rule("not_with", other) });
}

export const UserRenewal = z
  .object({
    ...renewalFields,
    expiry: writtenTime
      .optional()
      .describe("the new end, in place of one more term; not for an account that has not started"),
  })
  .superRefine(onlyOneLength)
  .meta({ id: "UserRenewal" });
export type UserRenewalBody = z.output<typeof UserRenewal>;

export const UserExtension = z
  .object({
    bytes: count.optional().describe("added to `volume`; an unlimited one stays"),
    seconds: writtenSpan
      .optional()
      .describe("added to the later of now and `expiry`; to `duration` where the account has not started"),
  })
  .refine(({ bytes, seconds }) => bytes !== undefined || seconds !== undefined, {
    path: ["bytes"],
    ...rule("required", "bytes or seconds"),
  })
  .meta({ id: "UserExtension" });
export type UserExtensionBody = z.output<typeof UserExtension>;

export const UserRotation = z
  .object({
    credentials: z.boolean().optional().describe("also a new uuid, password and keys; absent = false"),
    closeSessions: z.boolean().optional().describe("also close what is open on the nodes; absent = false"),
    devices: z.boolean().optional().describe("also forget the devices that have places; absent = false"),
  })
  .meta({ id: "UserRotation" });
export type UserRotationBody = z.output<typeof UserRotation>;

export const UserBatch = z
  .object({ users: z.array(checkedLater(UserCreate)).max(1000) })
  .meta({ id: "UserBatch", description: "Each item as UserCreate." });

export const UserBatchAnswer = z
  .object({ created: z.array(UserView), problems: z.array(z.object({ index: count, error: z.string() })) })
  .meta({ id: "UserBatchResult" });
export type UserBatchOutcome = z.input<typeof UserBatchAnswer>;

export const UserSummary = z
  .object({
    total: count,
    active: count,
    disabled: count,
    pending: count,
    expired: count,
    limited: count,
    online: count,
    groups: z.array(z.object({ group: z.string(), count })),
    reasons: z
      .array(z.object({ reason: z.string(), count }))
      .optional()
      .describe("the disabled ones by their reason, with `by=reason`"),
  })
  .meta({ id: "UserSummary" });

export const UsageMoves = z
  .object({ cursor: count, rows: z.array(z.object({ id: count, up: count, down: count, onlineAt: unixTime })) })
  .meta({ id: "UsageMoves" });
