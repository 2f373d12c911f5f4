// What an account's record says about its standing.
import { expect, test } from "vitest";
import {
  endsParameters,
  isOnline,
  readSearch,
  standingOf,
  statusCounts,
  statusParameters,
  tokenLink,
} from "../../../src/web/users/user.ts";

const NOW = 1_800_000_000;
const base = { enable: true, disabledReason: "", duration: 0, activatedAt: 0, expiry: 0, volume: 0, up: 0, down: 0 };

test.each([
  ["an account without limits is active", {}, "active"],
  [
    "a plan that waits for its first connection is pending, whatever its volume",
    { duration: 60, volume: 1, up: 5 },
    "pending",
  ],
  ["one past its date has ended, even over its volume", { expiry: NOW, volume: 1, up: 5 }, "expiry"],
  ["one at its volume has used it up", { volume: 5, up: 2, down: 3 }, "volume"],
  ["one that a person switched off is off", { enable: false, disabledReason: "manual", expiry: NOW - 1 }, "manual"],
  [
    "one whose reseller spent its allowance says so",
    { enable: false, disabledReason: "resale-volume" },
    "resaleVolume",
  ],
] as const)("%s", (_name, fields, kind) => {
  expect(standingOf({ ...base, ...fields }, NOW).kind).toBe(kind);
});

test("online is who had traffic in the last ninety seconds", () => {
  expect([
    isOnline({ onlineAt: NOW - 90 }, NOW),
    isOnline({ onlineAt: NOW - 91 }, NOW),
    isOnline({ onlineAt: 0 }, NOW),
  ]).toEqual([true, false, false]);
});

test("the permanent link differs in its last part alone", () => {
  expect(tokenLink({ subUrl: "https://vpn.example/sub/anna", subToken: "f00d" })).toBe("https://vpn.example/sub/f00d");
});

test("a filter by the end asks the same question for an hour", () => {
  expect(endsParameters("week", NOW + 1)).toEqual(endsParameters("week", NOW + 60));
  expect(endsParameters("never", NOW)).toEqual({ expiry: "never" });
  expect(endsParameters(undefined, NOW)).toEqual({});
});

test("an account that is off is asked for by the reason", () => {
  expect(["limited", "expired", "disabled", "reseller", "active", undefined].map(statusParameters)).toEqual([
    { reason: "volume" },
    { reason: "expiry" },
    { reason: "manual" },
    { reason: "resale-volume,resale-expiry" },
    { status: "active" },
    {},
  ]);
});

test("counts tell why accounts are off, and lose none", () => {
  const reasons = [
    { reason: "manual", count: 1 },
    { reason: "volume", count: 2 },
    { reason: "resale-volume", count: 3 },
    { reason: "resale-expiry", count: 4 },
  ];
  const counts = statusCounts({
    total: 33,
    active: 8,
    pending: 7,
    disabled: 10,
    limited: 5,
    expired: 3,
    online: 0,
    groups: [],
    reasons,
  });
  expect(counts).toEqual({ active: 8, pending: 7, limited: 7, expired: 3, disabled: 1, reseller: 7 });
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(33);
});

test.each([
  ["anna", "anna"],
  ["https://vpn.example/sub/Ann4-x_", "Ann4-x_"],
  ["https://vpn.example/k7/sub/Ann4/clash?x=1#top", "Ann4"],
  ["https://vpn.example/sub/Ann4/", "Ann4"],
  ["vless://0b5c2f0e-1f4e-4a51-9d35-0a5f7f3f2a11@host:443?type=tcp#name", "0b5c2f0e-1f4e-4a51-9d35-0a5f7f3f2a11"],
  ["https://vpn.example/sub/50%", "50%"],
])("what is looked for when %s is typed", (typed, wanted) => {
  expect(readSearch(typed)).toBe(wanted);
});
