// The catalogue is sound, and docs/events.md shows it as it is.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectCurrent } from "../generated-file.ts";
import { CATALOGUE } from "./create-events.ts";
import { catalogueTable } from "../../src/events/catalogue-table.ts";
import { isScope } from "../../src/http/index.ts";

const page = new URL("../../docs/events.md", import.meta.url);
const MARKED = /(<!-- catalogue -->\n)([\s\S]*?)(<!-- \/catalogue -->)/;

describe("catalogue", () => {
  // rule events.catalogue.1
  test("names are unique and stand under their family, scopes exist", () => {
    expect(new Set(CATALOGUE.all.map(({ name }) => name)).size).toBe(CATALOGUE.all.length);
    for (const { name, family, scope, description } of CATALOGUE.all) {
      expect(name).toMatch(new RegExp(`^${family}\\.[a-z0-9_]+$`));
      expect(scope === "" || isScope(scope)).toBe(true);
      expect(description).not.toBe("");
    }
    expect(CATALOGUE.all.filter(({ scope }) => scope === "").map(({ name }) => name)).toEqual(["panel.ping"]);
  });

  // rule events.catalogue.2
  test("every user event names its account, but for those of many", () => {
    for (const { name, fields } of CATALOGUE.all.filter(({ family }) => family === "user")) {
      const names = fields.map((field) => field.name);
      expect(names).toContain("adminId");
      expect(names.includes("userId")).toBe(name !== "user.bulk" && name !== "user.generated");
    }
    expect(CATALOGUE.get("user.quota_warning")?.fields.map(({ name }) => name)).toEqual([
      "userId",
      "name",
      "adminId",
      "usedPercent",
      "threshold",
      "used",
      "volume",
      "changed",
    ]);
  });

  // rule events.audience.1
  test("filters name events and families", () => {
    for (const entry of ["user.created", "user.*", "panel.*", "panel.ping"])
      expect(CATALOGUE.isFilterEntry(entry)).toBe(true);
    for (const entry of ["user.imagined", "*", "users.*", "user", "", "user.created.*"])
      expect(CATALOGUE.isFilterEntry(entry)).toBe(false);
  });

  test("docs/events.md carries the table (else: UPDATE_DOCS=1)", async () => {
    const text = readFileSync(page, "utf8");
    const fresh = text.replace(
      MARKED,
      (_, start: string, _old: string, end: string) => `${start}\n${catalogueTable(CATALOGUE)}\n\n${end}`,
    );
    const code = await expectCurrent(page, fresh);
    expect(code).toMatch(/\| `panel\.ping` +\| any +\|/);
  });
});
