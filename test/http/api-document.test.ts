// docs/api.md names every refusal under its status.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERRORS } from "../../src/http/refusals/errors.ts";

// rule http.error.6
test("the table of errors has every code, in the row of its status", () => {
  const text = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const missing = Object.entries(ERRORS).filter(([code, { status }]) => {
    const row = text.split("\n").find((line) => line.startsWith(`| ${status} `)) ?? "";
    return !row.includes(`\`${code}\``);
  });
  expect(missing.map(([code]) => code)).toEqual([]);
});
