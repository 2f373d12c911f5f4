// Which devices may take an account's configurations (rules subscriptions.device): pure, and the only place that
// decides it.
import type { Device, RefusedDevice } from "../records/device.entity.ts";
import { headerText } from "../../lib/header-text.ts";
import { oneLine } from "../../lib/one-line.ts";

/** What a request says of the device that sends it. */
export interface DeviceClaim {
  /** Empty: it names none. */
  readonly hwid: string;
  readonly platform: string;
  readonly osVersion: string;
  readonly model: string;
  readonly userAgent: string;
  readonly ip: string;
}

const HWID_LENGTH = 128;
const TEXT_LENGTH = 64;
const CLIENT_LENGTH = 256;
/** Devices kept of an account without a limit: the ones not seen for longest make room. */
const KEPT = 100;
/** Refused devices remembered for an account: no more of them are told in an hour. */
const REFUSED_KEPT = 10;
const HOUR = 3600;

/** A header as it may be stored and shown: one line, cut. */
export function shortText(text: string | readonly string[] | undefined, length: number): string {
  const first = typeof text === "string" ? text : (text?.[0] ?? "");
  return oneLine(headerText(first).slice(0, length)).slice(0, length).toWellFormed();
}

/** A request that names no device. */
export const NO_DEVICE: DeviceClaim = { hwid: "", platform: "", osVersion: "", model: "", userAgent: "", ip: "" };

/** In an address they mean another place: a device of such a name could not be forgotten. */
const NO_NAME = /^\.{1,2}$/;

/** What the headers of a request claim. Whatever they hold, the claim is short and one line each. */
export function deviceClaim(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ip: string,
): DeviceClaim {
  if (headers["x-hwid"] === undefined) return NO_DEVICE;
  const hwid = shortText(headers["x-hwid"], HWID_LENGTH);
  return {
    hwid: NO_NAME.test(hwid) ? "" : hwid,
    platform: shortText(headers["x-device-os"], TEXT_LENGTH),
    osVersion: shortText(headers["x-ver-os"], TEXT_LENGTH),
    model: shortText(headers["x-device-model"], TEXT_LENGTH),
    userAgent: shortText(headers["user-agent"], CLIENT_LENGTH),
    ip,
  };
}

export type Admission =
  /** It has a place, or needs none. */
  | "admitted"
  /** There is a place, and it has yet to be given to it. */
  | "new"
  /** It names no id, and must. */
  | "unidentified"
  | "full";

export interface DeviceLimit {
  /** 0 = none. */
  readonly limit: number;
  /** A device without an id is refused where there is a limit. */
  readonly strict: boolean;
}

/** What becomes of a claim, given the devices that have places. */
export function admission(claim: DeviceClaim, devices: readonly Device[], { limit, strict }: DeviceLimit): Admission {
  if (claim.hwid === "") return limit > 0 && strict ? "unidentified" : "admitted";
  if (devices.some(({ hwid }) => hwid === claim.hwid)) return "admitted";
  return limit > 0 && devices.length >= limit ? "full" : "new";
}

/** The devices with this one among them, newest first. */
export function withDevice(devices: readonly Device[], claim: DeviceClaim, at: number): readonly Device[] {
  const before = devices.find(({ hwid }) => hwid === claim.hwid);
  const seen = { ...claim, firstSeenAt: before?.firstSeenAt ?? at, lastSeenAt: at };
  const others = devices.filter(({ hwid }) => hwid !== claim.hwid);
  return [seen, ...others.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)].slice(0, Math.max(KEPT, devices.length));
}

/** The refused ones with this one among them; undefined where it is not told: it was within the hour, or many were. */
export function withRefused(
  refused: readonly RefusedDevice[],
  hwid: string,
  at: number,
): readonly RefusedDevice[] | undefined {
  const recent = refused.filter((one) => at - one.at < HOUR && one.at <= at);
  if (recent.length >= REFUSED_KEPT || recent.some((one) => one.hwid === hwid)) return undefined;
  return [{ hwid, at }, ...recent];
}
