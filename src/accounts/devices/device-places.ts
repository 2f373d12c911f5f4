// Places of devices under `deviceLimit`: given in one transaction that holds the account's row, so that no two requests
// get the last one, in whichever process they are (rule subscriptions.device.2).
import { UserDeviceRows, type Device, type UserDeviceRow } from "../records/device.entity.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";
import { userEvent } from "../users/user.actor.ts";
import { decidedAgainIfTaken, lock, type Committer, type Draft, type Reader } from "../../db/index.ts";
import type { Outbox } from "../../runtime/index.ts";
import { admission, withDevice, withRefused, type Admission, type DeviceClaim } from "./admission.ts";

export interface PlacesDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly outbox: Outbox<"user.device_limit_reached">;
  /** Setting `device_limit_strict`. */
  readonly strict: () => boolean;
  /** Unix seconds. */
  readonly now: () => number;
}

/** An account, as far as its limit goes. */
type Limited = Readonly<Pick<UserRow, "id" | "deviceLimit">>;

/** What a device may do, and whether it had its place before. */
export type Verdict = Exclude<Admission, "new">;

/** Reads an account's devices. */
export type DevicesOf = () => Promise<UserDeviceRow | undefined>;

export interface DevicePlaces {
  /**
   * Whether a request may have the account's configurations. With `take` a new device gets its place; without, it is
   * only asked whether there is one.
   */
  admit(row: Limited, claim: DeviceClaim, take: boolean, devicesOf?: DevicesOf): Promise<Verdict>;
  /** The same from what is known, where that decides it: undefined = the account's row must be asked. */
  verdict(row: Limited, claim: DeviceClaim, devices: UserDeviceRow | null | undefined): Verdict | undefined;
  /** Frees a device's place; false where it has none. */
  release(userId: number, hwid: string): Promise<boolean>;
}

export function devicePlaces({ commits, reads, outbox, strict, now }: PlacesDeps): DevicePlaces {
  /** Decided once more, with the rows held. */
  const decided = (userId: number, claim: DeviceClaim): Promise<Verdict> =>
    decidedAgainIfTaken(UserDeviceRows, () =>
      commits.submit({
        name: "subscription.device",
        locks: [lock(UserRows, userId, "read"), lock(UserDeviceRows, userId)],
        decide(draft): Verdict {
          const user = draft.find(UserRows, userId, "read");
          // Deleted a moment ago.
          if (!user) return "full";
          const row = draft.find(UserDeviceRows, userId);
          const { devices, refused } = row ?? { devices: [], refused: [] };
          const verdict = admission(claim, devices, { limit: user.deviceLimit, strict: strict() });
          if (verdict === "new") {
            const next = { devices: withDevice(devices, claim, draft.time), refused };
            if (row) draft.update(UserDeviceRows, userId, next);
            else draft.insert(UserDeviceRows, { id: userId, ...next });
            return "admitted";
          }
          const told = verdict === "full" ? withRefused(refused, claim.hwid, draft.time) : undefined;
          if (!told) return verdict;
          if (row) draft.update(UserDeviceRows, userId, { refused: told });
          else draft.insert(UserDeviceRows, { id: userId, devices, refused: told });
          const { hwid } = claim;
          outbox.raise(draft, userEvent(user, "user.device_limit_reached", { hwid, limit: user.deviceLimit }));
          return verdict;
        },
      }),
    );

  return {
    verdict({ deviceLimit: limit }, claim, devices) {
      if (claim.hwid !== "" && devices === undefined) return undefined;
      const verdict = admission(claim, devices?.devices ?? [], { limit, strict: strict() });
      return verdict === "admitted" || verdict === "unidentified" ? verdict : undefined;
    },
    async admit(row, claim, take, devicesOf = () => reads.find(UserDeviceRows, row.id)) {
      const limits = { limit: row.deviceLimit, strict: strict() };
      // Nothing is read for a client that names no device.
      if (claim.hwid === "") return admission(claim, [], limits) === "unidentified" ? "unidentified" : "admitted";
      const known = await devicesOf();
      const verdict = admission(claim, known?.devices ?? [], limits);
      if (verdict === "new") return take ? decided(row.id, claim) : "admitted";
      const untold = verdict === "full" && take && withRefused(known?.refused ?? [], claim.hwid, now());
      return untold ? decided(row.id, claim) : verdict;
    },
    release: (userId, hwid) =>
      commits.submit({
        name: "subscription.device.release",
        locks: [lock(UserRows, userId, "read"), lock(UserDeviceRows, userId)],
        decide: (draft) => releaseDevice(draft, userId, hwid) !== undefined,
      }),
  };
}

/** Frees a device's place. Returns what was known of it; undefined where it has none. The row must be held. */
export function releaseDevice(draft: Draft, userId: number, hwid: string): Device | undefined {
  const row = draft.find(UserDeviceRows, userId);
  const device = row?.devices.find((one) => one.hwid === hwid);
  if (!row || !device) return undefined;
  draft.update(UserDeviceRows, userId, { devices: row.devices.filter((one) => one.hwid !== hwid) });
  return device;
}

/** Frees all places of an account. Returns what was known of the devices. The row must be held. */
export function releaseDevices(draft: Draft, userId: number): readonly Device[] {
  const { devices = [] } = draft.find(UserDeviceRows, userId) ?? {};
  if (devices.length > 0) draft.update(UserDeviceRows, userId, { devices: [] });
  return devices;
}
