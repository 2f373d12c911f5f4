// Deleted users on the wire.
import { z } from "zod";
import { count, line, queryBoolean, queryCount, unixTime } from "../../http/index.ts";
import { JobProblem } from "../../jobs/index.ts";
import { SubId } from "../users/users.schema.ts";
import { UserName } from "../records/limits.schema.ts";

export const DeletedUser = z
  .object({
    id: count,
    name: z.string(),
    group: z.string(),
    adminId: count,
    deletedAt: unixTime.describe("Unix seconds of the deletion."),
    deletedBy: z
      .string()
      .describe("Who deleted it, for callers with `stats:read`; else the caller's own name, or empty."),
    until: unixTime.describe("Unix seconds from which it is forgotten."),
    volume: count,
    used: count.describe("Bytes since the last reset, with what nodes told after the deletion."),
    expiry: unixTime,
  })
  .meta({ id: "DeletedUser" });
export type DeletedUserAnswer = z.input<typeof DeletedUser>;

export const DeletedUserRecord = DeletedUser.extend({
  enable: z.boolean().describe("Whether it was switched on."),
  disabledReason: z.string(),
  desc: z.string(),
  subId: z.string(),
  externalId: z.string(),
  duration: count,
  activatedAt: unixTime,
  devices: count.describe("Devices that have their places back with it."),
  taken: z
    .array(z.string())
    .describe(
      "Fields whose value another account has by now: it comes back with another value for them. A reseller is not told of the link and of credentials.",
    ),
}).meta({ id: "DeletedUserRecord" });

export const DeletedFilters = z.object({
  admin_id: queryCount.optional().describe("Of this owner alone; 0: the panel's."),
  group: z.string().max(128).optional().describe("With this label alone."),
});
export type DeletedFilters = z.output<typeof DeletedFilters>;

export const UserRestoration = z
  .object({
    name: UserName.optional().describe("Another name; left out: the one that it had."),
    subId: SubId.optional().describe("Another name of the subscription; left out: the one that it had."),
    externalId: line(128).optional().describe("Another reference; empty: none; left out: the one that it had."),
    credentials: z.boolean().optional().describe("Also a new uuid, password and keys; absent = false."),
  })
  .meta({ id: "UserRestoration" });
export type UserRestorationBody = z.output<typeof UserRestoration>;

const MOST_IDS = 100_000;

export const UserRestorations = z
  .object({ ids: z.array(count.min(1)).min(1).max(MOST_IDS).describe("Deleted users.") })
  .meta({ id: "UserRestorations" });

export const RestorationQuery = z.object({ async: queryBoolean.optional() });

export const RestorationResult = z
  .object({
    op: z.literal("restore"),
    matched: count.describe("Users that were there to be restored."),
    affected: count.describe("Users that are back."),
    blocked: count.describe("Users that a value that is taken, or a limit of their owner, kept back."),
    failed: count.describe("Users that were refused for another reason, or are not there."),
    problems: z.array(JobProblem).describe("The first hundred that were blocked or failed."),
    job: count.describe("The job that did it."),
    error: z.string().optional().describe("Why it stopped before its end; absent where it did not."),
  })
  .meta({ id: "UserRestorationResult" });
export type RestorationAnswer = z.input<typeof RestorationResult>;
