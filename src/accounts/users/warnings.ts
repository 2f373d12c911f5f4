// When accounts are warned before a limit (rules users.warn): the thresholds as settings say them, and what an
// account's chart remembers of warnings.
import { z } from "zod";
import type { UserContext } from "../../../machines/user-context.ts";

/** From which share of the volume, and how many days before the date, accounts are warned. */
export interface WarningThresholds {
  /** Percent; 0 = no warning. */
  readonly percent: number;
  /** Empty = no warning. */
  readonly days: readonly number[];
}

export const NO_WARNINGS: WarningThresholds = { percent: 0, days: [] };

type Warned = Pick<UserContext, "warnedVolume" | "warnedPercent" | "warnedExpiry" | "warnedDays">;

const NOTHING: Warned = { warnedVolume: 0, warnedPercent: 0, warnedExpiry: 0, warnedDays: 0 };

const Remembered = z.object({
  warnedVolume: z.number(),
  warnedPercent: z.number(),
  warnedExpiry: z.number(),
  warnedDays: z.number(),
});

/** What the chart remembers of the last warnings. */
export function warnedOf(stored: unknown): Warned {
  const read = Remembered.safeParse(stored);
  return read.success ? read.data : NOTHING;
}

/** The same as it is stored: an account that was never warned costs nothing. */
export function rememberedWarnings(context: Warned): Record<string, unknown> {
  const { warnedVolume, warnedPercent, warnedExpiry, warnedDays } = context;
  return warnedVolume > 0 || warnedExpiry > 0 ? { warnedVolume, warnedPercent, warnedExpiry, warnedDays } : {};
}

/**
 * The thresholds of settings `alert_user_volume_percent` and `alert_user_expiry_days`. Each text is read once: an
 * account's every step asks.
 */
export function thresholdsFrom(setting: (key: string) => string): () => WarningThresholds {
  let known = { percent: "0", days: "", thresholds: NO_WARNINGS };
  return () => {
    const percent = setting("alert_user_volume_percent");
    const days = setting("alert_user_expiry_days");
    if (known.percent !== percent || known.days !== days)
      known = { percent, days, thresholds: { percent: Number(percent), days: daysOf(days) } };
    return known.thresholds;
  };
}

function daysOf(list: string): number[] {
  return list.split(",").flatMap((part) => (Number(part) > 0 ? [Number(part)] : []));
}
