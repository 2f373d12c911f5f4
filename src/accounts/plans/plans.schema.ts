// Plans on the wire.
import { z } from "zod";
import { count, line, paragraphs, unixTime, version } from "../../http/index.ts";
import { limitFields } from "../records/limits.schema.ts";
import type { PlanRow } from "../records/plan.entity.ts";

/** A hundred years. */
const MOST_DAYS = 36_525;
/** Plans that one order names. */
export const MOST_PLANS = 1000;

const fields = {
  ...limitFields,
  name: line(128).min(1),
  desc: paragraphs(4096),
  sortOrder: count,
  days: count.max(MOST_DAYS),
  onFirstUse: z.boolean(),
  group: line(128),
  namePrefix: line(64),
  nameSuffix: line(64),
};

/** Body of a create. */
export const PlanFields = z
  .object({ ...z.object(fields).partial().shape, name: fields.name })
  .meta({ id: "PlanFields" });
/** Body of a PUT, which replaces everything: what is absent takes its default. */
export const PlanReplace = PlanFields.extend({ version }).meta({ id: "PlanReplace" });

export type PlanBody = z.output<typeof PlanFields>;
export type PlanReplaceBody = z.output<typeof PlanReplace>;

export const PlanOrder = z.object({ ids: z.array(count.min(1)).max(MOST_PLANS) }).meta({ id: "PlanOrder" });

export const PlanView = z
  .object({
    id: count,
    name: z.string(),
    desc: z.string(),
    sortOrder: count,
    volume: count,
    days: count,
    onFirstUse: z.boolean(),
    speedLimit: count,
    ipLimit: count,
    deviceLimit: count,
    autoReset: z.boolean(),
    resetDays: count,
    resetPeriod: z.string(),
    resetStartDay: count,
    resetStartMonth: count,
    resetCalendar: z.string(),
    allTemplates: z.boolean(),
    templateIds: z.array(count),
    inboundIds: z.array(count).nullable(),
    group: z.string(),
    namePrefix: z.string(),
    nameSuffix: z.string(),
    createdAt: unixTime,
    updatedAt: unixTime,
  })
  .meta({ id: "Plan" });
export type PlanAnswer = z.input<typeof PlanView>;

export function planView({ description, groupLabel, ...row }: Readonly<PlanRow>): PlanAnswer {
  return { ...row, desc: description, group: groupLabel };
}
