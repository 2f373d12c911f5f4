// Files of the repository that are written from the code. `UPDATE_DOCS=1` writes them, formatted as the others are.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { format, type FormatConfig } from "oxfmt";
import { expect } from "vitest";

const OPTIONS = JSON.parse(readFileSync(new URL("../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig;

/** Fails when the file differs from `text`, unless this run updates it. Resolves to the text as it is formatted. */
export async function expectCurrent(file: URL, text: string): Promise<string> {
  const { code } = await format(basename(file.pathname), text, OPTIONS);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, code);
  expect(readFileSync(file, "utf8")).toBe(code);
  return code;
}
