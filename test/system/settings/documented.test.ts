// docs/settings.md has every key as the catalogue has it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SettingEntry } from "../../../src/feature/index.ts";
import { PANEL } from "../../../src/panel/features.ts";

const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, key, value, who, holds]) => ({
    key,
    value,
    who,
    holds,
  }),
);

function defaultOf(entry: SettingEntry): string {
  const value = entry.default === "" ? "empty" : `\`${entry.default}\``;
  if (entry.whenEmpty === undefined) return value;
  return entry.default === ""
    ? `empty (means \`${entry.whenEmpty}\`)`
    : `${value} (empty means \`${entry.whenEmpty}\`)`;
}

function writerOf(entry: SettingEntry): string {
  if (entry.internal) return "nobody";
  return entry.panelWide ? "main admin" : "operator";
}

test("every key of every feature, with its default and who writes it", () => {
  const documented = new Set(rows.map(({ key, value, who }) => ({ key, value, who })));
  expect(documented.size).toBe(rows.length);
  expect(documented).toEqual(
    new Set(
      Object.entries(PANEL.settings).map(([key, entry]) => ({ key, value: defaultOf(entry), who: writerOf(entry) })),
    ),
  );
});

test("every row says when its value holds", () => {
  for (const { key = "", holds = "" } of rows) {
    const { restart, unused } = PANEL.settings[key as keyof typeof PANEL.settings];
    const expected = restart ? ["at a restart"] : unused ? ["stored"] : ["at once", "hourly"];
    expect([key, expected]).toEqual([key, expect.arrayContaining([holds])]);
  }
});
