// What a renewal of one account, and of many, is said to do before it is done.
import { expect, test } from "vitest";
import { endOf, renewalOf, renewalsOf, takesDate } from "../../../src/web/users/renewal.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;
const base = { duration: 0, activatedAt: 0, expiry: 0, term: 0, volume: 0 };
const ending = { ...base, expiry: NOW + DAY, term: 30 * DAY };
const ended = { ...base, expiry: NOW - DAY, term: 10 * DAY };
const unstarted = { ...base, duration: 30 * DAY, term: 30 * DAY, expiry: 1 };
const endless = { ...base, volume: 5 };
const termless = { ...base, expiry: NOW + DAY };

test("one more term goes from the end, or from now where that is past; before the first use the term grows", () => {
  expect([ending, ended, unstarted, endless, termless, base].map((user) => renewalOf(user, NOW))).toEqual([
    { kind: "until", at: NOW + 31 * DAY, term: 30 * DAY },
    { kind: "until", at: NOW + 10 * DAY, term: 10 * DAY },
    { kind: "term", seconds: 60 * DAY },
    { kind: "counters" },
    { kind: "dateless" },
    { kind: "dateless" },
  ]);
});

test("of many: the ends that there will be, and how many get something else", () => {
  expect(renewalsOf([ending, ended, unstarted, unstarted, endless, termless], NOW)).toEqual({
    ends: [NOW + 31 * DAY, NOW + 10 * DAY],
    terms: 2,
    counters: 1,
    dateless: 1,
  });
});

test("a chosen date is for who has an end, or nothing to renew by", () => {
  expect([ending, unstarted, endless, termless, base].map((user) => takesDate(renewalOf(user, NOW)))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

test("before its first use an account has no end yet", () => {
  expect([ending, unstarted, endless].map(endOf)).toEqual([NOW + DAY, undefined, undefined]);
});
