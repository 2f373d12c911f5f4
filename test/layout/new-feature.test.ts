// `npm run new-feature`: what it writes is of its language, in the format of the house, and finds its places in the
// lists. That the whole passes `npm run check` takes minutes: run it in a copy after changing what it writes.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatted } from "../../scripts/formatted.ts";
import { enteredLists } from "../../scripts/new-feature/lists.ts";
import { namesOf } from "../../scripts/new-feature/names.ts";
import { serverFiles } from "../../scripts/new-feature/server.ts";
import { webFiles } from "../../scripts/new-feature/web.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = namesOf("maintenance-notes");

test("a name is told in each spelling, and one that does not fit is refused", () => {
  expect(names).toEqual({
    folder: "maintenance-notes",
    one: "maintenance note",
    many: "maintenance notes",
    table: "maintenance_notes",
    family: "maintenance_note",
    Type: "MaintenanceNote",
    variable: "maintenanceNote",
    variables: "maintenanceNotes",
  });
  for (const bad of ["", "note", "Notes", "maintenance notes", "../notes", "notes-"])
    expect(() => namesOf(bad)).toThrow("is no name");
});

test("each file is of its language and imports only what is there", async () => {
  const files = { ...serverFiles(names), ...webFiles(names) };
  expect(Object.keys(files).length).toBeGreaterThan(14);
  for (const [path, text] of Object.entries(files)) {
    const code = await formatted(pathToFileURL(join(root, path)), text);
    for (const [, from = ""] of code.matchAll(/from "(\.[^"]+)"/g)) {
      const target = join(path, "..", from);
      expect(target in files || existsSync(join(root, target)), `${path}: ${from}`).toBe(true);
    }
  }
});

test("one feature after the other is entered into each list", () => {
  const first = enteredLists(names, (file) => readFileSync(join(root, file), "utf8"));
  const second = enteredLists(namesOf("status-pages"), (file) => first.get(file) ?? "");
  expect([...second.keys()].toSorted()).toEqual([...first.keys()].toSorted());
  for (const [file, text] of second) expect(text, file).toMatch(/maintenance[\s\S]*status|status[\s\S]*maintenance/i);
});
