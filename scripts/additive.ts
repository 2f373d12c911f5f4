// Whether a migration is additive: panels that do not have it go on working on the schema that it leaves, and lose
// nothing of what it brings. What is not known to be so is not.

/** A new column of any table: nullable, or with a default that rows of an older panel get. */
const NEW_COLUMN = /^add (column )?[`"]\w+[`"] (?=.*\bnull\b)(?!.*\b(unique|references|primary|check|generated)\b)/s;
/** A table that refers to another one would keep an older panel from deleting rows there. */
const NEW_TABLE = /^create table (?!.*\breferences\b)/s;
const NEW_INDEX = /^create index /;
const UNIQUE_INDEX = /^create unique index \S+ on [`"]?(\w+)/;
const ROWS = /^insert into /;
const ALTER = /^alter table [`"]?\w+[`"]? (.+)$/s;

/** `statements`: all of a migration, in one dialect. */
export function isAdditive(statements: readonly string[]): boolean {
  const all = statements.map((statement) => statement.trim().replace(/;$/, "")).filter((statement) => statement !== "");
  const made = new Set(all.flatMap((statement) => /^create table [`"]?(\w+)/.exec(statement)?.[1] ?? []));
  return all.every((statement) => {
    const unique = UNIQUE_INDEX.exec(statement)?.[1];
    if (unique !== undefined) return made.has(unique);
    const [, changes] = ALTER.exec(statement) ?? [];
    if (changes !== undefined)
      return changes.split(/, (?=add |alter |drop |rename )/).every((each) => isNewColumn(each));
    return NEW_TABLE.test(statement) || NEW_INDEX.test(statement) || ROWS.test(statement);
  });
}

function isNewColumn(change: string): boolean {
  return NEW_COLUMN.test(change) && (!/\bnot null\b/.test(change) || /\bdefault\b/.test(change));
}
