// Settings as the page holds them: rows of the panel, and what was typed beside them. Pure.
import type { z } from "zod";
import type { Setting as SettingSchema } from "../../system/settings/settings.schema.ts";
import type { Words } from "../words/language.ts";

export type Setting = z.output<typeof SettingSchema>;
export type Group = Setting["group"];

/** What was typed and is not saved, by key. */
export type Edits = Readonly<Record<string, string>>;

/** Rows that the search and the group leave. */
export function shownSettings(
  rows: readonly Setting[],
  { q, group }: { readonly q: string; readonly group: string },
  labelOf: (key: string) => string,
): readonly Setting[] {
  const wanted = q.trim().toLowerCase();
  return rows.filter((row) => {
    if (group !== "" && row.group !== group) return false;
    return wanted === "" || [row.key, row.value, labelOf(row.key)].some((text) => text.toLowerCase().includes(wanted));
  });
}

/** Rows by group, in the order of the groups' words. */
export function groupedSettings(
  rows: readonly Setting[],
  words: Words["settings"],
): readonly { readonly group: Group; readonly rows: readonly Setting[] }[] {
  const order = Object.keys(words.groups);
  return [...Map.groupBy(rows, (row) => row.group)]
    .map(([group, members]) => ({ group, rows: members }))
    .toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/** What differs from the rows; of secrets what was typed at all. */
export function changesOf(rows: readonly Setting[], edits: Edits): Edits {
  const known = new Map(rows.map((row) => [row.key, row]));
  return Object.fromEntries(
    Object.entries(edits).filter(([key, value]) => {
      const row = known.get(key);
      return row !== undefined && value !== (row.secret ? "" : row.value);
    }),
  );
}
