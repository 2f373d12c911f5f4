// Where a sign-in leads, and codes as people type them.
import { expect, test } from "vitest";
import { destination, signInPath } from "../../../src/web/session/destination.ts";
import { plainDigits } from "../../../src/web/sign-in/digits.ts";

test("a sign-in leads to the page that was asked for, with its query", () => {
  const path = "/inspect/node/3?at=12";
  expect(destination(signInPath(path).replace("/login?", ""))).toBe(path);
  expect(signInPath("/")).toBe("/login");
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "/login", "", "javascript:alert(1)"])(
  "it never leads elsewhere: %j",
  (next) => {
    expect(destination(new URLSearchParams({ next }).toString())).toBe("/");
  },
);

test("a code may be typed with spaces and in Persian or Arabic digits", () => {
  expect(plainDigits(" 123 456 ")).toBe("123456");
  expect(plainDigits("۱۲۳۴۵۶")).toBe("123456");
  expect(plainDigits("١٢٣٤٥٦")).toBe("123456");
});
