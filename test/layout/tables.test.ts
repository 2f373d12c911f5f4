// Each table is written by the room that owns it: the one whose entity names it. What others want changed they ask that
// room for. Read from the sources: statements in SQL, sweeps, and changes that a command records by an entity. `src/db`
// writes what a caller records and is nobody's room.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files whose statements take their table as a value, and why. */
const BY_VALUE: Record<string, string> = {
  "src/access/access.ts": "forgets, in one loop, what expired in five tables of its own room",
  "src/accounts/deleted/forgetting.ts": "forgets, in one loop, rows of two tables of its own room",
  "src/backups/load/complete.ts": "settings that stay, in a database that is being built and that nobody has opened",
  "src/fleet/usage/forgetting.ts": "forgets, in one loop, rows of three rooms that late usage was held against",
  "src/history/fold-statements.ts": "writes sums of hours, days or months, which are tables of its room",
  "src/history/fold.ts": "passes hours on to days and days to months, in one way",
  "src/history/forget.ts": "forgets hours, days and months, in one loop",
  "src/health/folding.ts": "forgets readings of five minutes and of hours, in one loop",
};

const roomOf = (file: string) => file.split("/")[1] ?? "";
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.startsWith("src/web/") && !file.startsWith("src/db/"))
  .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));

/** Table and owner by the constant that its entity is exported as. */
const entities = new Map<string, { table: string; room: string }>();
for (const { file, text } of sources) {
  for (const [, constant = "", table = ""] of text.matchAll(/export const (\w+) = entity\([\s\S]*?tableName: "(\w+)"/g))
    entities.set(constant, { table, room: roomOf(file) });
}
const owners = new Map([...entities.values()].map(({ table, room }) => [table, room]));

/** The table of each sweep (`db/sweep.ts`), undefined where it is a value. */
const sweeps = (text: string) =>
  [...text.matchAll(/\bsweepRows\([^;]*?\btable\b(?:: "(\w+)")?/g)].map(({ index, 1: table }) => ({ index, table }));

/** Everything in the sources that writes a table. */
const writes = sources.flatMap(({ file, text }) => {
  const lineAt = (index: number) => text.slice(0, index).split("\n").length;
  const bySql = [...text.matchAll(/\b(?:insert into|update|delete from)\s+(\w+)(?=[\s(])/g)]
    .filter(([, table = ""]) => owners.has(table))
    .map(({ index, 1: table = "" }) => ({ file, line: lineAt(index), table }));
  const bySweep = sweeps(text).flatMap(({ index, table }) =>
    table === undefined ? [] : [{ file, line: lineAt(index), table }],
  );
  const byEntity = [
    ...text.matchAll(/\bdraft\.(?:insert|update|upsert|add|delete|purge)\(\s*(\w+)|sql\.table\((\w+)\.name\)/g),
  ].flatMap(({ index, 1: recorded, 2: named }) => {
    const entry = entities.get(recorded ?? named ?? "");
    // A table that is named may only be read.
    const written = recorded !== undefined || /(?:insert into|update|delete from)\s+\$\{$/.test(text.slice(0, index));
    return entry && written ? [{ file, line: lineAt(index), table: entry.table }] : [];
  });
  return [...bySql, ...bySweep, ...byEntity];
});

test("the tables and what writes them are found", () => {
  expect(owners.get("users")).toBe("accounts");
  expect(owners.size).toBeGreaterThan(40);
  expect(writes.length).toBeGreaterThan(100);
  const swept = writes.filter(({ file }) => file === "src/http/idempotency/answer-room.ts");
  expect(swept.map(({ table }) => table)).toEqual(["idempotency_records", "idempotency_records"]);
});

test("no room writes a table of another", () => {
  const strays = writes.filter(({ file, table }) => owners.get(table) !== roomOf(file));
  expect(
    strays.map(({ file, line, table }) => `${file}:${line} writes ${table}, which is of src/${owners.get(table)}`),
  ).toEqual([]);
});

test("whoever writes a table that is a value is known", () => {
  const found = sources.filter(
    ({ text }) =>
      /(?:insert into|update|delete from)\s+\$\{(?!sql\.table\((\w+)\.name\))/.test(text) ||
      sweeps(text).some(({ table }) => table === undefined),
  );
  expect(found.map(({ file }) => file).toSorted()).toEqual(Object.keys(BY_VALUE).toSorted());
});
