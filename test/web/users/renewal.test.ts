// What a renewal of one account, and of many, is said to do before it is done.
import { expect, test } from "vitest";
import {
  endOf,
  goesByOwn,
  nextResetAfter,
  OWN,
  renewalBody,
  renewalOf,
  renewalsOf,
  type Choice,
} from "../../../src/web/users/renewal.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;
const base = { duration: 0, activatedAt: 0, expiry: 0, term: 0, volume: 0 };
const ending = { ...base, expiry: NOW + DAY, term: 30 * DAY };
const ended = { ...base, expiry: NOW - DAY, term: 10 * DAY };
const unstarted = { ...base, duration: 30 * DAY, term: 30 * DAY, expiry: 1 };
const endless = { ...base, volume: 5 };
const termless = { ...base, expiry: NOW + DAY };
const all = [ending, ended, unstarted, endless, termless, base];

// rule users.renew.6
test.each<readonly [Choice, readonly object[]]>([
  [
    OWN,
    [
      { kind: "until", at: NOW + 31 * DAY },
      { kind: "until", at: NOW + 10 * DAY },
      { kind: "term", seconds: 60 * DAY },
      { kind: "counters" },
      { kind: "termless" },
      { kind: "nothing" },
    ],
  ],
  [
    { by: "days", days: 7 },
    [
      { kind: "until", at: NOW + 8 * DAY },
      { kind: "until", at: NOW + 7 * DAY },
      { kind: "term", seconds: 37 * DAY },
      { kind: "until", at: NOW + 7 * DAY },
      { kind: "until", at: NOW + 8 * DAY },
      { kind: "until", at: NOW + 7 * DAY },
    ],
  ],
  [{ by: "plan", plan: { id: 3, days: 0 } }, all.map(() => ({ kind: "endless" }))],
  [
    { by: "date", at: NOW + 9 },
    all.map((user) => (user === unstarted ? { kind: "unstarted" } : { kind: "until", at: NOW + 9 })),
  ],
])("by %o each account gets a whole length, from its end or from now", (choice, told) => {
  expect(all.map((user) => renewalOf(user, choice, NOW))).toEqual(told);
});

test("what is sent says the length once", () => {
  const choices: readonly Choice[] = [
    OWN,
    { by: "days", days: 30 },
    { by: "plan", plan: { id: 3, days: 30 } },
    { by: "date", at: 5 },
  ];
  expect(choices.map(renewalBody)).toEqual([{}, { days: 30 }, { planId: 3 }, { expiry: 5 }]);
});

test("of many: the ends that there will be, and how many get something else", () => {
  const users = [ending, ended, unstarted, unstarted, endless, termless];
  const none = { ended: 0, terms: 0, counters: 0, endless: 0, termless: 0 };
  expect(renewalsOf(users, OWN, NOW)).toEqual({
    ...none,
    ends: [NOW + 31 * DAY, NOW + 10 * DAY],
    terms: 2,
    counters: 1,
    termless: 1,
  });
  const ends = [NOW + 8 * DAY, NOW + 7 * DAY, NOW + 7 * DAY, NOW + 8 * DAY];
  expect(renewalsOf(users, { by: "days", days: 7 }, NOW)).toEqual({ ...none, ends, ended: 1, terms: 2 });
  // A date is for those that have one: the others go by their own.
  const dated = renewalsOf(users, { by: "date", at: NOW + 5 }, NOW);
  expect(dated).toEqual({ ...none, ends: [NOW + 5, NOW + 5, NOW + 5], terms: 2, counters: 1 });
});

test("an own term is offered where there is one, or a volume alone", () => {
  expect(all.map((user) => goesByOwn(user, NOW))).toEqual([true, true, true, true, false, false]);
});

// rule users.reset.5
test("a rolling cycle starts again, a calendar one stays, a plan's calendar only the panel knows", () => {
  const rolling = { autoReset: true, resetPeriod: "", resetDays: 30 };
  expect(nextResetAfter(rolling, NOW + DAY, NOW)).toBe(NOW + 30 * DAY);
  expect(nextResetAfter({ ...rolling, autoReset: false }, NOW + DAY, NOW)).toBe(0);
  expect(nextResetAfter({ ...rolling, resetPeriod: "monthly" }, NOW + DAY, NOW)).toBe(NOW + DAY);
  expect(nextResetAfter({ ...rolling, resetPeriod: "monthly" }, undefined, NOW)).toBeUndefined();
});

test("before its first use an account has no end yet", () => {
  expect([ending, unstarted, endless].map(endOf)).toEqual([NOW + DAY, undefined, undefined]);
});
