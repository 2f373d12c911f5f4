// The old context is the present one with every later change undone, and unknown if that cannot be known.
import { expect, test } from "vitest";
import { contextAt } from "../../../src/web/inspect/actor/past.ts";
import { bySeq, entry } from "./entries.ts";

const journal = bySeq(
  entry(1, { from: null }),
  entry(2, { changed: { attempt: [0, 1], message: ["", "refused"] } }),
  entry(3, { changed: { attempt: [1, 2] } }),
  entry(4, { changed: { message: ["refused", "timeout"] } }),
);
const now = { attempt: 2, message: "timeout", engine: "xray" };

test("changes since then are undone, newest first", () => {
  const then = contextAt(now, { entries: journal, head: 4 }, 2);
  expect(then.get("attempt")).toEqual({ known: true, value: 1 });
  expect(then.get("message")).toEqual({ known: true, value: "refused" });
  expect(then.get("engine")).toEqual({ known: true, value: "xray" });
});

test("the newest step has the context of now", () => {
  expect(
    Object.fromEntries(
      [...contextAt(now, { entries: journal, head: 4 }, 4)].map(([field, each]) => [field, each.known && each.value]),
    ),
  ).toEqual(now);
});

test("a value that was too long to be kept is unknown, unless an earlier step left it there", () => {
  const cut = bySeq(
    entry(1, { from: null, changed: { message: [null, "hello"] } }),
    entry(2, { changed: { message: ["[cut]", "x"] } }),
  );
  expect(contextAt(now, { entries: cut, head: 2 }, 1).get("message")).toEqual({ known: true, value: "hello" });
  const both = bySeq(entry(1, { from: null }), entry(2, { changed: { message: ["[cut]", "[cut]"] } }));
  expect(contextAt(now, { entries: both, head: 2 }, 1).get("message")).toEqual({ known: false });
});

test("after a step that does not name all it changed, fields that it does not name are unknown", () => {
  const cut = bySeq(entry(1, { from: null }), entry(2, { changed: { attempt: [1, 2], "[cut]": ["[cut]", "[cut]"] } }));
  const then = contextAt(now, { entries: cut, head: 2 }, 1);
  expect(then.get("attempt")).toEqual({ known: true, value: 1 });
  expect(then.get("engine")).toEqual({ known: false });
  expect(then.has("[cut]")).toBe(false);
});

test("across entries that were not read, only what the journal around says is known", () => {
  const gap = bySeq(entry(50, { changed: { attempt: [3, 4] } }), entry(51));
  const then = contextAt(now, { entries: gap, head: 9000 }, 51);
  expect(then.get("attempt")).toEqual({ known: true, value: 4 });
  expect(then.get("engine")).toEqual({ known: false });
});
