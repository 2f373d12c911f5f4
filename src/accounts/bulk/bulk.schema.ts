// Bulk operations on the wire.
import { z } from "zod";
import { count, queryBoolean, queryCount, queryTime, SearchText, writtenSpan, writtenTime } from "../../http/index.ts";
import { JobProblem, JobStarted } from "../../jobs/index.ts";
import { UserFilters } from "../users/user-filters.ts";
import { onlyOneLength, renewalFields, UserPatch } from "../users/users.schema.ts";

export const BULK_OPS = [
  "enable",
  "disable",
  "delete",
  "reset-usage",
  "extend",
  "add-volume",
  "edit",
  "assign",
  "rotate-sub",
  "renew",
] as const;
export type BulkOp = (typeof BULK_OPS)[number];

/** Which users: the list's filters, or all of them. */
export const BulkSelection = UserFilters.extend({
  q: SearchText.optional(),
  updated_since: queryCount.optional(),
  all: queryBoolean.optional(),
});

/** The filters of a change: what a list merely shows would be written to, or be deleted. */
export const BulkQuery = BulkSelection.extend({
  expires_after: queryTime.optional(),
  expires_before: queryTime.optional(),
  updated_since: queryTime.optional(),
  dryRun: queryBoolean.optional(),
  async: queryBoolean.optional(),
});
export type BulkQuery = z.output<typeof BulkQuery>;

/** Ids in one request. */
const MOST_IDS = 100_000;

export const BulkBody = z
  .object({
    ids: z.array(count.min(1)).max(MOST_IDS).optional().describe("These users alone, out of what the filters select."),
    seconds: writtenSpan.optional().describe("Of `extend`: added to the later of now and `expiry`."),
    bytes: count
      .optional()
      .describe("Of `add-volume`, and of `extend` where both are added: added to `volume`; an unlimited one stays."),
    set: UserPatch.omit({ name: true, config: true, subId: true, version: true })
      .meta({ id: "UserPatchOfMany" })
      .optional()
      .describe("Of `edit`: the fields to write."),
    adminId: count.optional().describe("Of `assign`: the new owner; 0: the panel."),
    planId: renewalFields.planId.describe("Of `renew`: by this plan, its limits and its length."),
    days: renewalFields.days.describe(
      "Of `renew`: by so many days. Without either by the term that each was sold with.",
    ),
    expiry: writtenTime
      .optional()
      .describe("Of `renew`: the new end, of users that have begun and have an end or no volume either."),
  })
  .superRefine(onlyOneLength)
  .meta({ id: "UserBulkBody" });
export type BulkBody = z.output<typeof BulkBody>;

export const BulkResult = z
  .object({
    op: z.enum(BULK_OPS),
    matched: count.describe("Users that were there and matched."),
    affected: count.describe("Users that were changed."),
    blocked: count.describe("Users that their state or limits, or their owner's, kept as they are."),
    failed: count.describe("Users that were refused for another reason, or are not there."),
    problems: z
      .array(JobProblem)
      .describe(
        "The first hundred that were blocked or failed, or were changed and stay off for their reseller (`kept_off`).",
      ),
    job: count.optional().describe("The job that did it; absent in a dry run."),
    error: z.string().optional().describe("Why it stopped before its end; absent where it did not."),
  })
  .meta({ id: "UserBulkResult" });
export type BulkAnswer = z.input<typeof BulkResult>;

export const BulkStarted = JobStarted;
