// Fields that accounts and plans share, on the wire: the name, the limits and the reset.
import { z } from "zod";
import { count, line } from "../../http/index.ts";

const ids = z
  .array(count.min(1))
  .max(1000)
  .transform((all) => [...new Set(all)]);

/** What an account may have and how it is reset: fields that a plan says too. */
export const limitFields = {
  volume: count,
  speedLimit: count,
  ipLimit: count,
  deviceLimit: count,
  autoReset: z.boolean(),
  resetDays: count.max(3660),
  resetPeriod: z.enum(["", "weekly", "monthly", "yearly"]),
  resetStartDay: count.max(31),
  resetStartMonth: count.max(12),
  resetCalendar: z.enum(["", "jalali"]),
  allTemplates: z.boolean(),
  templateIds: ids,
  inboundIds: ids.transform((all) => all.toSorted((a, b) => a - b)).nullable(),
};

/** The name of an account. */
export const UserName = line(128).min(1);
