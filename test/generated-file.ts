// Files of the repository that are written from the code. `UPDATE_DOCS=1` writes them, formatted as the others are.
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { formatted } from "../scripts/formatted.ts";

/** Fails when the file differs from `text`, unless this run updates it. Resolves to the text as it is formatted. */
export async function expectCurrent(file: URL, text: string): Promise<string> {
  const code = await formatted(file, text);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, code);
  expect(readFileSync(file, "utf8")).toBe(code);
  return code;
}
