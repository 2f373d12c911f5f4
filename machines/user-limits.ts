// Rules about an account's limits: when it is over its volume or past its date, and when a warning about one of them is
// due. Pure; the chart (`user.ts`), its actor and the views of an account share them.
import type { UserContext } from "./user-context.ts";

/** Seconds of a day. */
export const DAY = 86_400;

/** The account is past its date. A plan that has not started has no date yet. */
export function isExpired({
  expiry,
  duration,
  activatedAt,
  now,
}: Pick<UserContext, "expiry" | "duration" | "activatedAt" | "now">): boolean {
  return expiry > 0 && expiry <= now && !(duration > 0 && activatedAt === 0);
}

/** The account has used up its volume. */
export function isLimited({ volume, used }: Pick<UserContext, "volume" | "used">): boolean {
  return volume > 0 && used >= volume;
}

/** Bytes from which the warning about a volume is due. `percent` is above 0. */
export function warningLevel(volume: number, percent: number): number {
  const exact = Number.isSafeInteger(volume * percent);
  return Math.min(volume, Math.ceil(exact ? (volume * percent) / 100 : (volume / 100) * percent));
}

/** What the warning about a volume depends on. */
type QuotaWarning = Pick<UserContext, "volume" | "used" | "warnPercent" | "warnedVolume" | "warnedPercent">;

/** A warning about this volume at this share was not said yet. */
export function isQuotaUnwarned({
  volume,
  warnPercent,
  warnedVolume,
  warnedPercent,
}: Omit<QuotaWarning, "used">): boolean {
  return volume > 0 && warnPercent > 0 && (warnedVolume !== volume || warnedPercent !== warnPercent);
}

/** The account has used the warning's share of its volume, and was not warned of it yet. */
export function isQuotaNear(context: QuotaWarning): boolean {
  return isQuotaUnwarned(context) && context.used >= warningLevel(context.volume, context.warnPercent);
}

/** What warnings about a date depend on. */
type DateWarning = Pick<UserContext, "expiry" | "now" | "warnDays" | "warnedExpiry" | "warnedDays">;

/**
 * The narrowest window before the date that the account is in, in days, if a warning of it is due. An account that
 * comes into several at once is warned of the narrowest alone.
 */
export function windowEntered({ expiry, now, warnDays, warnedExpiry, warnedDays }: DateWarning): number | undefined {
  if (expiry === 0) return undefined;
  const window = Math.min(...warnDays.filter((days) => expiry - now <= days * DAY));
  const isSaid = warnedExpiry === expiry && warnedDays <= window;
  return Number.isFinite(window) && !isSaid ? window : undefined;
}

/** Unix seconds of the next warning about the date; in the past where it is due already. Undefined: none. */
export function nextDateWarning(account: DateWarning): number | undefined {
  const { expiry, now, warnDays } = account;
  if (expiry === 0) return undefined;
  if (windowEntered(account) !== undefined) return now;
  const ahead = warnDays.map((days) => expiry - days * DAY).filter((at) => at > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
