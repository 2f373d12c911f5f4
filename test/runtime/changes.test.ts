// What the journal keeps of a change: every field that changed is named, within 2 KiB, without secrets.
import { expect, test } from "vitest";
import { sealSecret } from "../../src/lib/seal.ts";
import { changesBetween, CUT, REDACTED } from "../../src/runtime/changes.ts";

const read = (text: string) => JSON.parse(text) as Record<string, [unknown, unknown]>;

test("fields that differ, by their JSON; what came or went is null on the other side", () => {
  const text = changesBetween({ a: 1, b: "x", c: [1, 2], gone: true }, { a: 2, b: "x", c: [1, 2], come: { d: 1 } });
  expect(read(text)).toEqual({ a: [1, 2], gone: [true, null], come: [null, { d: 1 }] });
  expect(changesBetween({ a: [1] }, { a: [1] })).toBe("");
});

// rule inspector.read.7
test("of a secret only that it changed", () => {
  expect(read(changesBetween({ key: "old" }, { key: "new" }, ["key"]))).toEqual({ key: [REDACTED, REDACTED] });
  expect(changesBetween({ key: "same" }, { key: "same" }, ["key"])).toBe("");
});

// rules inspector.read.7, certificates.secret.7
test("of a sealed text only that it changed, without being named as a secret", () => {
  const seal = () => sealSecret(Buffer.alloc(32, 1), "plain", { table: "nodes", column: "ssh_key", id: 1 });
  expect(read(changesBetween({ sshKey: "" }, { sshKey: seal() }))).toEqual({ sshKey: [REDACTED, REDACTED] });
  expect(read(changesBetween({ sshKey: seal() }, { sshKey: seal() }))).toEqual({ sshKey: [REDACTED, REDACTED] });
});

// rule inspector.read.7
test("a long value is cut, first the one after; the rest stays whole", () => {
  const long = "x".repeat(1500);
  const text = changesBetween({ attempt: 1, message: long, note: "" }, { attempt: 2, message: `${long}!`, note: "n" });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  expect(read(text)).toEqual({ attempt: [1, 2], message: [long, CUT], note: ["", "n"] });
});

test("bytes count, not letters", () => {
  const text = changesBetween({ message: "" }, { message: "ю".repeat(1200) });
  expect(read(text)).toEqual({ message: ["", CUT] });
});

test("where not even the names have room, the rest is said to be missing", () => {
  const fields = (value: number) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field ${index}`, value]));
  const text = changesBetween(fields(1), fields(2));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  const changed = read(text);
  expect(changed[CUT]).toEqual([CUT, CUT]);
  expect(changed["field 0"]).toBeDefined();
});
