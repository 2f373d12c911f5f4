// The closed list of what an agent leaves out: what a node sends is held against it.
import { expect, test } from "vitest";
import { hostNotice, itemPlace, noticeOf, told } from "../../src/agent/notices.ts";
import { keptNotices, otherNotice, saidNotices } from "../../src/fleet/records/notices.ts";
import { panelMethods } from "../../src/protocol/messages.ts";
import { ENGLISH, isReason, reason } from "../../src/protocol/notices/index.ts";
import { DICTIONARIES } from "../web/words/dictionaries.ts";
import { translateNotices } from "../../src/web/words/translate.ts";

const taken = noticeOf(itemPlace("inbound", "in-1"), reason("port_taken", 443, "nginx (process 8)"));

// rule nodes.warnings.2
test("a notice of an agent is its code with values, the item and the sentence of both", () => {
  expect(taken).toEqual({
    code: "port_taken",
    values: [443, "nginx (process 8)"],
    kind: "inbound",
    tag: "in-1",
    detail: "inbound in-1: port 443 is used by another program: nginx (process 8)",
  });
});

// rule nodes.warnings.2
test("an agent sends the sentences too, as many of both as have room", () => {
  expect(told([taken])).toEqual({ warnings: [taken.detail], notices: [taken] });
  const many = Array.from({ length: 1000 }, (_, index) => hostNotice("uuid_malformed", index));
  const { warnings, notices } = told(many, 8192);
  expect(warnings).toEqual(notices.map(({ detail }) => detail));
  expect([warnings.length > 20, warnings.length < 1000]).toEqual([true, true]);
});

// rule nodes.warnings.3
test("a panel takes a code only with the values that belong to it; anything else is another warning", () => {
  const wrong = [
    { ...taken, detail: "unknown", code: "of_a_newer_agent" },
    { ...taken, detail: "the panel's", code: "usage_refused", values: [] },
    { ...taken, detail: "inherited", code: "constructor" },
    { ...taken, detail: "too few", values: [443] },
    { ...taken, detail: "too many", values: [443, "a", "b"] },
    { ...taken, detail: "another kind", values: ["443", "a"] },
  ];
  const warnings = ["of an older agent", taken.detail, ...wrong.map(({ detail }) => detail)];
  expect(saidNotices({ warnings, notices: [...wrong, taken, { ...taken, detail: "no warning" }] })).toEqual([
    otherNotice("of an older agent"),
    taken,
    ...wrong.map(({ detail }) => otherNotice(detail)),
  ]);
  expect(saidNotices({ warnings: ["a"] })).toEqual([otherNotice("a")]);
});

// rule nodes.warnings.3
test("what is too large is refused where it is read, and counts with its values where it is kept", () => {
  const report = (notices: unknown) =>
    panelMethods["state.report"].result.safeParse({
      applied: { revision: 1, structure: "0".repeat(32), users: "0".repeat(32) },
      warnings: [],
      notices,
      engine: { kind: "xray", version: "1", state: "running", message: "", restarts: 0 },
    }).success;
  expect([report(undefined), report([]), report([taken])]).toEqual([true, true, true]);
  expect(report([{ ...taken, values: Array(21).fill("a") }])).toBe(false);
  // An item of a kind that only newer agents know is none here.
  expect(report([{ ...taken, kind: "user" }])).toBe(true);
  const wide = hostNotice("choices_left_out", ...Array.from({ length: 20 }, () => "a".repeat(300)));
  expect(keptNotices(Array.from({ length: 100 }, () => ({ ...wide, detail: "short" })))).toHaveLength(2);
});

// rule nodes.warnings.4
test("every code has words in every language, which are made from its values", () => {
  for (const { words } of DICTIONARIES)
    for (const code of Object.keys(ENGLISH)) {
      const fitting = shapes().find((values) => isReason(code, values));
      expect(fitting, code).toBeDefined();
      const text = translateNotices(words.notices)({ code, values: fitting ?? [], detail: "" });
      expect(text, code).not.toBe("");
      expect(text, code).not.toMatch(/undefined|NaN|\[object/);
    }
});

/** All lists of up to four texts and numbers. */
function shapes(): (string | number)[][] {
  let lists: (string | number)[][] = [[]];
  const all = [...lists];
  for (let length = 1; length <= 4; length += 1) {
    lists = lists.flatMap((list) => [
      [...list, "x"],
      [...list, 7],
    ]);
    all.push(...lists);
  }
  return all;
}
