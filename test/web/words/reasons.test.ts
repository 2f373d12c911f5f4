// Every reason why an account is off, and every code that long work has for a record, has words of its own in each
// language: a customer's limit and a seller's are two sentences.
import { expect, test } from "vitest";
import { refusalText as placeholderText } from "../../../src/subscriptions/documents/placeholder.ts";
import { REASONS } from "../../../src/accounts/records/user-status.ts";
import { problemText, trialText } from "../../../src/web/jobs/problem-text.ts";
import { KINDS } from "../../../src/web/users/user.ts";
import { translateRaised } from "../../../src/web/words/translate.ts";
import { DICTIONARIES } from "./dictionaries.ts";

/** Every one is there, and none is another's. */
function expectOwn(texts: readonly (string | undefined)[]): void {
  expect(texts.every((text) => text !== undefined && text !== "")).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
}

test.each(DICTIONARIES)("$language says why an account is off", ({ words }) => {
  expect(Object.keys(KINDS).toSorted()).toEqual([...REASONS].toSorted());
  const kinds = REASONS.flatMap((reason) => KINDS[reason] ?? []);
  expectOwn(kinds.map((kind) => words.users.standing[kind]));
  expectOwn(kinds.map((kind) => sentence(words.users.standingText[kind])));
});

const sentence = (text: string | ((...values: string[]) => string)) =>
  typeof text === "string" ? text : text("1", "2");

/** The events that the panel raises as it switches an account off, with the reasons that each may have. */
const SWITCHED_OFF = {
  "user.disabled": REASONS.filter((reason) => reason !== "manual"),
  "user.quota_reached": REASONS.filter((reason) => reason.endsWith("volume")),
  "user.expired": REASONS.filter((reason) => reason.endsWith("expiry")),
} as const;

test.each(DICTIONARIES)("$language tells events of accounts that go off apart by their reason", ({ words }) => {
  expect(Object.keys(words.raisedFor).toSorted()).toEqual(Object.keys(SWITCHED_OFF).toSorted());
  for (const [event, reasons] of Object.entries(SWITCHED_OFF)) {
    const told = reasons.map((reason) => translateRaised(words.raised, words.raisedFor, event, reason));
    expectOwn(told);
  }
});

test.each(DICTIONARIES)("$language says on a subscription why nothing is served", ({ language }) => {
  const told = REASONS.map((reason) => placeholderText("disabled", reason, language));
  expectOwn(told);
});

/** As `bulk`, `import` and taking back say them, and what the runner says of every work. */
const CODES = {
  stays_off: "its limits keep it off: volume",
  kept_off: "done; its reseller keeps it off: resale-volume",
  not_found: "no user 7",
  changed_meanwhile: "it was changed since",
  exists: "an account has this name",
  unchanged: "the account is as the line says",
  quarantined: "its actor is in quarantine",
  duplicate: "name: the value is taken",
  internal: "internal error",
} as const;

test.each(DICTIONARIES)("$language says what became of a record of long work", ({ language, words }) => {
  const told = Object.entries(CODES).map(([code, error]) =>
    problemText({ code, error, ...(code === "duplicate" ? { field: "name" } : {}) }, words.jobs, words.parts),
  );
  expectOwn(told);
  // The panel's own sentence is English: no other language falls back to it.
  if (language !== "en") expect(told.filter((text) => Object.values<string>(CODES).includes(text))).toEqual([]);
});

test.each(DICTIONARIES)(
  "$language says why an import would refuse a line, by a rule or for another account",
  ({ words }) => {
    const why = (field: string, code: string, error: string) =>
      trialText({ field, code, error }, words.jobs, words.parts);
    expect(why("volume", "size", "volume: must be a size")).toBe(words.parts.refusals.rules.size);
    expect(why("externalId", "duplicate", "externalId: the value is taken")).toBe(words.parts.taken);
    expect(why("", "plan_needed", "this account sells plans only")).toBe(words.parts.refusals.codes.plan_needed);
  },
);
