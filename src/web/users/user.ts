// An account as the pages see it, and what its record says about its standing. Pure.
import type { z } from "zod";
import type { UserSummary, UserView } from "../../accounts/users.schema.ts";
import type { Tone } from "../parts/tone.ts";

export type User = z.output<typeof UserView>;
export type Summary = z.output<typeof UserSummary>;

/** Statuses of the list's filter, as on the wire. */
export const STATUSES = ["active", "pending", "disabled", "limited", "expired"] as const;

export type StandingKind = "active" | "pending" | "volume" | "expiry" | "manual" | "resaleVolume" | "resaleExpiry";

export interface Standing {
  readonly kind: StandingKind;
  readonly tone: Tone;
}

const REASONS: Readonly<Record<string, StandingKind>> = {
  manual: "manual",
  volume: "volume",
  expiry: "expiry",
  "resale-volume": "resaleVolume",
  "resale-expiry": "resaleExpiry",
};

export const STANDING_TONES: Readonly<Record<StandingKind, Tone>> = {
  active: "ok",
  pending: "waiting",
  volume: "waiting",
  resaleVolume: "waiting",
  expiry: "failed",
  resaleExpiry: "failed",
  manual: "off",
};

type Standable = Pick<User, "enable" | "disabledReason" | "duration" | "activatedAt" | "expiry" | "volume" | "up" | "down">;

/** What holds for an account: the reason it is off, else what its date and volume say until the panel has acted on them. */
export function standingOf(user: Standable, now: number): Standing {
  const kind = kindOf(user, now);
  return { kind, tone: STANDING_TONES[kind] };
}

function kindOf({ enable, disabledReason, duration, activatedAt, expiry, volume, up, down }: Standable, now: number): StandingKind {
  if (!enable) return REASONS[disabledReason] ?? "manual";
  const waits = duration > 0 && activatedAt === 0;
  if (waits) return "pending";
  if (expiry > 0 && expiry <= now) return "expiry";
  if (volume > 0 && up + down >= volume) return "volume";
  return "active";
}

/** Seconds since the last traffic within which an account counts as online (as the panel counts). */
const ONLINE_SECONDS = 90;

export function isOnline({ onlineAt }: Pick<User, "onlineAt">, now: number): boolean {
  return onlineAt > 0 && now - onlineAt <= ONLINE_SECONDS;
}

/** The address of the user's record page. */
export function userPath({ id }: Pick<User, "id">, tab?: string): string {
  return tab === undefined ? `/users/${id}` : `/users/${id}?tab=${tab}`;
}

/** The subscription's address by the token, which stays when the link's id is changed. */
export function tokenLink({ subUrl, subToken }: Pick<User, "subUrl" | "subToken">): string {
  return `${subUrl.slice(0, subUrl.lastIndexOf("/") + 1)}${subToken}`;
}

/** The filter `ends` of the page as the route's parameters. Rounded, so that the question stays the same while somebody looks. */
export function endsParameters(ends: string | undefined, now: number): Readonly<Record<string, string | number>> {
  const hour = Math.floor(now / 3600) * 3600;
  if (ends === "never") return { expiry: "never" };
  const days = ends === "week" ? 7 : ends === "month" ? 30 : 0;
  return days === 0 ? {} : { expires_after: hour, expires_before: hour + days * 86_400 };
}
