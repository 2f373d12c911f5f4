// An account as the pages see it, and what its record says about its standing. Pure.
import type { z } from "zod";
import type { UserRecord, UserSummary, UserView } from "../../accounts/users/users.schema.ts";
import type { Tone } from "../parts/tone.ts";

export type User = z.output<typeof UserView>;
/** One that is looked at alone. */
export type UserAlone = z.output<typeof UserRecord>;
export type Summary = z.output<typeof UserSummary>;

/**
 * What the list is filtered by and counted as. The panel switches off who is over a limit: why an account is off says
 * more than that it is.
 */
export const STATUSES = ["active", "pending", "limited", "expired", "disabled", "reseller"] as const;
export type Status = (typeof STATUSES)[number];

/** Reasons of accounts that are off, as on the wire. */
const REASONS_OF: Readonly<Partial<Record<Status, readonly string[]>>> = {
  limited: ["volume"],
  expired: ["expiry"],
  disabled: ["manual"],
  reseller: ["resale-volume", "resale-expiry"],
};

/** A status of the page as the route's parameters. */
export function statusParameters(status: string | undefined): Readonly<Record<string, string>> {
  const reasons = STATUSES.find((each) => each === status && REASONS_OF[each]);
  if (status === undefined) return {};
  return reasons === undefined ? { status } : { reason: (REASONS_OF[reasons] ?? []).join(",") };
}

/** Accounts by status; those that the panel is about to switch off count as switched off. */
export function statusCounts({
  active,
  pending,
  limited,
  expired,
  reasons = [],
}: Summary): Readonly<Record<Status, number>> {
  const off = (status: Status) =>
    reasons.reduce((sum, { reason, count }) => sum + (REASONS_OF[status]?.includes(reason) ? count : 0), 0);
  return {
    active,
    pending,
    limited: off("limited") + limited,
    expired: off("expired") + expired,
    disabled: off("disabled"),
    reseller: off("reseller"),
  };
}

export type StandingKind = "active" | "pending" | "volume" | "expiry" | "manual" | "resaleVolume" | "resaleExpiry";

export interface Standing {
  readonly kind: StandingKind;
  readonly tone: Tone;
}

export const KINDS: Readonly<Record<string, StandingKind>> = {
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

type Standable = Pick<
  User,
  "enable" | "disabledReason" | "duration" | "activatedAt" | "expiry" | "volume" | "up" | "down"
>;

/**
 * What holds for an account: the reason it is off, else what its date and volume say until the panel has acted on them.
 */
export function standingOf(user: Standable, now: number): Standing {
  const kind = kindOf(user, now);
  return { kind, tone: STANDING_TONES[kind] };
}

function kindOf(
  { enable, disabledReason, duration, activatedAt, expiry, volume, up, down }: Standable,
  now: number,
): StandingKind {
  if (!enable) return KINDS[disabledReason] ?? "manual";
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

/** Where the panel says which formats carry its servers. */
export function formatsPath({ id }: { readonly id: string | number }): `/users/${string}/sub/formats` {
  return `/users/${id}/sub/formats`;
}

/** Where the panel says what stands between a user and a connection. */
export function verdictPath({ id }: { readonly id: string | number }): `/users/${string}/verdict` {
  return `/users/${id}/verdict`;
}

/** The subscription's address by the token, which stays when the link's id is changed. */
export function tokenLink({ subUrl, subToken }: Pick<User, "subUrl" | "subToken">): string {
  return `${subUrl.slice(0, subUrl.lastIndexOf("/") + 1)}${subToken}`;
}

/** Formats that a link may end in, after its id. */
const LINK_END = /\/(?:links|clash|singbox|xray|html|json)\/?$/i;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/**
 * What is looked for when somebody pastes what a user sent: of a subscription's link its id, of a client's
 * configuration its UUID.
 */
export function readSearch(typed: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed;
  const [uuid] = UUID.exec(typed) ?? [];
  if (uuid !== undefined) return uuid;
  const [address = ""] = typed.split(/[?#]/);
  return decoded(address.replace(LINK_END, "").replace(/\/+$/, "").split("/").at(-1) ?? typed);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that means itself.
    return part;
  }
}

/**
 * The filter `ends` of the page as the route's parameters. Rounded, so that the question stays the same while somebody
 * looks.
 */
export function endsParameters(ends: string | undefined, now: number): Readonly<Record<string, string | number>> {
  const hour = Math.floor(now / 3600) * 3600;
  if (ends === "never") return { expiry: "never" };
  const days = ends === "week" ? 7 : ends === "month" ? 30 : 0;
  return days === 0 ? {} : { expires_after: hour, expires_before: hour + days * 86_400 };
}
