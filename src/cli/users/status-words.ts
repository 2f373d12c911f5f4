// What an account is in, in words: what of its row decides, as `statusOf` (src/accounts/) says it. Pure.
import type { Colour } from "../paint.ts";
import { span } from "../terminal/times.ts";
import type { User } from "./answers.ts";

const REASONS: Readonly<Record<string, string>> = {
  manual: "off by hand",
  volume: "off: its volume is used up",
  expiry: "off: its date has passed",
  "resale-volume": "off: its reseller spent the allowance",
  "resale-expiry": "off: its reseller's account has ended",
};

export interface Standing {
  readonly words: string;
  readonly colour: Colour;
}

/** `now`: Unix seconds. */
export function standingOf(user: User, now: number): Standing {
  const { enable, disabledReason, duration, activatedAt, expiry, volume } = user;
  if (!enable) return { words: REASONS[disabledReason] ?? "off", colour: "yellow" };
  if (duration > 0 && activatedAt === 0) return { words: "waits for its first connection", colour: "cyan" };
  if (expiry > 0 && expiry <= now) return { words: "expired", colour: "yellow" };
  if (volume > 0 && usedOf(user) >= volume) return { words: "used up", colour: "yellow" };
  return { words: "on", colour: "green" };
}

export const usedOf = ({ up, down }: Pick<User, "up" | "down">): number => up + down;

/** `in 3 d`, `2 h ago`, `never`; of a plan that has not started, its length. */
export function endOf({ expiry, duration, activatedAt }: User, now: number): string {
  if (duration > 0 && activatedAt === 0) return `${span(duration)} from the first connection on`;
  if (expiry === 0) return "never";
  return expiry > now ? `in ${span(expiry - now)}` : `${span(now - expiry)} ago`;
}
