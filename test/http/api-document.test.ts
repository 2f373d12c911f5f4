// docs/api.md names every refusal under its status.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLOSER_CODES, ERRORS } from "../../src/http/refusals/code.schema.ts";

// rule http.error.6
test("the table of errors has every code, in the row of its status", () => {
  const text = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const closer = Object.entries(CLOSER_CODES).map(([code, { of }]) => [code, ERRORS[of]] as const);
  const missing = [...Object.entries(ERRORS), ...closer].filter(([code, { status }]) => {
    const row = text.split("\n").find((line) => line.startsWith(`| ${status} `)) ?? "";
    return !row.includes(`\`${code}\``);
  });
  expect(missing.map(([code]) => code)).toEqual([]);
});
