// Keys go by their place, so that they hold on every layout.
import { expect, test } from "vitest";
import { writtenKey } from "../../../src/web/browser/written-key.ts";

function pressed(code: string, more: Partial<Parameters<typeof writtenKey>[0]> = {}) {
  return writtenKey({ code, key: "", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
}

test("a letter is that of its place, whatever the layout writes", () => {
  expect(pressed("KeyG", { key: "ل" })).toBe("g");
  expect(pressed("KeyN", { key: "т" })).toBe("n");
});

test("shift and control stand before the key", () => {
  expect(pressed("KeyX", { shiftKey: true })).toBe("shift+x");
  expect(pressed("KeyK", { ctrlKey: true })).toBe("mod+k");
  expect(pressed("KeyK", { metaKey: true })).toBe("mod+k");
});

test("the question mark is where the layout has it", () => {
  expect(pressed("Slash", { key: "؟", shiftKey: true })).toBe("?");
  expect(pressed("Digit7", { key: "?", shiftKey: true })).toBe("?");
  expect(pressed("Slash", { key: "/" })).toBe("/");
});

test("keys that no map has, and those with Alt, are none", () => {
  expect(pressed("F5")).toBeUndefined();
  expect(pressed("KeyA", { altKey: true })).toBeUndefined();
});
